import test from 'ava';
import { ContractError, type GuardOptions, type Outcome, type Task } from '../../../../../sdk/index.ts';
import { checkedOutcome } from '../../../../../sdk/provider/contract/check-outcome.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { created, guarding, stateOf, times } from '../guarding.ts';

const integration = { claim: 'se.quencer.io/acme', type: 'DNS' };
const wrong: readonly (readonly [returned: unknown, message: RegExp])[] = [
  [undefined, /must be \{ status, reason, refs\? \}; found undefined$/],
  ['Completed', /found a text of 9 characters$/],
  [{ status: 'Done', reason: 'x' }, /status must be one of Initialized, .*; found "Done"$/],
  [{ status: 'Completed' }, /reason must be a text that is not empty; found undefined$/],
  [{ status: 'Completed', reason: '' }, /reason must be a text that is not empty; found ""$/],
  [{ status: 'Completed', reason: 'x', refs: 'a' }, /refs must be an array of plain JSON objects; found "a"$/],
  [{ status: 'Completed', reason: 'x', ref: [{ id: 'a' }] }, /ref is not an option; .*; did you mean refs\?$/],
  [{ status: 'Completed', reason: 'x', id: 'a' }, /id is not an option; known are status, reason, refs$/],
  [{ status: 'Completed', reason: 'x', refs: [{ id: 1n }] }, /refs\[0\] must be a plain JSON object; found/],
];
for (const [returned, message] of wrong)
  test(`refuses a return that is wrong: ${message.source}`, (t) => {
    const error = t.throws(() => checkedOutcome(integration, returned), { instanceOf: ContractError, message });
    t.regex(error.message, /^integration "acme" \(condition DNS\): what the task returned: /);
  });

test('other members are no mistake beside refs: no id is lost by them', (t) => {
  const outcome = { status: 'Completed', reason: 'x', refs: [{ id: 'a' }] } as const;
  t.deepEqual(checkedOutcome(integration, { ...outcome, tookMs: 5 }), outcome);
});

test('hands on a copy of what is right, a long reason too: it is cut', (t) => {
  const outcome: Outcome = { status: 'Completed', reason: 'x'.repeat(2_000), refs: [] };
  t.deepEqual(checkedOutcome(integration, outcome), outcome);
  t.not(checkedOutcome(integration, outcome), outcome);
});

/** Runs a task that returns this, and then a correct one. */
async function afterReturning(returned: unknown, options: GuardOptions) {
  const stage = await aTargetCluster();
  const keys: string[] = [];
  const task: Task = async (context) => {
    keys.push(context.key);
    return keys.length === 1 ? (returned as Outcome) : created();
  };
  await stage.create();
  const actor = stage.actor([guarding({ task, options })], { times });
  const error = await actor.walk().then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  const first = await stateOf(stage);
  await actor.walk();
  await stage.clock.advance(2_000);
  await actor.walk();
  return { error, first, keys, last: await stateOf(stage) };
}

test('a wrong return loses no id, and what cannot be found again is not made again: a person is asked', async (t) => {
  const returned = { status: 'Done', reason: 'made', refs: [{ id: 'a' }, 'b'] };
  const { error, first, keys, last } = await afterReturning(returned, {});
  t.true(error instanceof ContractError);
  t.like(first, { status: 'Unknown', entry: { phase: 'unknown', refs: [{ id: 'a' }] } });
  t.regex(first.reason, /integration "dns" \(condition DNS\): what the task returned: status must be one of/);
  t.is(keys.length, 1);
  t.deepEqual(last.entry, first.entry);
});

test('a wrong return without an id is run again by the same key where that is safe', async (t) => {
  const { first, keys, last } = await afterReturning({ status: 'Completed' }, { identity: 'name' });
  t.like(first, { status: 'Locked', entry: { phase: 'intent', ambiguous: true } });
  t.regex(first.reason, /^outcome not known yet, looked for again: .*reason must be a text/);
  t.is(keys.length, 2);
  t.is(new Set(keys).size, 1);
  t.is(last.status, 'Completed');
});

test('a checkpoint of what is not an id is refused there', async (t) => {
  const stage = await aTargetCluster();
  const task: Task = async ({ checkpoint }) => {
    await checkpoint('box-1' as never);
    return created();
  };
  await stage.create();
  const message = /checkpoint\(ref\): ref must be a plain JSON object; found "box-1"$/;
  await t.throwsAsync(stage.actor([guarding({ task })], { times }).walk(), { instanceOf: ContractError, message });
  t.like(await stateOf(stage), { status: 'Unknown' });
});

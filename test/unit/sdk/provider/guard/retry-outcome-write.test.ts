import test from 'ava';
import { type Client, conditionOf, type GuardOptions, type Task } from '../../../../../sdk/index.ts';
import { type Actor, aTargetCluster } from '../../../a-target-cluster.ts';
import { created, guarding, passing, stateOf, times } from '../guarding.ts';

type Patch = Parameters<Client['patch']>[2];

/** Has an actor's client throw a TypeError of the program's own for the patches that match, as a defect of ours would. */
function withDefect({ host }: Actor, matches: (patch: Patch) => boolean): () => number {
  let count = 0;
  const { client } = host;
  const patch: Client['patch'] = async (...call) => {
    if (!matches(call[2])) return client.patch(...call);
    count += 1;
    throw new TypeError("Cannot read properties of undefined (reading 'holder')");
  };
  Object.assign(host, { client: { ...client, patch } });
  return () => count;
}
const holds = (text: string) => (patch: Patch) => JSON.stringify(patch).includes(text);

async function aScene(matches: (patch: Patch) => boolean, options?: GuardOptions, task: Task = created) {
  const stage = await aTargetCluster();
  const lines: unknown[] = [];
  await stage.create();
  const actor = stage.actor([guarding({ task, ...(options && { options }) })], { times });
  const log = (level: string) => (fields: object, message: string) => void lines.push({ level, message, ...fields });
  Object.assign(actor.host, { logger: { info: () => {}, warn: log('warn'), error: log('error') } });
  const tries = withDefect(actor, matches);
  return { stage, actor, tries, lines };
}

test('an outcome that a defect keeps from being written is not tried for ever: it is reported, its ids are kept, and a person is asked', async (t) => {
  const { stage, actor, tries, lines } = await aScene(holds('"phase":"done"'));
  await t.throwsAsync(passing(stage, actor.walk(), 3_000), { name: 'TypeError' });
  t.is(tries(), 1, 'nothing that the API server may answer otherwise the next time');
  t.like(await stateOf(stage), { status: 'Unknown', entry: { phase: 'unknown', refs: [{ id: 'a' }] } });
  t.regex((await stateOf(stage)).reason, /Cannot read properties of undefined/);
  const told = actor.events.filter(({ reason }) => reason === 'OutcomeNotWritten').map(({ message }) => message);
  t.deepEqual(told, [
    "DNS: its outcome cannot be written as it is, which is a defect: Cannot read properties of undefined (reading 'holder')",
  ]);
  t.like(lines[0], { level: 'error', condition: 'DNS', err: { name: 'TypeError' } });
});

test('what can be found again after a defect is looked for, and waits for no person', async (t) => {
  let broken = true;
  const { stage, actor } = await aScene((patch) => broken && holds('"phase":"done"')(patch), { identity: 'name' });
  await t.throwsAsync(passing(stage, actor.walk(), 3_000), { name: 'TypeError' });
  t.like(await stateOf(stage), { status: 'Locked', entry: { phase: 'intent', refs: [{ id: 'a' }] } });
  broken = false;
  await actor.walk();
  await stage.clock.advance(2_000);
  await actor.walk();
  t.like(await stateOf(stage), { status: 'Completed', entry: { phase: 'done' } });
});

test('a defect in the mirror costs the mirror alone: the journal has the ids', async (t) => {
  const { stage, actor, tries } = await aScene(
    (patch) => holds('external.se.quencer.io')(patch) && holds('"id')(patch),
  );
  await passing(stage, actor.walk(), 3_000);
  t.is(tries(), 1);
  t.like(await stateOf(stage), { status: 'Completed', entry: { phase: 'done', refs: [{ id: 'a' }] } });
  t.true(actor.events.some(({ reason }) => reason === 'OutcomeNotWritten'));
});

test('where a defect keeps every outcome from being written, the walk ends, and an event names the ids', async (t) => {
  const { stage, actor, tries } = await aScene(
    (patch) => holds('"refs":[{"id":"a"}]')(patch) || (holds('external.se.quencer.io')(patch) && holds('"id')(patch)),
    { identity: 'name' },
  );
  await t.throwsAsync(passing(stage, actor.walk(), 3_000), { name: 'TypeError' });
  t.is(tries(), 3, 'the mirror, the outcome, and that it is not known');
  t.like(await stateOf(stage), { status: 'Locked', entry: { phase: 'intent' } });
  const last = actor.events.filter(({ reason }) => reason === 'OutcomeNotWritten').at(-1)?.message;
  t.regex(last ?? '', /written nowhere.*\[\{"id":"a"\}\]/);
});

test('ids that cannot be read twice are read once', async (t) => {
  let reads = 0;
  const id = new Proxy(
    { id: 'a' },
    {
      ownKeys(target) {
        reads += 1;
        if (reads > 8) throw new TypeError('read too often');
        return Reflect.ownKeys(target);
      },
    },
  );
  const task: Task = async () => ({ status: 'Completed', reason: 'made', refs: [id] });
  const { stage, actor } = await aScene(() => false, undefined, task);
  await passing(stage, actor.walk(), 3_000);
  t.like(await stateOf(stage), { status: 'Completed', entry: { refs: [{ id: 'a' }] } });
  t.is(conditionOf(await stage.read(), 'DNS').reason, 'made');
});

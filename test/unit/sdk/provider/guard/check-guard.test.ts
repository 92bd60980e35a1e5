import test from 'ava';
import { ContractError } from '../../../../../sdk/index.ts';
import { checkGuard } from '../../../../../sdk/provider/guard/check-guard.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { created, guarding, stateOf } from '../guarding.ts';

const integration = { claim: 'se.quencer.io/dns', type: 'DNS' };
const sound = { reason: 'making', task: created, options: {} };

test('a sound guard passes', (t) => {
  const options = {
    op: 'create',
    identity: 'key',
    validForMs: 100,
    maxRequestMs: 0,
    input: { a: 1 },
    recover: created,
  };
  t.notThrows(() => checkGuard(integration, sound));
  t.notThrows(() => checkGuard(integration, { ...sound, options }));
});

const bad: readonly (readonly [change: object, message: RegExp])[] = [
  [{ reason: '' }, /guard: reason must be a text that is not empty; found ""$/],
  [{ task: undefined }, /task must be a function; found undefined$/],
  [{ options: 'create' }, /options must be an object; found "create"$/],
  [{ options: { op: 'make' } }, /op must be one of create, update, delete, task; found "make"$/],
  [{ options: { identity: 'tag' } }, /identity must be one of name, key, opaque; found "tag"$/],
  [{ options: { recover: true } }, /recover must be a function; found true$/],
  [{ options: { validForMs: 0 } }, /validForMs must be a number of ms from 1; found 0$/],
  [{ options: { validForMs: 24 } }, /validForMs must be at least 100 ms; found 24: it is in ms, not in seconds$/],
  [{ options: { maxRequestMs: Number.NaN } }, /maxRequestMs must be a number of ms from 0; found NaN$/],
  [{ options: { listLagMs: -1 } }, /listLagMs must be a number of ms from 0; found -1$/],
  [
    { options: { listLagMs: 5 } },
    /guard: listLagMs must be 0 or at least 100 ms; found 5: it is in ms, not in seconds$/,
  ],
  [
    { options: { maxRequestMs: 30 } },
    /maxRequestMs must be 0 or at least 100 ms; found 30: it is in ms, not in seconds$/,
  ],
  [
    { options: { identiti: 'name' } },
    /^integration "dns" \(condition DNS\): guard: identiti is not an option; known are op, .*; did you mean identity\?$/,
  ],
  [{ options: { validForMs: '1' } }, /validForMs must be a number of ms from 1; found "1"$/],
  [{ options: { input: 'a' } }, /input must be an object; found "a"$/],
  [{ options: { input: { at: new Date(0) } } }, /input must be plain JSON; found/],
  [{ options: { input: { a: 'x'.repeat(131_072) } } }, /input must have at most 131072 characters as JSON; found/],
];
for (const [change, message] of bad)
  test(`refuses ${message.source}`, (t) => {
    t.throws(() => checkGuard(integration, { ...sound, ...change }), { instanceOf: ContractError, message });
  });

test('nothing is begun by a guard that is wrong', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const actor = stage.actor([guarding({ task: created, options: { maxRequestMs: Number.NaN } })]);
  await t.throwsAsync(actor.walk(), { instanceOf: ContractError });
  t.like(await stateOf(stage), { status: 'Error', entry: { phase: 'none' } });
});

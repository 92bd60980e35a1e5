import test from 'ava';
import { checkedProvider, checkedResult, handlesOf } from '../../../../../sdk/host/index.ts';
import { ContractError, type Integration } from '../../../../../sdk/index.ts';
import { aWorkspace } from '../../../a-workspace.ts';

const provider = { reconcile: async () => {}, terminate: async () => {} };
const integration: Integration = { name: 'dns', condition: 'DNS', handles: () => true, connect: () => provider };

test('whether a workspace asks for it is said by true or false', (t) => {
  t.true(handlesOf(integration, aWorkspace()));
  t.false(handlesOf({ ...integration, handles: () => false }, aWorkspace()));
});

const handles: readonly (readonly [handles: () => unknown, found: string])[] = [
  [() => undefined, 'handles must return true or false; found undefined'],
  [() => Promise.reject(new Error('late')), 'handles must return true or false; found a Promise'],
  [
    () => {
      throw new Error('no spec');
    },
    'handles must not throw; it threw no spec',
  ],
];
for (const [answer, message] of handles)
  test(`refuses what handles answers: ${message}`, (t) => {
    const wrong = { ...integration, handles: answer } as Integration;
    t.throws(() => handlesOf(wrong, aWorkspace()), {
      instanceOf: ContractError,
      message: `integration "dns" (condition DNS): ${message}`,
    });
  });

const providers: readonly (readonly [provider: unknown, found: RegExp])[] = [
  [undefined, /found reconcile on undefined$/],
  [{ ...provider, terminate: 'later' }, /found terminate "later"$/],
];
for (const [answer, message] of providers)
  test(`refuses what connect answers: ${message.source}`, (t) =>
    void t.throws(() => checkedProvider(integration, answer), { instanceOf: ContractError, message }));

test('a provider may be an object of a class', (t) => {
  class Own {
    async reconcile() {}
    async terminate() {}
  }
  const own = new Own();
  t.is(checkedProvider(integration, own), own);
});

const results: readonly (readonly [result: unknown, found: RegExp])[] = [
  ['soon', /what reconcile returned: must be \{ requeueAfter\? \} or undefined; found "soon"$/],
  [{ requeueAfter: -1 }, /requeueAfter must be a number of ms from 0; found -1$/],
  [{ requeueAfter: '5' }, /requeueAfter must be a number of ms from 0; found "5"$/],
  [{ requeueAfter: Number.POSITIVE_INFINITY }, /found Infinity$/],
  [
    { requeue: true },
    /requeue is not an option; known are requeueAfter, state, stop, keepFinalizer; did you mean requeueAfter\?$/,
  ],
];
for (const [answer, message] of results)
  test(`refuses a result: ${message.source}`, (t) =>
    void t.throws(() => checkedResult(integration, 'reconcile', answer), { instanceOf: ContractError, message }));

test('nothing is a result too', (t) => {
  t.deepEqual(checkedResult(integration, 'reconcile', undefined), {});
  t.deepEqual(checkedResult(integration, 'reconcile', { requeueAfter: 5 }), { requeueAfter: 5 });
});

import test from 'ava';
import {
  DefiniteError,
  defineIntegration,
  ExternalAlreadyExistsError,
  externalResource,
} from '../../../../sdk/index.ts';
import { type Subject, testIntegration } from '../../../compliance/index.ts';

const subject: Subject = {
  identity: 'name',
  spec: {},
  start: () => {
    throw new Error('nothing is started before its test runs');
  },
};

const refused: readonly (readonly [what: string, change: object, message: string])[] = [
  [
    'an unknown member',
    { sameNames: 'exclusive' },
    'testIntegration: sameNames is not an option; known are identity, spec, edited, unhandled, failures, secrets, sameName, target, drift, cannot, time, kubeconfig, limits, start; did you mean sameName?',
  ],
  ['a missing identity', { identity: undefined }, 'testIntegration: identity is missing: name, tag, key or opaque'],
  ['a word that is none', { time: 'fast' }, 'testIntegration: time must be one of virtual, real, found "fast"'],
  [
    'an unknown case',
    { cannot: { crashes: 'no' } },
    'testIntegration: cannot.crashes is not an option; known are completes, once, follows, cleans, emptied, unreconciled, marks, handles, validate, find, observe, create, update, delete, outage, answers, reports, definite, ambiguous, throttled, signal, locked, paused, unhandled, secrets, fixes, contended, crash, memory, covers, copied, forged, restored; did you mean cannot.crash?',
  ],
  [
    'an unknown failure',
    { failures: { refused: () => undefined } },
    'testIntegration: failures.refused is not an option; known are definite, ambiguous, throttled',
  ],
  [
    'an unknown limit',
    { limits: { wait: 1 } },
    'testIntegration: limits.wait is not an option; known are lease, maxRequest, settle',
  ],
  [
    'a real cluster on a clock that stands still',
    { kubeconfig: 'file' },
    "testIntegration: kubeconfig needs time: 'real'",
  ],
  [
    'a lease of half a second',
    { limits: { lease: 500 } },
    'testIntegration: limits.lease must be whole seconds: journals count in them',
  ],
  ['no start', { start: undefined }, 'testIntegration: start must be a function (host) => { integration, remote }'],
];

for (const [what, change, message] of refused)
  test(`${what} is refused before any test is registered`, (t) => {
    const titles: string[] = [];
    const changed = { ...subject, ...change } as Subject;
    t.throws(() => testIntegration((title) => titles.push(title), changed), { instanceOf: TypeError, message });
    t.deepEqual(titles, []);
  });

test('what is not declared, or said to be impossible, is skipped with a word where the runner can', (t) => {
  const titles: string[] = [];
  const skipped: string[] = [];
  const runner = Object.assign((title: string) => titles.push(title), { skip: (title: string) => skipped.push(title) });
  testIntegration(runner, { ...subject, cannot: { paused: 'it has a timer of its own' } });
  t.true(titles.includes('survives a crash before and after every effect'));
  t.true(skipped.includes('changes with the spec (not proved: the subject declares no edited)'));
  t.true(skipped.includes('touches nothing while paused (not proved: it has a timer of its own)'));
  t.is(titles.length + skipped.length, 33);
});

test('it is said in the title where the runner cannot skip', async (t) => {
  const tests = new Map<string, (context?: unknown) => Promise<void>>();
  testIntegration((title, run) => tests.set(title, run), subject);
  t.is(tests.size, 33);
  let passes = 0;
  await tests.get('changes with the spec (not proved: the subject declares no edited)')?.({
    pass: () => (passes += 1),
  });
  t.is(passes, 1);
});

test('one third party that start answers twice is reported as such, not as a flaw of the integration', async (t) => {
  const kept = new Map<string, string>();
  const box = externalResource<{ text: string }, { id: string }>({
    label: 'box',
    identity: 'name',
    find: async ({ uid }) => (kept.has(uid) ? { id: uid } : undefined),
    create: async ({ text }, { owner: { uid } }) => {
      if (kept.has(uid)) throw new ExternalAlreadyExistsError(`${uid} is there`);
      kept.set(uid, text);
      return { id: { id: uid } };
    },
    observe: async ({ id }) => (kept.has(id) ? { state: { text: kept.get(id)! } } : undefined),
    update: async ({ id }, { text }) => {
      if (!kept.has(id)) throw new DefiniteError('there is none');
      kept.set(id, text);
    },
    delete: async ({ id }) => void kept.delete(id),
  });
  const boxes = defineIntegration({
    name: 'boxes',
    condition: 'Boxed',
    handles: ({ spec }) => spec.integrations?.boxes !== undefined,
    connect: ({ workspace, controller }) => ({
      reconcile: () => controller.ensure(box, { text: String(workspace.spec.integrations?.boxes) }),
      terminate: () => controller.destroy(box),
    }),
  });
  const tests = new Map<string, () => unknown>();
  testIntegration((title, run) => tests.set(title, () => run(undefined as never)), {
    identity: 'name',
    spec: { integrations: { boxes: 'hello' } },
    edited: { integrations: { boxes: 'good day' } },
    start() {
      kept.clear();
      return { integration: () => boxes, remote: () => [...kept].map(([id, what]) => ({ id, what })) };
    },
  });
  for (const title of [
    'update: changes every member, and only what is there',
    'remembers nothing that another process would not know',
  ])
    await t.throwsAsync(async () => tests.get(title)!(), { message: /start answers one third party twice/ }, title);
});

import test from 'ava';
import { ConfigMap } from '../../../../sdk/api/kinds.ts';
import { ownerReferenceTo } from '../../../../sdk/api/object.ts';
import { GiveUpError, RetryError, StaleError } from '../../../../sdk/errors.ts';
import { finalizer } from '../../../../sdk/reconcile/finalizer.ts';
import { freeStyle } from '../../../../sdk/reconcile/okt/free-style.ts';
import { type StepHook, type StepHooks, stepper } from '../../../../sdk/reconcile/okt/stepper.ts';
import { done, requeueAfter } from '../../../../sdk/reconcile/reconciler.ts';
import { keeper, type MapResource, map } from './fixtures/a-keeper.ts';
import { finalizerName, type Parent, theParents } from './fixtures/a-parent.ts';

test('OKT-5: the finalizer goes after a clean CRFinalizer, and stays after one that throws', async (t) => {
  const { create, remove, run, read, key } = await theParents();
  await create('a');
  await remove('a');
  let failures = 1;
  const paths: unknown[] = [];
  const logger = { debug: ({ path }: { readonly path?: unknown }) => paths.push(path) };
  const reconcile = finalizer(
    finalizerName,
    stepper<Parent>({
      CRFinalizer() {
        failures -= 1;
        if (failures >= 0) throw new Error('not yet');
      },
    }),
  );
  await t.throwsAsync(run(reconcile, 'a', { logger: logger as never }), { message: 'not yet' });
  t.deepEqual((await read()).metadata.finalizers, [finalizerName]);
  await run(reconcile, 'a', { logger: logger as never });
  t.deepEqual(paths, ['>CRChecker>CRFinalizer>ErrorManager>End', '>CRChecker>CRFinalizer>End']);
  await t.throwsAsync(read(), { name: 'NotFoundError' }, key('a').name);
});

test('OKT-c1: whatever CRFinalizer fails with keeps the finalizer, and so do errors and giving up quietly in CRChecker; an alarm there does not', async (t) => {
  const { create, remove, run, read } = await theParents();
  await create('a');
  await remove('a');
  const failing = () => {
    throw new Error('no');
  };
  const quiet: StepHook<Parent> = ({ results }) => results.addGiveupError('NotNow');
  const alarm: StepHook<Parent> = ({ results }) => results.addGiveupError('Wrong', { error: new Error('wrong') });
  const cases: readonly StepHooks<Parent>[] = [
    { CRChecker: failing },
    { CRFinalizer: failing },
    { CRChecker: quiet },
    { CRFinalizer: quiet },
    { CRFinalizer: alarm },
    { CRChecker: alarm, CRFinalizer: failing },
    { CRFinalizer: () => requeueAfter(5) },
  ];
  for (const hooks of cases) {
    await run(finalizer(finalizerName, stepper(hooks))).catch(() => undefined);
    t.deepEqual((await read()).metadata.finalizers, [finalizerName], Object.keys(hooks).join());
  }
  const cleaned: string[] = [];
  const CRFinalizer: StepHook<Parent> = ({ key }) => void cleaned.push(key.name);
  await run(finalizer(finalizerName, stepper<Parent>({ CRChecker: alarm, CRFinalizer })));
  t.deepEqual(cleaned, ['a']);
  await t.throwsAsync(read(), { name: 'NotFoundError' });
});

test('OKT-11: a resource that a mutator renames is an alarm, and nothing is written', async (t) => {
  const { keep, writes } = await keeper();
  const renamed = map('m', '1', {
    mutateWithCR(draft) {
      draft.metadata.name = 'other';
    },
  });
  await t.throwsAsync(keep(renamed), {
    instanceOf: GiveUpError,
    message: /^ConfigMap .*\/m: it was renamed to .*\/other/,
  });
  t.deepEqual(writes, []);
});

test('OKT-12, OKT-c6: at most maxCreation are made in a run, never one more, and the others 4 s later', async (t) => {
  const { keep, writes, counts } = await keeper({ update: { maxCreation: 2 } });
  const five = ['m1', 'm2', 'm3', 'm4', 'm5'].map((name) => map(name, '1'));
  t.deepEqual(await keep(...five), requeueAfter(4000));
  t.deepEqual(writes, ['create configmaps/m1', 'create configmaps/m2']);
  t.like(counts(), { Created: 2, CreateDelayed: 3 });
  await keep(...five);
  t.deepEqual(await keep(...five), done);
  t.deepEqual(writes, ['create configmaps/m5'], 'what is left');
});

test('OKT-c9: a resource registered twice is an alarm', async (t) => {
  const { keep, writes } = await keeper();
  await t.throwsAsync(keep(map('m', '1'), map('m', '2')), {
    instanceOf: GiveUpError,
    message: /it is registered twice/,
  });
  t.deepEqual(writes, []);
});

test('OKT-c9: what this object made and wants no more is pruned, nothing else, and not while something is wrong', async (t) => {
  const { keep, client, namespace, get, writes, counts } = await keeper({ prune: true });
  await keep(map('m1', '1'), map('m2', '1'));
  await client.create(ConfigMap, { metadata: { name: 'theirs', namespace } });
  await t.throwsAsync(keep(map('m1', '1'), map('m1', '1')));
  t.deepEqual(writes, []);
  await keep(map('m1', '1'));
  t.deepEqual(writes, ['delete configmaps/m2']);
  t.is(counts().Deleted, 1);
  t.truthy(await get('theirs'));
});

test('OKT-c9: a write that met another one is reported as stale, so that the engine looks again at once', async (t) => {
  const { keep, change, client, key } = await keeper();
  await keep(map('m', '1'));
  const racing = map('m', '2', { postMutate: () => undefined });
  const raced = (racing as unknown as MapResource).mutateWithCR!;
  const during: Partial<MapResource> = {
    async mutateWithCR(draft, request) {
      await raced(draft, request);
      await change('m', { data: { beside: String(Math.random()) } });
    },
  };
  await t.throwsAsync(keep(map('m', '2', during)), { name: 'ConflictError' });
  const made = map('n', '1', {
    async mutateWithCR() {
      await client.create(ConfigMap, { metadata: key('n') }).catch(() => undefined);
    },
  });
  await t.throwsAsync(keep(made), { instanceOf: StaleError, message: /was made meanwhile/ });
});

test('an object of another controller is left to it', async (t) => {
  const { keep, client, namespace, writes } = await keeper();
  const other = await client.create(ConfigMap, { metadata: { name: 'other', namespace } });
  const ownerReferences = [ownerReferenceTo(other)];
  await client.create(ConfigMap, { metadata: { name: 'm', namespace, ownerReferences } });
  await t.throwsAsync(keep(map('m', '1')), { instanceOf: GiveUpError, message: /it belongs to ConfigMap other/ });
  t.deepEqual(writes, []);
});

test('a write that fails is tried again after 3 s; stopOnError leaves the rest for then', async (t) => {
  const bad = (name: string) =>
    map(name, '1', {
      mutateWithCR(draft) {
        (draft as { data: unknown }).data = { 'not a key!': '1' };
      },
    });
  for (const [stopOnError, made] of [
    [true, 0],
    [false, 1],
  ] as const) {
    const { keep, counts } = await keeper({ update: { stopOnError } });
    const error = await t.throwsAsync(keep(bad('m1'), map('m2', '1')), { instanceOf: RetryError });
    t.is(error.retryAfter, 3000);
    t.is(counts().Created ?? 0, made);
  }
});

test('what a mutator asks for and what it throws come out; a peer that cannot be read is tried again after 5 s', async (t) => {
  const { keep, run } = await keeper();
  t.deepEqual(await keep(map('m', '1', { mutateWithCR: () => 7000 })), requeueAfter(7000));
  const failing = map('m', '1', {
    mutateWithCR: () => {
      throw new Error('no');
    },
  });
  await t.throwsAsync(keep(failing), { message: 'no' });
  const unreadable = stepper<Parent>({ ObjectsGetter: ({ resources }) => resources.register(map('m', '1')) });
  const client = { get: () => Promise.reject(new Error('no answer')) };
  const error = await t.throwsAsync(run(unreadable, 'a', { client: client as never }), { instanceOf: RetryError });
  t.is(error.retryAfter, 5000);
});

test('any other function of a resource that throws is an alarm', async (t) => {
  const { keep, writes } = await keeper();
  const failing = () => {
    throw new Error('no');
  };
  for (const part of ['preMutate', 'mutateWithInitialData', 'postMutate', 'getHashableRef'])
    await t.throwsAsync(keep(map('m', '1', { [part]: failing })), { instanceOf: GiveUpError, message: /m: no$/ }, part);
  t.deepEqual(writes, []);
});

test('writing what was never mutated is an alarm', async (t) => {
  const { run } = await keeper();
  const hasty = stepper<Parent>({
    ObjectsGetter: ({ resources }) => resources.register(map('m', '1')),
    Updater: ({ resources }) => resources.createOrUpdateAll(),
  });
  await t.throwsAsync(run(hasty), { instanceOf: GiveUpError, message: /never mutated: call mutateAll before/ });
});

/** Hooks of a port from Go, where nothing is awaited. */
const unawaited: StepHooks<Parent> = {
  ObjectsGetter({ resources }) {
    for (const name of ['one', 'two']) void resources.register(map(name, '1'));
  },
  Mutator: ({ resources }) => void resources.mutateAll(),
  Updater({ resources }) {
    void resources.createOrUpdateAll();
    void resources.prune(ConfigMap);
  },
};

test('OKT-1: what a hook asks of its resources has ended before the next state, also where the hook does not wait for it', async (t) => {
  const { create, run, writes } = await theParents([ConfigMap]);
  await create('a');
  writes.length = 0;
  const counts: unknown[] = [];
  const SuccessManager: StepHook<Parent> = ({ results }) => void counts.push(results.counts);
  await run(stepper<Parent>({ ...unawaited, SuccessManager }));
  t.deepEqual(counts, [{ RegistrationSuccess: 2, MutationSuccess: 2, Created: 2 }]);
  t.deepEqual(writes, ['create configmaps/one', 'create configmaps/two']);
});

test('in one function as well, in the order of the calls; a resource registered twice at once is an alarm', async (t) => {
  const { create, run, writes } = await theParents([ConfigMap]);
  await create('a');
  writes.length = 0;
  const all: readonly StepHook<Parent>[] = Object.values(unawaited);
  await run(freeStyle<Parent>((desk) => void all.forEach((hook) => void hook({ ...desk, step: 'Updater' }))));
  t.deepEqual(writes, ['create configmaps/one', 'create configmaps/two']);
  const twice = freeStyle<Parent>(({ resources }) => {
    for (const follows of ['1', '2']) void resources.register(map('one', follows));
  });
  await t.throwsAsync(run(twice), { instanceOf: GiveUpError, message: /ConfigMap .*one: it is registered twice/ });
});

test('pruning a kind that the controller does not follow is an alarm', async (t) => {
  const { create, run } = await theParents();
  await create('a');
  const pruning = freeStyle<Parent>(({ resources }) => void resources.prune(ConfigMap), { peers: 'stored' });
  const stored = () => {
    throw new TypeError('controller parents does not watch configmaps: name it in owns or watches');
  };
  const message = /^configmaps: controller parents does not watch configmaps/;
  await t.throwsAsync(run(pruning, 'a', { stored }), { instanceOf: GiveUpError, message });
});

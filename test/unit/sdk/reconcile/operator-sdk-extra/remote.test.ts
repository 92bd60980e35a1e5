import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { StaleError } from '../../../../../sdk/errors.ts';
import { chain } from '../../../../../sdk/reconcile/chain.ts';
import { outsideAnnotation, remote } from '../../../../../sdk/reconcile/operator-sdk-extra/remote.ts';
import { done, type Result, requeueAfter, stop } from '../../../../../sdk/reconcile/reconciler.ts';
import { requestFor } from '../../../../../sdk/reconcile/request.ts';
import { finalizerName, Parent, theParents } from '../fixtures/a-parent.ts';
import { type Thing, theRemote } from '../fixtures/a-remote.ts';

test('SDKX-1: an object that is gone needs nothing, and no hook is called', async (t) => {
  const { run } = await theParents();
  const { reconcile, calls } = theRemote();
  t.deepEqual(await run(reconcile, 'nobody'), done);
  t.deepEqual(calls, []);
});

test('SDKX-2: a missing finalizer is one patch, an event and a requeue, before anything else', async (t) => {
  const { create, run, writes, events, read } = await theParents();
  const { reconcile, calls } = theRemote();
  await create('a', { finalizers: [] });
  writes.length = 0;
  t.deepEqual(await run(reconcile), { requeueAfter: 0, stop: true });
  t.deepEqual(writes, ['patch parents/a']);
  t.deepEqual(events, [`Normal Added: finalizer ${finalizerName}`]);
  t.deepEqual([calls, (await read()).metadata.finalizers], [[], [finalizerName]]);
});

test('SDKX-3: a read that asks to come back ends the pass; the status is saved', async (t) => {
  const { create, run, condition, read } = await theParents();
  const { reconcile, calls } = theRemote({
    async read({ status }) {
      status.note = 'it is being built';
      return requeueAfter(30);
    },
  });
  await create('a');
  t.deepEqual(await run(reconcile), requeueAfter(30));
  t.deepEqual(calls, ['connect']);
  t.like(await condition('Ready'), { status: 'False', reason: 'Waiting', message: 'waiting for read' });
  t.is((await read()).status?.note, 'it is being built');
});

test('SDKX-3: a read that answers with an empty result ends the pass, too', async (t) => {
  const { create, run, condition } = await theParents();
  const { reconcile, calls } = theRemote({ read: async () => ({}) });
  await create('a');
  t.deepEqual(await run(reconcile), stop);
  t.deepEqual(calls, ['connect']);
  t.like(await condition('Ready'), { status: 'False', reason: 'Waiting', message: 'waiting for read' });
});

test('SDKX-4: what is made, changed and deleted outside is reported as an event, once it went well', async (t) => {
  const { create, remove, run, events, client, key } = await theParents();
  const { reconcile } = theRemote();
  await create('a');
  await run(reconcile);
  t.deepEqual(events, ['Normal CreateCompleted: made outside']);
  await client.patch(Parent, key('a'), { type: 'merge', value: { spec: { size: 2 } } });
  await run(reconcile);
  await run(reconcile);
  t.deepEqual(events.slice(1), ['Normal UpdateCompleted: changed outside']);
  await remove();
  await run(reconcile);
  t.deepEqual(events.slice(2), ['Normal DeleteCompleted: deleted outside']);
});

test('SDKX-4: creates, then updates, when both are needed; with neither there is only success', async (t) => {
  const { create, run } = await theParents();
  const need = { needCreate: true, needUpdate: true, next: {} };
  const { reconcile, calls } = theRemote({ diff: async () => need });
  await create('a');
  await run(reconcile);
  t.deepEqual(calls, ['connect', 'read', 'create', 'update', 'onSuccess']);
  Object.assign(need, { needCreate: false, needUpdate: false });
  calls.length = 0;
  await run(reconcile);
  t.deepEqual(calls, ['connect', 'read', 'onSuccess']);
});

test('SDKX-5, SDKX-c4: a wish of create survives an update that has none', async (t) => {
  const { create, run } = await theParents();
  const { reconcile, calls } = theRemote({
    diff: async () => ({ needCreate: true, needUpdate: true, next: {} }),
    create: async () => requeueAfter(12),
  });
  await create('a');
  t.deepEqual(await run(reconcile), requeueAfter(12));
  t.false(calls.includes('onSuccess'));
});

for (const step of ['connect', 'read', 'diff', 'create', 'update', 'onSuccess'] as const)
  test(`SDKX-6, SDKX-c1: when ${step} throws, it is reported once, by name, in one write, and thrown on`, async (t) => {
    const { create, run, writes, events, read, condition } = await theParents();
    const told: string[] = [];
    const failure = new TypeError('no luck');
    const { reconcile, outside } = theRemote({
      [step]: async () => Promise.reject(failure),
      async onError(_context, error, name) {
        told.push(`${name}: ${(error as Error).message}`);
      },
    });
    if (step === 'update') outside.thing = { size: 9 };
    await create('a');
    writes.length = 0;
    t.is(await t.throwsAsync(run(reconcile)), failure);
    const message = `${step}: no luck`;
    t.deepEqual(told, [message]);
    t.deepEqual(events.slice(-1), [`Warning ReconcilerActionError: ${message}`]);
    t.is(events.filter((event) => event.startsWith('Warning')).length, 1);
    t.like(await condition('Ready'), { status: 'False', reason: 'Failed', message });
    t.like((await read()).status, { isOnError: true, isSync: false, lastErrorMessage: message });
    t.is(writes.filter((write) => write.endsWith('/status')).length, 1);
  });

test('SDKX-7: nothing is written when nothing differs', async (t) => {
  const { create, run, writes, read } = await theParents();
  const { reconcile } = theRemote();
  await create('a');
  await run(reconcile);
  t.like((await read()).status, { isOnError: false, isSync: true, observedGeneration: 1 });
  writes.length = 0;
  t.deepEqual(await run(reconcile), done);
  t.deepEqual(writes, []);
});

test('SDKX-7, SDKX-c11: a kind without a status is no trouble', async (t) => {
  const { client, namespace } = await theParents();
  const object = await client.create(ConfigMap, { metadata: { name: 'a', namespace } });
  const reconcile = remote<ConfigMap, string, Thing>({
    connect: async () => 'api',
    read: async () => ({ current: undefined, wanted: {} }),
    create: async () => undefined,
    update: async () => undefined,
    delete: async () => undefined,
  });
  t.deepEqual(await reconcile(requestFor(ConfigMap, object, { client })), done);
});

test('SDKX-14, SDKX-c11: what is not there is created, and what was set is remembered without its values', async (t) => {
  const { create, run, read } = await theParents();
  const { reconcile, outside } = theRemote({
    read: async () => ({ current: undefined, wanted: { title: 'a secret' } }),
  });
  await create('a');
  await run(reconcile);
  t.deepEqual(outside.thing, { title: 'a secret' });
  t.is((await read()).metadata.annotations?.[outsideAnnotation()], '{"title":1}');
});

test('SDKX-15, SDKX-c6: passes that overlap share neither scratch data nor log fields', async (t) => {
  const { create, run } = await theParents();
  const seen: string[] = [];
  const meet = Promise.withResolvers<void>();
  let inside = 0;
  const { reconcile } = theRemote({
    async connect({ key }) {
      return key.name;
    },
    async read({ key, logger }, api) {
      inside += 1;
      if (inside === 2) meet.resolve();
      await meet.promise;
      seen.push(`${key.name} ${api}`);
      logger.info('read');
      return { current: {}, wanted: {} };
    },
  });
  await create('a');
  await create('b');
  const said: string[] = [];
  const logger = (name: string) => ({ info: (text: string) => void said.push(`${name}: ${text}`) }) as never;
  await Promise.all(['a', 'b'].map((name) => run(reconcile, name, { logger: logger(name) })));
  t.deepEqual(seen.sort(), ['a a', 'b b']);
  t.deepEqual(said.sort(), ['a: read', 'b: read']);
});

test('what others set outside stays, what is not wanted any more goes, even when the change was cut short', async (t) => {
  const { client, create, run, read, key } = await theParents();
  const { reconcile, outside } = theRemote();
  await create('a');
  const spec = (value: object) => client.patch(Parent, key('a'), { type: 'merge', value: { spec: value } });
  await spec({ title: 'one' });
  await run(reconcile);
  outside.thing = { ...outside.thing, colour: 'red' };
  await spec({ title: null });
  const broken = theRemote({ update: async () => Promise.reject(new Error('cut short')) });
  broken.outside.thing = outside.thing;
  await t.throwsAsync(run(broken.reconcile), { message: 'cut short' });
  await run(reconcile);
  t.deepEqual(outside.thing, { size: 1, colour: 'red' });
  t.is((await read()).metadata.annotations?.[outsideAnnotation()], '{"size":1}');
});

test('two things of one object are remembered apart, by name; a name that no annotation can have is refused', async (t) => {
  const { create, run, writes, read } = await theParents();
  const size = theRemote({
    name: 'size',
    status: false,
    read: async () => ({ current: size.outside.thing, wanted: { size: 1 } }),
  });
  const title = theRemote({
    name: 'title',
    status: false,
    read: async () => ({ current: title.outside.thing, wanted: { title: 'x' } }),
  });
  const both = chain(size.reconcile, title.reconcile);
  await create('a');
  await run(both);
  const { annotations } = (await read()).metadata;
  t.is(annotations?.[outsideAnnotation('size')], '{"size":1}');
  t.is(annotations?.[outsideAnnotation('title')], '{"title":1}');
  writes.length = 0;
  await run(both);
  t.deepEqual(writes, []);
  for (const name of ['', 'A', '-a', 'a'.repeat(41)])
    t.throws(() => theRemote({ name }), { message: /a name is up to/ });
});

test('a race is not a failure: nothing is reported, nothing is written', async (t) => {
  const { create, run, events, writes } = await theParents();
  const { reconcile } = theRemote({ read: async () => Promise.reject(new StaleError('changed')) });
  await create('a');
  writes.length = 0;
  await t.throwsAsync(run(reconcile), { instanceOf: StaleError });
  t.deepEqual([events, writes], [[], []]);
});

test('what onError returns stands in the place of the error', async (t) => {
  const { create, run, condition } = await theParents();
  const { reconcile } = theRemote({
    read: async () => Promise.reject(new Error('no')),
    onError: async (): Promise<Result> => requeueAfter(7),
  });
  await create('a');
  t.deepEqual(await run(reconcile), requeueAfter(7));
  t.like(await condition('Ready'), { reason: 'Failed' });
});

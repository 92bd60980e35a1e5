import test from 'ava';
import { ConfigMap, Pod } from '../../../../../sdk/api/kinds.ts';
import { RetryError } from '../../../../../sdk/errors.ts';
import {
  defaultFinalizer,
  opinionated,
  opinionatedStep,
} from '../../../../../sdk/reconcile/grafana-app-sdk/opinionated.ts';
import type { ReconcileRequest } from '../../../../../sdk/reconcile/grafana-app-sdk/simple.ts';
import type { ObjectEvent, ReconcileAction } from '../../../../../sdk/reconcile/object-event.ts';
import type { Result, State } from '../../../../../sdk/reconcile/reconciler.ts';
import { requestFor } from '../../../../../sdk/reconcile/request.ts';
import { aServer, recording } from '../../a-server.ts';
import { aWidget, Widget } from '../../operator/a-widget.ts';

const ours = 'configmaps/operator';
const wip = 'configmaps/operator-wip';
const x = 'other.io/x';

/** One ConfigMap with an opinionated reconciler; `run` is one call for one event. */
async function reconciled(finalizers: readonly string[], { deleting = false } = {}) {
  const { client: plain, key, namespace } = await aServer();
  const writes: string[] = [];
  const client = recording(plain, writes);
  await plain.create(ConfigMap, { metadata: { name: 'a', namespace, finalizers } });
  if (deleting) await plain.delete(ConfigMap, key('a'));
  const calls: ReconcileAction[] = [];
  const seen: (readonly string[])[] = [];
  const ends: (Result | Error)[] = [];
  const read = () => plain.get(ConfigMap, key('a'));
  const reconcile = opinionated<ConfigMap>({}, async ({ action }: ReconcileRequest<ConfigMap>) => {
    calls.push(action);
    seen.push((await read()).metadata.finalizers ?? []);
    const end = ends.shift() ?? {};
    if (end instanceof Error) throw end;
    return end;
  });
  return {
    plain,
    key,
    calls,
    seen,
    ends,
    writes,
    finalizers: async () => (await read().catch(() => undefined))?.metadata.finalizers,
    async run(action: ReconcileAction, { state, through = client }: { state?: State; through?: typeof client } = {}) {
      const object = await read();
      const event: ObjectEvent<ConfigMap> = { action, object };
      return reconcile(requestFor(ConfigMap, object, { event, client: through, state: state ?? {} }));
    },
  };
}

test('GRAF-T16: created with the finalizer is a resync, without a patch', async (t) => {
  const { run, calls, writes } = await reconciled([ours]);
  await run('created');
  t.deepEqual([calls, writes], [['resynced'], []]);
});

test('GRAF-T16, GRAF-c20: created is marked before, and settled after, in the midst of others', async (t) => {
  const { run, calls, seen, finalizers } = await reconciled([x]);
  await run('created');
  t.deepEqual([calls, seen], [['created'], [[x, wip]]]);
  t.deepEqual(await finalizers(), [x, ours]);
});

test('GRAF-T16: what is not done yet is not settled', async (t) => {
  const { run, ends, finalizers } = await reconciled([]);
  ends.push({ requeueAfter: 5 }, new Error('no'));
  t.deepEqual(await run('created'), { requeueAfter: 5 });
  await t.throwsAsync(run('created'), { message: 'no' });
  t.deepEqual(await finalizers(), [wip]);
});

test('GRAF-T16, GRAF-c3: deleting with the finalizer is reported as deleted, then the finalizer goes', async (t) => {
  const { run, calls, seen, finalizers } = await reconciled([ours, x], { deleting: true });
  await run('created');
  t.deepEqual([calls, seen], [['deleted'], [[ours, x]]]);
  t.deepEqual(await finalizers(), [x]);
});

test('one within another: both are told of a deletion, and both finalizers go', async (t) => {
  const { plain, key, finalizers } = await reconciled(['other.io/inner', ours, x], { deleting: true });
  const told: ReconcileAction[] = [];
  const inner = opinionated<ConfigMap>({ finalizer: 'other.io/inner' }, async ({ action }) => {
    told.push(action);
    return undefined;
  });
  const object = await plain.get(ConfigMap, key('a'));
  await opinionated<ConfigMap>({}, inner)(requestFor(ConfigMap, object, { client: plain }));
  t.deepEqual([told, await finalizers()], [['deleted'], [x]]);
});

test('GRAF-T16: deleting without our finalizer calls no watcher and patches nothing', async (t) => {
  for (const action of ['created', 'updated', 'deleted', 'resynced'] as const) {
    const { run, calls, writes } = await reconciled([x], { deleting: true });
    await run(action);
    t.deepEqual([calls, writes], [[], []], action);
  }
});

test('GRAF-T16: when finalizers cannot be changed, only that is tried again', async (t) => {
  for (const [deleting, expected] of [
    [false, [ours]],
    [true, undefined],
  ] as const) {
    const { plain, run, calls, finalizers } = await reconciled([wip], { deleting });
    const broken = new Proxy(plain, {
      get: (target, member: keyof typeof plain) =>
        member === 'patch' ? () => Promise.reject(new Error('no server')) : target[member],
    });
    const error = await t.throwsAsync(run('created', { through: broken }), { instanceOf: RetryError });
    t.is(error?.message, 'finalizers could not be changed: no server');
    t.is(calls.length, 1);
    await run('created', { state: error!.state! });
    t.is(calls.length, 1, 'not called again');
    t.deepEqual(await finalizers(), expected);
  }
});

const finalizer = 'example.com/f';
const marked = ['example.com/f-wip'];
const deletionTimestamp = '2026-01-01T00:00:00Z';
const steps: readonly (readonly [string, Partial<ObjectEvent<Widget>>, object])[] = [
  ['a new object', {}, { claim: true, delegate: 'created', afterwards: 'settle' }],
  [
    'a marked one after a restart',
    { object: aWidget('a', { finalizers: marked }) },
    { delegate: 'created', afterwards: 'settle' },
  ],
  [
    'our own mark that comes back',
    { action: 'updated', previous: aWidget('a'), object: aWidget('a', { finalizers: marked }) },
    {},
  ],
  [
    'a new spec while the first call fails',
    { action: 'updated', previous: aWidget('a'), object: aWidget('a', { finalizers: marked, generation: 2 }) },
    { delegate: 'created', afterwards: 'settle' },
  ],
  ['a resync', { action: 'resynced', object: aWidget('a', { finalizers: [finalizer] }) }, { delegate: 'resynced' }],
  [
    'a deletion of what was only marked',
    { action: 'updated', object: aWidget('a', { finalizers: marked, deletionTimestamp }) },
    { delegate: 'deleted', afterwards: 'release' },
  ],
  ['the end', { action: 'deleted', object: aWidget('a', { finalizers: [finalizer], deletionTimestamp }) }, {}],
];
for (const [title, event, expected] of steps)
  test(`what happens next: ${title}`, (t) => {
    const about = { action: 'created', object: aWidget('a'), ...event } as const;
    t.deepEqual(opinionatedStep<Widget>(about, { finalizer, claim: 'before' }), expected);
  });

test('GRAF-c11: a finalizer is named by kind and group, not by version; a name that no server takes is refused', (t) => {
  t.is(defaultFinalizer(Widget), 'widgets.example.com/operator');
  t.is(defaultFinalizer(Pod), 'pods/operator');
  const refused = (finalizer: string, message: string | RegExp) =>
    t.throws(() => opinionated({ finalizer }, {}), { instanceOf: TypeError, message });
  refused('', 'finalizer cannot be empty');
  refused('cleanup', /must be a domain, "\/" and a name/);
  refused('Example.com', /must be a domain, "\/" and a name/);
  refused(`${'a'.repeat(56)}.com`, /59/);
  refused(`example.com/${'x'.repeat(60)}`, /too long/);
  t.notThrows(() => opinionated({ finalizer: `${'x'.repeat(200)}/${'x'.repeat(59)}` }, {}));
});

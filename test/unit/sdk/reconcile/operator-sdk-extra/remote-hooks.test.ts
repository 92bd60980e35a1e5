import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { children } from '../../../../../sdk/reconcile/operator-sdk-extra/children.ts';
import { phases } from '../../../../../sdk/reconcile/operator-sdk-extra/phases.ts';
import { done } from '../../../../../sdk/reconcile/reconciler.ts';
import { type Parent, theParents } from '../fixtures/a-parent.ts';
import { type Thing, theRemote } from '../fixtures/a-remote.ts';

test('SDKX-4: onSuccess has what differed, what was read and the API at hand, and what earlier hooks left in the data of the pass', async (t) => {
  const { create, run } = await theParents();
  const seen: unknown[] = [];
  const { reconcile } = theRemote({
    async read({ data, object }, api) {
      data.set('etag', `of ${api}`);
      return { current: { size: 1, colour: 'red' }, wanted: object.spec.size === 1 ? { size: 2 } : {} };
    },
    async onSuccess({ api, difference, reading, data }) {
      seen.push(api, difference.needUpdate, difference.diff, reading.current, data.get('etag'));
    },
  });
  await create('a');
  await run(reconcile);
  t.deepEqual(seen, ['api', true, { size: 2 }, { size: 1, colour: 'red' }, 'of api']);
});

test('SDKX-6: onError has the API and whatever was found before the failure', async (t) => {
  const { create, remove, run } = await theParents();
  const seen: unknown[] = [];
  const failure = () => Promise.reject(new Error('no'));
  const noting = (end: Partial<Parameters<typeof theRemote>[0]>) =>
    theRemote({
      ...end,
      async onError({ api, reading, difference, data }, _error, step) {
        seen.push([step, api, reading?.wanted, difference?.needCreate, data.size]);
      },
    }).reconcile;
  await create('a');
  await t.throwsAsync(run(noting({ connect: failure })));
  await t.throwsAsync(run(noting({ read: failure })));
  await t.throwsAsync(run(noting({ diff: failure })));
  await t.throwsAsync(run(noting({ create: failure })));
  await remove();
  await t.throwsAsync(run(noting({ delete: failure })));
  t.deepEqual(seen, [
    ['connect', undefined, undefined, undefined, 0],
    ['read', 'api', undefined, undefined, 0],
    ['diff', 'api', { size: 1 }, undefined, 0],
    ['create', 'api', { size: 1 }, true, 0],
    ['delete', 'api', undefined, undefined, 0],
  ]);
});

test('SDKX-15: data belong to one pass, with the passes within it', async (t) => {
  const { create, run } = await theParents();
  const user = theRemote({
    finalizer: undefined as never,
    status: false,
    async read({ data }) {
      data.set('user', Number(data.get('user') ?? 0) + 1);
      return { current: {}, wanted: {} };
    },
  });
  const seen: unknown[] = [];
  const reconcile = phases<Parent>({
    phases: [{ name: 'User', reconcile: user.reconcile }],
    onSuccess: async ({ data }) => void seen.push(data.get('user')),
  });
  await create('a');
  await run(reconcile);
  await run(reconcile);
  t.deepEqual(seen, [1, 1]);
});

test('SDKX-15: what a first phase leaves in the data of the run is there for the children after it', async (t) => {
  const { create, run, client, key } = await theParents([ConfigMap]);
  const reconcile = phases<Parent>({
    phases: [
      {
        name: 'Read',
        async reconcile({ data, object }) {
          data.set('size', `${object?.spec.size}`);
          return done;
        },
      },
      {
        name: 'Maps',
        reconcile: children<Parent, ConfigMap>({
          kind: ConfigMap,
          wanted: ({ data }) => [{ metadata: { name: 'map' }, data: { size: `${data.get('size')}` } }],
        }),
      },
    ],
  });
  await create('a');
  await run(reconcile);
  t.deepEqual((await client.get(ConfigMap, key('map'))).data, { size: '1' });
});

test('SDKX-9: the onSuccess of a phase has what the phase has fixed', async (t) => {
  const { create, run } = await theParents();
  const outside: { thing: Thing | undefined } = { thing: undefined };
  const user = theRemote({
    name: 'user',
    finalizer: undefined as never,
    status: false,
    read: async ({ object }) => ({ current: outside.thing, wanted: { ...object.spec } }),
    async create(_context, _api, wanted) {
      outside.thing = { ...wanted, size: 7 };
    },
    async update(_context, _api, { next }) {
      outside.thing = next;
    },
  });
  const seen: unknown[] = [];
  const reconcile = phases<Parent>({
    phases: [{ name: 'User', reconcile: user.reconcile, onSuccess: async (_context, diff) => void seen.push(diff) }],
  });
  await create('a');
  for (let pass = 0; pass < 3; pass += 1) await run(reconcile);
  const none = { needCreate: false, needUpdate: false, needDelete: false };
  t.deepEqual(seen, [
    { ...none, needCreate: true, changes: [{ action: 'create', what: 'user' }] },
    { ...none, needUpdate: true, changes: [{ action: 'update', what: 'user', diff: { size: 1 } }] },
    { ...none, changes: [] },
  ]);
});

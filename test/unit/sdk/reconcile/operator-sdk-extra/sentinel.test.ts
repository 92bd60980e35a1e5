import test from 'ava';
import { ConfigMap, Secret } from '../../../../../sdk/api/kinds.ts';
import { children } from '../../../../../sdk/reconcile/operator-sdk-extra/children.ts';
import { sentinel } from '../../../../../sdk/reconcile/operator-sdk-extra/sentinel.ts';
import { done } from '../../../../../sdk/reconcile/reconciler.ts';
import { type Parent, theParents } from '../fixtures/a-parent.ts';

test('keeps children of several kinds beside an object of another owner, and never writes the object', async (t) => {
  const { client, create, run, read, key } = await theParents([ConfigMap, Secret]);
  await create('a', { finalizers: [] });
  const before = await read();
  const metadata = { name: 'beside' };
  const reconcile = sentinel<Parent>(
    children({ kind: ConfigMap, wanted: () => [{ metadata, data: { x: '1' } }] }),
    children({ kind: Secret, wanted: () => [{ metadata }] }),
  );
  t.deepEqual(await run(reconcile), done);
  t.deepEqual((await client.get(ConfigMap, key('beside'))).data, { x: '1' });
  t.is((await client.get(Secret, key('beside'))).metadata.ownerReferences?.[0]?.name, 'a');
  t.deepEqual(await read(), before);
});

test('tells a failure as an event, and fails', async (t) => {
  const { create, run, events } = await theParents();
  await create('a', { finalizers: [] });
  await t.throwsAsync(run(sentinel<Parent>(() => Promise.reject(new Error('no')))), { message: 'no' });
  t.deepEqual(events, ['Warning SentinelActionError: children: no']);
});

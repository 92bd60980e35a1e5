import test from 'ava';
import { finalizer } from '../../../../../sdk/reconcile/finalizer.ts';
import { opinionated } from '../../../../../sdk/reconcile/grafana-app-sdk/opinionated.ts';
import { pausable } from '../../../../../sdk/reconcile/pause.ts';
import { done } from '../../../../../sdk/reconcile/reconciler.ts';
import { finalizerName, Parent, theParents } from '../fixtures/a-parent.ts';
import { theRemote } from '../fixtures/a-remote.ts';

test('SDKX-2, SDKX-c2: nothing is patched on an object that is being deleted without it', async (t) => {
  const { create, remove, run, writes } = await theParents();
  const { reconcile, calls } = theRemote();
  await create('a', { finalizers: ['example.com/other'] });
  await remove();
  writes.length = 0;
  t.deepEqual(await run(reconcile), done);
  t.deepEqual([writes, calls], [[], []]);
});

test('SDKX-8: the finalizer stays while the deletion fails, and goes when it succeeds', async (t) => {
  const { create, remove, run, read, events } = await theParents();
  const ends: (Error | undefined)[] = [new Error('still in use'), undefined];
  const { reconcile, calls } = theRemote({
    async delete() {
      const end = ends.shift();
      if (end !== undefined) throw end;
    },
  });
  await create('a');
  await remove();
  await t.throwsAsync(run(reconcile), { message: 'still in use' });
  t.deepEqual(events, ['Warning ReconcilerActionError: delete: still in use']);
  t.deepEqual((await read()).metadata.finalizers, [finalizerName]);
  await run(reconcile);
  await t.throwsAsync(read(), { name: 'NotFoundError' });
  t.deepEqual(calls, ['connect', 'connect']);
});

test('SDKX-c3: what can neither be read nor compared is deleted all the same', async (t) => {
  const { create, remove, run, read } = await theParents();
  const unreadable = () => Promise.reject(new Error('unreadable'));
  const { reconcile, calls } = theRemote({ read: unreadable, diff: unreadable });
  await create('a');
  await t.throwsAsync(run(reconcile), { message: 'unreadable' });
  await remove();
  t.deepEqual(await run(reconcile), done);
  t.deepEqual(calls, ['connect', 'connect', 'delete']);
  await t.throwsAsync(read(), { name: 'NotFoundError' });
});

test('SDKX-13: an annotation keeps all hooks away, even from a deletion', async (t) => {
  const { client, create, remove, run, key } = await theParents();
  const { reconcile, calls } = theRemote();
  const ignored = pausable<Parent>({ annotations: { ignoreReconcile: 'true' }, pauseDeletion: true }, reconcile);
  await create('a');
  const value = { metadata: { annotations: { ignoreReconcile: 'true' } } };
  await client.patch(Parent, key('a'), { type: 'merge', value });
  t.deepEqual(await run(ignored), done);
  await remove();
  t.deepEqual(await run(ignored), done);
  t.deepEqual(calls, []);
});

test('SDKX-14, SDKX-c3: when the API itself is gone, a deletion has nothing left to delete', async (t) => {
  const { create, remove, run, read } = await theParents();
  const { reconcile, calls } = theRemote({ connect: async () => undefined });
  await create('a');
  await t.throwsAsync(run(reconcile), { message: 'connect: there is no API to connect to' });
  await remove();
  await run(reconcile);
  await t.throwsAsync(read(), { name: 'NotFoundError' });
  t.deepEqual(calls, []);
});

test('SDKX-8: without a finalizer nothing outside is deleted, regardless of other finalizers; around one that is kept elsewhere it is', async (t) => {
  const { create, remove, run, read } = await theParents();
  const { reconcile, calls, outside } = theRemote({ finalizer: undefined as never, status: false });
  outside.thing = { size: 1 };
  await create('a', { finalizers: [finalizerName, 'example.com/other'] });
  await remove();
  t.deepEqual(await run(reconcile), done);
  t.deepEqual([calls, outside.thing], [[], { size: 1 }]);
  t.deepEqual(await run(opinionated<Parent>({ finalizer: 'example.com/nobody' }, reconcile)), done);
  t.deepEqual(calls, []);
  t.deepEqual(await run(finalizer(finalizerName, reconcile)), done);
  t.deepEqual([calls, outside.thing], [['connect', 'delete'], undefined]);
  t.deepEqual((await read()).metadata.finalizers, ['example.com/other']);
});

test('SDKX-8: a finalizer of opinionated is one that is kept, too', async (t) => {
  const { create, remove, run, read } = await theParents();
  const { reconcile, calls } = theRemote({ finalizer: undefined as never, status: false });
  await create('a', { finalizers: [finalizerName] });
  await remove();
  await run(opinionated<Parent>({ finalizer: finalizerName }, reconcile));
  t.deepEqual(calls, ['connect', 'delete']);
  await t.throwsAsync(read(), { name: 'NotFoundError' });
});

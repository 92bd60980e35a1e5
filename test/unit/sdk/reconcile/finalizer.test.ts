import test from 'ava';
import { ConfigMap } from '../../../../sdk/api/kinds.ts';
import { finalizer } from '../../../../sdk/reconcile/finalizer.ts';
import { done, keepFinalizer, type Result, requeueAfter, stop } from '../../../../sdk/reconcile/reconciler.ts';
import { requestFor } from '../../../../sdk/reconcile/request.ts';
import { aServer } from '../a-server.ts';

const ours = 'example.com/ours';
const theirs = 'example.com/theirs';

async function guarded(finalizers: readonly string[] = []) {
  const { client, key } = await aServer();
  await client.create(ConfigMap, { metadata: { ...key('a'), finalizers } });
  const calls: string[] = [];
  const ends: (Result | Error)[] = [];
  const reconcile = finalizer<ConfigMap>(ours, async (request) => {
    calls.push(request.object?.metadata.deletionTimestamp === undefined ? 'run' : 'clean up');
    const end = ends.shift() ?? done;
    if (end instanceof Error) throw end;
    return end;
  });
  const read = () => client.get(ConfigMap, key('a'));
  return {
    client,
    key,
    calls,
    ends,
    read,
    finalizers: async () => (await read()).metadata.finalizers ?? [],
    run: async (seen?: ConfigMap) => reconcile(requestFor(ConfigMap, seen ?? (await read()), { client })),
    runGone: () => reconcile(requestFor(ConfigMap, key('a'), { client })),
    remove: () => client.delete(ConfigMap, key('a')),
  };
}

test('the finalizer is there before the first run', async (t) => {
  const { run, calls, finalizers } = await guarded([theirs]);
  t.deepEqual(await run(), { requeueAfter: 0, stop: true });
  t.deepEqual(calls, []);
  t.deepEqual(await finalizers(), [theirs, ours]);
  t.deepEqual(await run(), done);
  t.deepEqual(calls, ['run']);
});

test('the finalizer goes after a clean clean-up only, and others stay', async (t) => {
  const { run, remove, ends, calls, finalizers } = await guarded([ours, theirs]);
  await remove();
  ends.push(new Error('not yet'), keepFinalizer, stop, requeueAfter(5));
  await t.throwsAsync(run(), { message: 'not yet' });
  for (const end of [keepFinalizer, stop, requeueAfter(5)]) t.deepEqual(await run(), end);
  t.deepEqual(await finalizers(), [ours, theirs]);
  await run();
  t.deepEqual(await finalizers(), [theirs]);
  t.is(calls.length, 5);
  await run();
  t.is(calls.length, 5);
});

test('an object that is being deleted without the finalizer is none of its business', async (t) => {
  const { run, remove, calls, finalizers } = await guarded([theirs]);
  await remove();
  t.deepEqual(await run(), done);
  t.deepEqual([calls, await finalizers()], [[], [theirs]]);
});

test('an object that is gone is none of its business', async (t) => {
  const { runGone, calls } = await guarded();
  t.deepEqual(await runGone(), done);
  t.deepEqual(calls, []);
});

test('removing it from an object that is gone by then is a success', async (t) => {
  const { run, read, remove, client, key } = await guarded([ours]);
  await remove();
  const seen = await read();
  await client.patch(ConfigMap, key('a'), { type: 'merge', value: { metadata: { finalizers: null } } });
  t.deepEqual(await run(seen), done);
});

test('finalizers that others changed meanwhile are read again, and stay', async (t) => {
  const { run, read, client, key } = await guarded([]);
  const seen = await read();
  await client.patch(ConfigMap, key('a'), { type: 'merge', value: { metadata: { finalizers: [theirs] } } });
  await run(seen);
  t.deepEqual((await read()).metadata.finalizers, [theirs, ours]);
});

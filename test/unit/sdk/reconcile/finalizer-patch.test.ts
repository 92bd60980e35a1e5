import test from 'ava';
import { ConfigMap } from '../../../../sdk/api/kinds.ts';
import { RefusedError, StaleError } from '../../../../sdk/errors.ts';
import { patchFinalizers } from '../../../../sdk/reconcile/finalizer-patch.ts';
import { requestFor } from '../../../../sdk/reconcile/request.ts';
import { aServer, denyingPatches, recording } from '../a-server.ts';

const [ours, wip, x, y] = ['example.com/ours', 'example.com/wip', 'other.io/x', 'other.io/y'];

/** One ConfigMap, observed with the finalizers `seen`; other clients have changed them to `now` since. */
async function changedFrom(seen: readonly string[], now: readonly string[] | 'gone' | 'replaced') {
  const { client: plain, key, namespace } = await aServer();
  const writes: string[] = [];
  const client = recording(plain, writes);
  const make = (finalizers: readonly string[]) =>
    plain.create(ConfigMap, { metadata: { name: 'a', namespace, finalizers } });
  const set = (finalizers: readonly string[] | null) =>
    plain.patch(ConfigMap, key('a'), { type: 'merge', value: { metadata: { finalizers } } });
  const object = await make(seen);
  if (typeof now === 'string') {
    await set(null);
    await plain.delete(ConfigMap, key('a'));
    if (now === 'replaced') await make([x, ours]);
  } else await set(now);
  return {
    client,
    plain,
    key,
    set,
    writes,
    object,
    patch: (change: Parameters<typeof patchFinalizers>[2], through = client) =>
      patchFinalizers(requestFor(ConfigMap, object, { client: through }), object, change),
    finalizers: async () => (await plain.get(ConfigMap, key('a'))).metadata.finalizers ?? [],
  };
}

const cases: readonly (readonly [string, readonly string[], readonly string[], object, readonly string[]])[] = [
  ['adding appends', [x], [x], { add: [ours] }, [x, ours]],
  ['adding to what others changed appends', [], [x, y], { add: [ours] }, [x, y, ours]],
  ['removing leaves the rest', [x, ours], [x, ours], { remove: [ours] }, [x]],
  ['removing from what others reordered', [x, ours, y], [y, ours, x], { remove: [ours] }, [y, x]],
  ['removing from what others shrank', [x, y, ours], [y, ours], { remove: [ours] }, [y]],
  ['one takes the place of another', [wip, x], [wip, x], { add: [ours], remove: [wip] }, [x, ours]],
  ['one takes the place of another that is gone', [wip], [x], { add: [ours], remove: [wip] }, [x, ours]],
];
for (const [title, seen, now, change, expected] of cases)
  test(`GRAF-T12, GRAF-c2: ${title}`, async (t) => {
    const { patch, finalizers } = await changedFrom(seen, now);
    const answered = await patch(change);
    t.deepEqual(await finalizers(), expected);
    t.deepEqual(answered?.metadata.finalizers, expected);
  });

test('GRAF-T12: what is there already needs no patch', async (t) => {
  const { patch, writes } = await changedFrom([x, ours], [x, ours]);
  await patch({ add: [ours], remove: [wip] });
  await patch({ remove: [wip] });
  t.deepEqual(writes, []);
});

test('GRAF-T15, GRAF-c18: removing from what is gone, or was made anew, is a success', async (t) => {
  const gone = await changedFrom([ours], 'gone');
  t.is(await gone.patch({ remove: [ours] }), undefined);
  const replaced = await changedFrom([ours], 'replaced');
  t.is(await replaced.patch({ remove: [ours] }), undefined);
  t.deepEqual(await replaced.finalizers(), [x, ours]);
});

test('GRAF-T12: a writer that is always faster is given way to after three more tries', async (t) => {
  const { client, patch, writes, set, finalizers } = await changedFrom([], []);
  let round = 0;
  const racing = new Proxy(client, {
    get: (target, member: keyof typeof client) =>
      member !== 'patch'
        ? target[member]
        : async (...call: Parameters<typeof client.patch>) => {
            round += 1;
            await set([`other.io/n${round}`]);
            return client.patch(...call);
          },
  });
  await t.throwsAsync(patch({ add: [ours] }, racing), { instanceOf: StaleError });
  t.deepEqual(await finalizers(), ['other.io/n4']);
  t.is(writes.length, 4);
});

test('a webhook that denies the patch with 422 is not a race: its words are in the error, after one try', async (t) => {
  const { client, patch, writes } = await changedFrom([], []);
  await t.throwsAsync(patch({ add: [ours] }, denyingPatches(client)), {
    instanceOf: RefusedError,
    message: /no-changes\.example\.com/,
  });
  t.deepEqual(writes, []);
});

test('GRAF-T16: an object that is being deleted gets no finalizer', async (t) => {
  const { plain, key, patch, writes } = await changedFrom([], [x]);
  await plain.delete(ConfigMap, key('a'));
  const answered = await patch({ add: [ours] });
  t.truthy(answered?.metadata.deletionTimestamp);
  t.deepEqual(answered?.metadata.finalizers, [x]);
  t.is(writes.length, 1, 'the patch that was refused');
});

import test from 'ava';
import { operationKey } from '../../../../../sdk/host/index.ts';
import { conditionOf, mirrorAnnotation, Workspace } from '../../../../../sdk/index.ts';
import { sealedMirror } from '../../../a-seal.ts';
import { aKeeper, boxes, settled } from '../../../sdk/provider/a-keeper.ts';

const mirror = mirrorAnnotation('Boxes');

test('ids of a workspace of the same name in another cluster wait for a person', async (t) => {
  const { stage: target, party, actor } = await aKeeper('tag');
  const { metadata } = await target.create(boxes({ a: 1 }));
  const elsewhere = {
    cluster: 'another-cluster',
    uid: 'uid-there',
    refs: [{ slot: 'a', id: { id: 'box-9' }, hash: '' }],
  };
  const annotations = { [mirror]: sealedMirror(await target.read(), 'Boxes', elsewhere) };
  await target.client.patch(
    Workspace,
    { namespace: 'default', name: metadata.name },
    { type: 'merge', value: { metadata: { annotations } } },
  );
  await settled(target, actor);
  const { status, reason } = conditionOf(await target.read(), 'Boxes');
  t.is(status, 'Unknown');
  t.regex(reason, /another cluster \(another-cluster\).*uid-there/);
  t.deepEqual(party.calls, []);
});

test('nor are they used where the status came from there too', async (t) => {
  const { stage: target, party, actor } = await aKeeper('tag');
  await target.create(boxes({ a: 2 }));
  const there = {
    cluster: 'another-cluster',
    uid: 'uid-there',
    token: 7,
    refs: [{ slot: 'a', id: { id: 'box-9' }, hash: '' }],
  };
  const annotations = { [mirror]: sealedMirror(await target.read(), 'Boxes', there) };
  const of = { namespace: 'default', name: 'shop' };
  await target.client.patch(Workspace, of, { type: 'merge', value: { metadata: { annotations } } });
  const key = operationKey({ ...(await target.read()), metadata: { name: 'shop', uid: 'uid-there' } }, 'Boxes/n', 1);
  const entry = { ...{ phase: 'done', op: 'create', key, token: 7 }, holder: 'x', refs: there.refs, mirrored: 7 };
  const value = { status: { guards: { Boxes: entry } } };
  await target.client.patch(Workspace, of, { type: 'merge', value }, { subresource: 'status' });
  await settled(target, actor);
  const { status, reason } = conditionOf(await target.read(), 'Boxes');
  t.is(status, 'Unknown');
  t.regex(reason, /another cluster \(another-cluster\).*uid-there/);
  t.deepEqual(party.calls, []);
});

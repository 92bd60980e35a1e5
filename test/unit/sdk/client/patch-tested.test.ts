import test from 'ava';
import {
  add,
  NotFoundError,
  patchTested,
  RefusedError,
  StaleError,
  test as tested,
  Workspace,
} from '../../../../sdk/index.ts';
import { aTargetCluster, refusing } from '../../a-target-cluster.ts';

const key = { namespace: 'default', name: 'shop' };
const answer = { code: 422, reason: 'Invalid', message: 'admission policy "no-changes" denied request' };

test('a 422 although all tests hold is a refusal, in the words of the server', async (t) => {
  const stage = await aTargetCluster();
  const { metadata } = await stage.create();
  refusing(stage, ({ method }) => method === 'PATCH', answer);
  const operations = [
    tested('/metadata/uid', metadata.uid),
    tested('/metadata/labels', null),
    add('/metadata/labels', { a: 'b' }),
  ];
  const error = await t.throwsAsync(patchTested(stage.client, { kind: Workspace, key, operations }), {
    instanceOf: RefusedError,
  });
  t.regex(String(error?.message), /default\/shop: .*no-changes/);
});

test('a 422 because a test does not hold means that another client was faster', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const operations = [tested('/metadata/labels/a', 'b'), add('/metadata/labels/a', 'c')];
  await t.throwsAsync(patchTested(stage.client, { kind: Workspace, key, operations }), { instanceOf: StaleError });
});

test('what is not there is not there', async (t) => {
  const stage = await aTargetCluster();
  const operations = [tested('/metadata/labels', null), add('/metadata/labels', {})];
  await t.throwsAsync(patchTested(stage.client, { kind: Workspace, key, operations }), { instanceOf: NotFoundError });
});

import test from 'ava';
import { loadPreviewState, previewStateData, previewStateOf } from '../../../../integrations/previews/preview-state.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';

const state = {
  records: new Map([
    [2, { sha: 'b', since: 2 }],
    [1, { sha: 'a', since: 1, stopped: 'expired' as const }],
  ]),
  cursor: { since: 5, id: 6 },
};
const { signal } = new AbortController();

test('what is written is read again', (t) => {
  t.deepEqual(previewStateOf(previewStateData(state)), {
    ...state,
    records: new Map([...state.records].toReversed()),
  });
  t.deepEqual(previewStateOf({}), { records: new Map(), cursor: undefined });
});

test('what is not understood is forgotten', (t) => {
  const pullRequests = JSON.stringify({
    x: { sha: 'a', since: 1 },
    1: 7,
    2: { sha: 'a', since: '1' },
    3: { sha: 'c', since: 3, stopped: 'x' },
  });
  t.deepEqual(previewStateOf({ pullRequests, comments: '{"since":-1,"id":0}' }), {
    records: new Map([[3, { sha: 'c', since: 3 }]]),
    cursor: undefined,
  });
  t.deepEqual(previewStateOf({ pullRequests: '{', comments: 'null' }).records, new Map());
});

test('it survives in the cluster, is written only when it has changed, and by one process at a time', async (t) => {
  const { client } = await aTargetCluster();
  const load = () => loadPreviewState(client, { namespace: 'default', source: 'abc' }, signal);
  const [first, rival] = [await load(), await load()];
  await first.save(state);
  await t.throwsAsync(rival.save(state), { name: 'AlreadyExistsError' });
  const [second, late] = [await load(), await load()];
  await second.save(second.state);
  await second.save({ ...state, cursor: { since: 7, id: 7 } });
  await t.throwsAsync(late.save({ ...state, cursor: undefined }), { name: 'ConflictError' });
  t.deepEqual((await load()).state.cursor, { since: 7, id: 7 });
});

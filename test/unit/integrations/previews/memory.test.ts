import test from 'ava';
import { loadMemory, memoryData, memoryOf } from '../../../../integrations/previews/memory.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';

const memory = {
  records: new Map([
    [2, { sha: 'b', since: 2 }],
    [1, { sha: 'a', since: 1, stopped: 'expired' as const }],
  ]),
  cursor: { since: 5, id: 6 },
};
const { signal } = new AbortController();

test('what is written is read again', (t) => {
  t.deepEqual(memoryOf(memoryData(memory)), { ...memory, records: new Map([...memory.records].toReversed()) });
  t.deepEqual(memoryOf({}), { records: new Map(), cursor: undefined });
});

test('what is not understood is forgotten', (t) => {
  const pullRequests = JSON.stringify({
    x: { sha: 'a', since: 1 },
    1: 7,
    2: { sha: 'a', since: '1' },
    3: { sha: 'c', since: 3, stopped: 'x' },
  });
  t.deepEqual(memoryOf({ pullRequests, comments: '{"since":-1,"id":0}' }), {
    records: new Map([[3, { sha: 'c', since: 3 }]]),
    cursor: undefined,
  });
  t.deepEqual(memoryOf({ pullRequests: '{', comments: 'null' }).records, new Map());
});

test('it survives in the cluster, is written only when it has changed, and by one process at a time', async (t) => {
  const { client } = await aTargetCluster();
  const load = () => loadMemory(client, { namespace: 'default', source: 'abc' }, signal);
  const [first, rival] = [await load(), await load()];
  await first.save(memory);
  await t.throwsAsync(rival.save(memory), { name: 'AlreadyExistsError' });
  const [second, late] = [await load(), await load()];
  await second.save(second.memory);
  await second.save({ ...memory, cursor: { since: 7, id: 7 } });
  await t.throwsAsync(late.save({ ...memory, cursor: undefined }), { name: 'ConflictError' });
  t.deepEqual((await load()).memory.cursor, { since: 7, id: 7 });
});

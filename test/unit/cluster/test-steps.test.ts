import test from 'ava';
import { ConfigMap } from '../../../sdk/api/kinds.ts';
import type { KubeObject } from '../../../sdk/api/object.ts';
import { createClient } from '../../../sdk/client/http/create-client.ts';
import { createCluster, createManualClock } from '../../cluster/index.ts';
import { testSteps } from '../../cluster/test-steps.ts';

const key = { namespace: 'default', name: 'a' };

async function world() {
  const clock = createManualClock();
  const cluster = await createCluster({ clock });
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher, clock });
  const put = (data: object) => client.patch(ConfigMap, key, { type: 'merge', value: { data } });
  return { clock, client, put, kind: ConfigMap, key };
}

test('each step acts, and the next one begins when its check holds', async (t) => {
  const { put, ...options } = await world();
  const { client } = options;
  const seen: unknown[] = [];
  await testSteps({
    ...options,
    steps: [
      { name: 'absent', check: (object) => object === undefined },
      {
        name: 'create',
        act: () => client.create(ConfigMap, { metadata: key }),
        check: (object) => object !== undefined,
      },
      {
        name: 'change twice',
        act: async (object) => {
          seen.push(object?.metadata.name);
          await put({ n: '1' });
          setImmediate(() => put({ n: '2' }));
        },
        check: (object) => object?.data?.n === '2',
      },
      { name: 'delete', act: () => client.delete(ConfigMap, key), check: (object) => object === undefined },
    ],
  });
  t.deepEqual(seen, ['a']);
});

test('a step that does not come true is reported with its reason and the object', async (t) => {
  const { clock, client, put, kind } = await world();
  t.truthy(put);
  await client.create(ConfigMap, { metadata: key, data: { n: '1' } });
  const check = (): never => {
    throw new Error('expected more');
  };
  const failed = t.throwsAsync(
    testSteps({ client, kind, key, clock, deadline: 500, steps: [{ name: 'grow', check }] }),
  );
  for (let turn = 0; turn < 20; turn += 1) await clock.advance(50);
  const error = await failed;
  t.regex(error.message, /^step grow did not come true in time: expected more; last seen: \{.*"n":"1".*\}$/);
});

test('no steps at all are a mistake', async (t) => {
  const { put, ...options } = await world();
  t.truthy(put);
  await t.throwsAsync(testSteps({ ...options, steps: [] }), { instanceOf: TypeError });
});

test('a check that looks at more than the object is called without a change of it, too', async (t) => {
  const { clock, client, kind } = await world();
  await client.create(ConfigMap, { metadata: key });
  let outside = 0;
  let running = 0;
  const check = async (object: ConfigMap | undefined) => {
    t.is(running, 0, 'never twice at once');
    running += 1;
    await Promise.resolve();
    running -= 1;
    return object !== undefined && outside === 3;
  };
  const run = testSteps({ client, kind, key, clock, steps: [{ name: 'outside', check }] });
  for (let turn = 0; turn < 5; turn += 1) {
    outside += 1;
    if (outside > 3) outside = 3;
    await clock.advance(50);
  }
  await t.notThrowsAsync(run);
});

test('a check may be written for less than the kind', async (t) => {
  const { client, kind } = await world();
  const isThere = (object?: KubeObject) => object !== undefined;
  const act = () => client.create(ConfigMap, { metadata: key, data: { n: '1' } });
  const steps = [{ name: 'made', act, check: isThere }];
  await testSteps({ client, kind, key, steps });
  await testSteps({
    client,
    kind,
    key,
    steps: [
      { name: 'n', check: isThere },
      { name: 'm', check: (map) => map?.data?.n === '1' },
    ],
  });
  t.pass();
});

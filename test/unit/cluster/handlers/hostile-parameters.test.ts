import test from 'ava';
import { createCluster } from '../../../cluster/index.ts';
import { askOf } from '../fixtures/ask.ts';

const pods = '/api/v1/namespaces/default/pods';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const containers = [{ name: 'main', image: 'main' }];

test('numbers of a log request are of 64 bits', async (t) => {
  const cluster = await createCluster({ kubelet: false });
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  await ask(`POST ${pods}`, { metadata: { name: 'a' }, spec: { containers } });
  const { status, body } = await ask(`GET ${pods}/a/log?tailLines=9223372036854775808`);
  t.is(status, 400);
  t.is(body.message, 'strconv.ParseInt: parsing "9223372036854775808": value out of range');
});

test('orphanDependents=0 is false, as every boolean parameter', async (t) => {
  const cluster = await createCluster({ garbageCollector: false });
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  const template = { spec: { containers, restartPolicy: 'Never' } };
  for (const value of ['0', 'False']) {
    await ask(`POST ${jobs}`, { metadata: { name: 'a' }, spec: { template } });
    t.is((await ask(`DELETE ${jobs}/a?orphanDependents=${value}`)).status, 200);
    t.is((await ask(`GET ${jobs}/a`)).status, 404);
  }
});

test('a selector does not find the members that every object has', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  const selector = { matchExpressions: [{ key: 'constructor', operator: 'Exists' }] };
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers } };
  const answer = await ask('POST /apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'a' },
    spec: { selector, template },
  });
  t.is(answer.status, 422);
  t.regex(String(answer.body.message), /`selector` does not match template `labels`/);
});

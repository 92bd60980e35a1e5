import test from 'ava';
import { parseObjectTable } from '../../../cluster/bootstrap/system-object-table.ts';
import { createCluster, createManualClock } from '../../../cluster/index.ts';
import { askOf } from '../fixtures/ask.ts';

test('a line is a name and what is said of it in JSON, with the changes of a version', (t) => {
  const table = '\nfirst {"size":1}\nsecond {"note":"a b"}\n';
  t.deepEqual(parseObjectTable(table), [
    ['first', { size: 1 }],
    ['second', { note: 'a b' }],
  ]);
  t.deepEqual(parseObjectTable(table, { first: null, third: 'third {}' }), [
    ['second', { note: 'a b' }],
    ['third', {}],
  ]);
});

test('each served group and version has its APIService, resource.k8s.io too', async (t) => {
  const served = async (version: string): Promise<readonly string[]> => {
    const cluster = await createCluster({ version, clock: createManualClock() });
    t.teardown(() => cluster.close());
    const { body } = await askOf(cluster)('GET /apis/apiregistration.k8s.io/v1/apiservices');
    return (body.items as readonly { readonly metadata: { readonly name: string } }[]).map(
      ({ metadata }) => metadata.name,
    );
  };
  const newest = await served('1.34');
  t.is(newest.length, 21);
  t.true(newest.includes('v1.resource.k8s.io'));
  t.deepEqual(await served('1.35'), newest);
  t.deepEqual(
    await served('1.33'),
    newest.filter((name) => name !== 'v1.resource.k8s.io'),
  );
});

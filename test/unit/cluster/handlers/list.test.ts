import test from 'ava';
import { createCluster } from '../../../cluster/index.ts';
import { askOf } from '../fixtures/ask.ts';

const path = '/api/v1/namespaces/default/secrets';
const names = (body: unknown) =>
  (body as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);

async function withSecrets(count: number) {
  const cluster = await createCluster();
  const ask = askOf(cluster);
  for (let index = 0; index < count; index += 1) {
    await ask(`POST ${path}`, {
      metadata: { name: `s${index}`, labels: { parity: index % 2 ? 'odd' : 'even', n: String(index) } },
    });
  }
  return { cluster, ask };
}

test('items of built-in kinds come without kind, in the order of their names', async (t) => {
  const { cluster, ask } = await withSecrets(2);
  const { body } = await ask(`GET ${path}`);
  t.like(body, { kind: 'SecretList', metadata: { resourceVersion: String(cluster.revision) } });
  t.deepEqual(names(body), ['s0', 's1']);
  t.false('kind' in (body.items as object[])[0]!);
});

test('pages show one state, whatever is written between them', async (t) => {
  const { ask } = await withSecrets(5);
  const { body: first } = await ask(`GET ${path}?limit=2`);
  const { continue: token, resourceVersion, remainingItemCount } = first.metadata as Record<string, string>;
  t.is(Number(remainingItemCount), 3);
  await ask(`DELETE ${path}/s3`);
  await ask(`POST ${path}`, { metadata: { name: 's22' } });
  const { body: rest } = await ask(`GET ${path}?limit=9&continue=${token}`);
  t.deepEqual(names(rest), ['s2', 's3', 's4']);
  t.like(rest.metadata, { resourceVersion });
});

test('a page after compaction is 410, with a token for the rest as it is now', async (t) => {
  const { cluster, ask } = await withSecrets(3);
  const { continue: token } = (await ask(`GET ${path}?limit=1`)).body.metadata as Record<string, string>;
  await ask(`DELETE ${path}/s1`);
  cluster.compact();
  const late = await ask(`GET ${path}?limit=1&continue=${token}`);
  t.like(late, { status: 410, body: { reason: 'Expired' } });
  const { body } = await ask(`GET ${path}?continue=${(late.body.metadata as Record<string, string>).continue}`);
  t.deepEqual(names(body), ['s2']);
});

test('an exact version shows the state of then', async (t) => {
  const { cluster, ask } = await withSecrets(2);
  const then = cluster.revision;
  await ask(`DELETE ${path}/s0`);
  const { body } = await ask(`GET ${path}?resourceVersion=${then}&resourceVersionMatch=Exact`);
  t.deepEqual(names(body), ['s0', 's1']);
});

const selections: readonly (readonly [string, readonly string[]])[] = [
  ['labelSelector=parity%3Dodd', ['s1', 's3']],
  ['labelSelector=parity!%3Dodd', ['s0', 's2']],
  ['labelSelector=n+in+(1,2)', ['s1', 's2']],
  ['labelSelector=n+notin+(1,2),n', ['s0', 's3']],
  ['labelSelector=!n', []],
  ['labelSelector=n%3E1', ['s2', 's3']],
  ['fieldSelector=metadata.name%3Ds2', ['s2']],
  ['fieldSelector=metadata.name!%3Ds2,type%3DOpaque', ['s0', 's1', 's3']],
];
for (const [query, expected] of selections) {
  test(`selects by ${decodeURIComponent(query)}`, async (t) => {
    const { ask } = await withSecrets(4);
    t.deepEqual(names((await ask(`GET ${path}?${query}`)).body), expected);
  });
}

test('the source of an event is its reporter where nothing else is said', async (t) => {
  const cluster = await createCluster();
  const ask = askOf(cluster);
  const made = await ask('POST /apis/events.k8s.io/v1/namespaces/default/events', {
    metadata: { name: 'told' },
    eventTime: '2024-01-01T00:00:00.000000Z',
    type: 'Normal',
    reason: 'Told',
    action: 'Tell',
    reportingController: 'teller',
    reportingInstance: 'teller-1',
  });
  t.is(made.status, 201);
  const { body } = await ask('GET /api/v1/namespaces/default/events?fieldSelector=source%3Dteller');
  t.deepEqual(names(body), ['told']);
  await cluster.close();
});

const refusals: readonly (readonly [string, number, RegExp])[] = [
  ['labelSelector=a%20b', 400, /found 'b', expected/],
  ['fieldSelector=nope%3D1', 400, /field label not supported: nope/],
  ['limit=x', 400, /invalid syntax/],
  ['continue=abc', 400, /continue key is not valid/],
  ['resourceVersion=abc', 400, /invalid resource version/],
  ['resourceVersionMatch=Exact', 422, /forbidden unless resourceVersion is provided/],
  ['sendInitialEvents=true', 422, /forbidden for list/],
];
for (const [query, code, message] of refusals) {
  test(`refuses ${decodeURIComponent(query)}`, async (t) => {
    const { ask } = await withSecrets(0);
    const { status, body } = await ask(`GET ${path}?${query}`);
    t.is(status, code);
    t.regex(String(body.message), message);
  });
}

test('shows tables and metadata alone when asked to', async (t) => {
  const { ask } = await withSecrets(1);
  const table = await ask(`GET ${path}`, undefined, {
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  });
  t.is(table.body.kind, 'Table');
  t.is((table.body.rows as { cells: unknown[] }[])[0]!.cells[0], 's0');
  const partial = await ask(`GET ${path}`, undefined, {
    accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  });
  t.like(partial.body, { kind: 'PartialObjectMetadataList', items: [{ kind: 'PartialObjectMetadata' }] });
  t.is((await ask(`GET ${path}`, undefined, { accept: 'application/xml' })).status, 406);
});

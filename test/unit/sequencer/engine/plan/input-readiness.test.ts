import test from 'ava';
import { memoryDns } from '../../../../../integrations/memory/dns.ts';
import {
  createClient,
  defineIntegration,
  ensureCrds,
  type Integration,
  outputReferences,
  Workspace,
} from '../../../../../sdk/index.ts';
import { mistakesIn } from '../../../../../sequencer/admission/workspace-mistakes.ts';
import { maxSpecBytes, oversizeOf, readinessOf } from '../../../../../sequencer/engine/plan/input-readiness.ts';
import { orderOf } from '../../../../../sequencer/engine/plan/order.ts';
import { createSequencer } from '../../../../../sequencer/index.ts';
import { createCluster } from '../../../../cluster/index.ts';
import { aWorkspace, type WorkspaceFixture } from '../../../a-workspace.ts';

/** An integration with the output `host`, which uses what the spec says in `integrations.<name>`. */
const integration = (name: string, condition: string, more: Partial<Integration> = {}): Integration =>
  defineIntegration({
    name,
    condition,
    outputs: { host: { description: 'its host' } },
    references: ({ spec }) => outputReferences(spec.integrations?.[name]),
    handles: ({ spec }) => spec.integrations?.[name] !== undefined,
    connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
    ...more,
  });

const web = integration('web', 'Web');
const all = [web, integration('pg', 'Database'), integration('s3', 'Bucket', { after: ['Database'], outputs: {} })];
const using = (text: string, more: object = {}) => ({ integrations: { pg: '', web: text, ...more } });

function readiness(fixture: WorkspaceFixture, subject = web) {
  const workspace: Workspace = aWorkspace(fixture);
  const candidates = all.filter(({ handles }) => handles(workspace));
  const order = orderOf(workspace, candidates);
  return readinessOf(workspace, subject, { integrations: all, candidates, order });
}
const reason = (text: string, more: object = {}): string => {
  const result = readiness({ spec: using(text, more) });
  return result.kind === 'blocked' ? `${result.status}: ${result.reason}` : result.kind;
};
const host = { Database: { values: { host: 'db' } } };

test('what is not there yet is waited for; what is there, until its condition is settled', (t) => {
  t.is(reason('${outputs::Database.host}'), 'Waiting: waits for Database.host');
  const spec = using('${outputs::Database.host}');
  t.deepEqual(readiness({ spec, status: { outputs: host } }), { kind: 'waits' });
  t.deepEqual(readiness({ spec, status: { outputs: host }, conditions: { Database: 'Completed' } }), { kind: 'ready' });
  t.deepEqual(readiness({ spec: using('no reference') }), { kind: 'ready' });
});

test('what can never be is an error at once, which says what there is', (t) => {
  t.regex(
    reason('${outputs::Databse.host}'),
    /^Error: Databse\.host: no integration is registered for condition Databse; known are Web, Database$/,
  );
  t.regex(
    reason('${outputs::Database.port}'),
    /^Error: Database\.port: integration "pg" declares no output port; known are host$/,
  );
  t.regex(reason('${outputs::Bucket.url}', { s3: '' }), /"s3" declares no output url; it declares none/);
  t.regex(reason('${outputs::Bucket.url}'), /this workspace asks for no Bucket/);
  t.regex(reason('${outputs::Database}'), /^Error: \$\{outputs::Database\} must read \$\{outputs::CONDITION\.NAME\}$/);
  t.regex(reason('${outputs::Web.host}'), /in a circle: Web after Web$/);
});

test('a circle of outputs, or of outputs and after, is reported with its members', (t) => {
  t.regex(
    reason('${outputs::Database.host}', { pg: '${outputs::Web.host}' }),
    /^Error: .*in a circle: Web after Database after Web$/,
  );
  const s3 = all[2]!;
  const spec = using('', { s3: '${outputs::Database.host}', pg: '${outputs::Bucket.url}' });
  t.regex(JSON.stringify(readiness({ spec, status: { outputs: host } }, s3)), /Bucket after Database after Bucket/);
});

test('references that fail, or are too many, are an error of that condition', (t) => {
  const failing = (references: Integration['references']) =>
    readiness({ spec: using('') }, { ...web, references } as Integration);
  t.like(
    failing(() => {
      throw new Error('no such member');
    }),
    {
      kind: 'blocked',
      status: 'Error',
      reason: 'integration "web" (condition Web): references must not throw; it threw no such member',
    },
  );
  t.like(failing((() => 'Database.host') as never), {
    kind: 'blocked',
    reason:
      'integration "web" (condition Web): references must return an array of texts like Condition.name; found "Database.host"',
  });
  t.like(
    failing(() => Array.from({ length: 257 }, () => 'Database.host')),
    {
      kind: 'blocked',
      reason: 'integration "web" (condition Web): references must return at most 256 outputs; found 257',
    },
  );
});

test('reads and uniqueNames that answer what they cannot are an error of that condition, by their name', (t) => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  for (const [members, reason] of [
    [{ reads: () => cycle }, 'reads must return plain JSON; found an object of more than 64 levels'],
    [{ reads: async () => Promise.reject(new Error('late')) }, 'reads must return plain JSON; found a Promise'],
    [
      {
        uniqueNames: () => {
          throw 'no'; // what a plug-in may throw
        },
      },
      'uniqueNames must not throw; it threw no',
    ],
    [
      { uniqueNames: async () => Promise.reject(new Error('late')) },
      'uniqueNames must return an array of texts; found a Promise',
    ],
    [{ uniqueNames: () => undefined }, 'uniqueNames must return an array of texts; found undefined'],
    [{ uniqueNames: () => ['a', 7] }, 'uniqueNames: name 1 must be text of 1 to 1024 characters; found 7'],
    [
      { uniqueNames: () => Array.from({ length: 257 }, String) },
      'uniqueNames must return at most 256 names; found 257',
    ],
  ] as const)
    t.like(readiness({ spec: {} }, { ...web, references: () => [], ...members } as never), {
      kind: 'blocked',
      status: 'Error',
      reason: `integration "web" (condition Web): ${reason}`,
    });
  t.like(readiness({ spec: {} }, { ...web, references: () => [], uniqueNames: () => ['a'] }), { kind: 'ready' });
});

test('what validate finds is an error with its fields, before outputs are there; one that throws is an error without', (t) => {
  const fields = [
    { field: 'spec.a', message: 'a is wrong' },
    { field: 'spec.b', message: 'b too' },
  ];
  const validating = (validate: Integration['validate']) =>
    readiness({ spec: using('${outputs::Database.host}') }, { ...web, validate } as Integration);
  t.deepEqual(
    validating(() => fields),
    { kind: 'blocked', status: 'Error', reason: 'a is wrong; b too', fields },
  );
  t.like(
    validating(() => []),
    { kind: 'blocked', status: 'Waiting' },
  );
  const failed = validating(() => {
    throw new Error('a bug');
  });
  t.regex(failed.kind === 'blocked' ? failed.reason : '', /validate must not throw; it threw a bug/);
  t.false('fields' in failed);
});

test('what is settled for this generation is not validated again', (t) => {
  const validate = () => [{ field: 'spec.a', message: 'a is wrong' }];
  const of = (status: 'Completed' | 'Error') =>
    readiness({ spec: using(''), conditions: { Web: status } }, { ...web, validate }).kind;
  t.deepEqual([of('Completed'), of('Error')], ['ready', 'blocked']);
});

const dns = { networking: { dns: { zone: 'example.com' } } };
/** A spec that takes this many bytes of JSON. */
const ofSize = (bytes: number) => {
  const spec = (pad: string) => ({ ...dns, integrations: { pad } as object });
  return spec('x'.repeat(bytes - Buffer.byteLength(JSON.stringify(spec('')))));
};

test('a spec that leaves room for its status is fine, one byte more is reported with its size', (t) => {
  t.is(oversizeOf({ spec: ofSize(maxSpecBytes) as never }), undefined);
  const told = oversizeOf({ spec: ofSize(maxSpecBytes + 1) as never });
  t.is(told?.field, 'spec');
  t.regex(
    told?.message ?? '',
    /^spec: takes 1048577 bytes of JSON, and 1048576 at most leave room .*: make it smaller/,
  );
});

test('characters are counted as they are stored', (t) => {
  const spec = { integrations: { pad: '界'.repeat(maxSpecBytes / 3) } };
  t.truthy(oversizeOf({ spec: spec as never }));
});

test('the webhook refuses it, and the walk makes nothing outside for it and lets it go', async (t) => {
  const spec = ofSize(maxSpecBytes + 10) as never;
  const made: string[] = [];
  const integration = memoryDns();
  const watched = {
    ...integration,
    connect: (...args: Parameters<typeof integration.connect>) => {
      made.push('connected');
      return integration.connect(...args);
    },
  };
  t.regex(mistakesIn(aWorkspace({ spec }), [watched]).errors[0]?.message ?? '', /^takes 1048586 bytes of JSON/);

  const cluster = await createCluster({ kubelet: false });
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Workspace]);
  const stop = new AbortController();
  const running = createSequencer({ client, integrations: [watched] }).run(stop.signal);
  const key = { namespace: 'default', name: 'large' };
  await client.create(Workspace, { metadata: key, spec });
  for await (const event of client.watch(Workspace)) {
    if (event.type === 'DELETED') break;
    if (event.type === 'BOOKMARK') continue;
    const condition = event.object.status?.conditions?.find(({ type }) => type === 'DNS');
    if (condition?.status !== 'Error' || event.object.metadata.deletionTimestamp !== undefined) continue;
    t.regex(condition.reason, /^spec: takes 1048586 bytes/);
    t.deepEqual(made, []);
    await client.delete(Workspace, key);
  }
  stop.abort();
  await running;
  await client.close();
  await cluster.close();
});

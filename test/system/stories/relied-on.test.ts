// Assumptions of the guard about the API server (docs/guard.md, "What it assumes"), each on each server.
import test from 'ava';
import type { Workspace } from '../../../sdk/index.ts';
import type { ApiRequest, WatchLine } from '../real/api.ts';
import { connectTo } from './sequencing.ts';
import { type StoryServer, startServersUnderTest } from './servers.ts';

const workspaces = '/apis/se.quencer.io/v1alpha1/namespaces/default/workspaces';
const configMaps = '/api/v1/namespaces/default/configmaps';
const refusal = 'the server rejected our request due to an error in our request';

interface Operation {
  readonly op: 'test' | 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

const spec = { components: [{ name: 'db', networks: [{ name: 'sql', port: 5432, targetPort: 5432 }], template: {} }] };
const entry = { phase: 'done', op: 'create', key: 'k', token: 7, holder: 'h', input: { names: [{ a: 1, b: 'x' }] } };
const condition = { type: 'DNS', status: 'Completed', reason: 'r', lastTransitionTime: '2026-01-01T00:00:00Z' };
const walked = { phase: 'Healthy', observedGeneration: 1, guards: { DNS: entry }, conditions: [condition] };

/** Plain requests about the workspace of a test. */
function about({ api }: StoryServer, name: string) {
  const path = `${workspaces}/${name}`;
  const send = async (method: 'PATCH' | 'GET' | 'DELETE', request: Partial<ApiRequest> = {}) => {
    const answer = await api.ask({ path, ...request, method });
    return { code: answer.status, body: answer.body as Workspace & { readonly message?: string } };
  };
  const status = { path: `${path}/status` };
  const contentType = 'application/json-patch+json';
  return {
    /** Creates it with a finalizer, a spec and a status. */
    async make(): Promise<Workspace> {
      const metadata = { name, finalizers: ['se.quencer.io/a', 'se.quencer.io/b'], annotations: { note: 'n' } };
      await api.ask({
        method: 'POST',
        path: workspaces,
        body: { apiVersion: 'se.quencer.io/v1alpha1', kind: 'Workspace', metadata, spec },
      });
      return (await send('PATCH', { ...status, body: { status: walked } })).body;
    },
    get: () => send('GET'),
    delete: () => send('DELETE'),
    patch: (body: readonly Operation[]) => send('PATCH', { contentType, body }),
    patchStatus: (body: readonly Operation[]) => send('PATCH', { ...status, contentType, body }),
    merge: (body: object) => send('PATCH', { body }),
    mergeStatus: (body: object) => send('PATCH', { ...status, body }),
  };
}

const testOf = (path: string, value: unknown): Operation => ({ op: 'test', path, value });

const servers = await startServersUnderTest();
const clients = await Promise.all(servers.map(connectTo));

for (const [index, server] of servers.entries()) {
  const { name, api } = server;
  test.after.always(`${name} stops`, async () => {
    await clients[index]!.close();
    await server.close();
  });

  test(`${name}: a test holds of metadata, spec and status, in patches of the object and of its status`, async (t) => {
    const shop = about(server, 'tested');
    const { metadata, spec: defaulted } = await shop.make();
    const tests = [
      testOf('/metadata/uid', metadata.uid),
      testOf('/metadata/generation', 1),
      testOf('/metadata/finalizers/1', 'se.quencer.io/b'),
      testOf('/metadata/finalizers', ['se.quencer.io/a', 'se.quencer.io/b']),
      testOf('/spec/components/0/networks/0/port', 5432),
      testOf('/spec', defaulted),
      testOf('/status/phase', 'Healthy'),
      testOf('/status/guards/DNS/token', 7),
      testOf('/status/guards/DNS', entry),
      testOf('/status/conditions/0/type', 'DNS'),
    ];
    for (const patch of [shop.patch, shop.patchStatus])
      for (const holds of tests) t.is((await patch([holds])).code, 200, holds.path);
    const wrong = [
      testOf('/metadata/uid', 'other'),
      testOf('/metadata/generation', 2),
      testOf('/metadata/finalizers', ['se.quencer.io/b', 'se.quencer.io/a']),
      testOf('/spec/components/0/networks/0/port', '5432'),
      testOf('/status/guards/DNS/token', 8),
      testOf('/status/guards/DNS', { ...entry, token: 8 }),
      testOf('/status/guards/DNS', { ...entry, input: { names: [{ a: 1, b: 'y' }] } }),
    ];
    for (const patch of [shop.patch, shop.patchStatus])
      for (const fails of wrong) t.is((await patch([fails])).code, 422, fails.path);
  });

  test(`${name}: objects compare whatever the order of their members`, async (t) => {
    const shop = about(server, 'ordered');
    await shop.make();
    const turned = Object.fromEntries(Object.entries(entry).reverse());
    t.is((await shop.patchStatus([testOf('/status/guards/DNS', turned)])).code, 200);
  });

  test(`${name}: an absent member is null, but not below an absent parent`, async (t) => {
    const shop = about(server, 'absent');
    await shop.make();
    for (const path of [
      '/metadata/deletionTimestamp',
      '/status/host',
      '/status/guards/Ingress',
      '/status/guards/DNS/late',
    ])
      t.is((await shop.patchStatus([testOf(path, null)])).code, 200, path);
    for (const path of ['/status/guards/Ingress/token', '/status/tunnel/meta', '/metadata/labels/a'])
      t.is((await shop.patchStatus([testOf(path, null)])).code, 422, path);
  });

  test(`${name}: a failed test and a missing path are refused in the same words, without details`, async (t) => {
    const shop = about(server, 'refused');
    await shop.make();
    const operations: readonly Operation[] = [
      testOf('/status/phase', 'Error'),
      { op: 'remove', path: '/status/host' },
      { op: 'replace', path: '/status/guards/Ingress/token', value: 1 },
    ];
    for (const operation of operations) {
      const { code, body } = await shop.patchStatus([operation]);
      t.is(code, 422, operation.path);
      t.like(body, { reason: 'Invalid', message: refusal });
      t.deepEqual((body as { details?: object }).details ?? {}, {});
    }
  });

  test(`${name}: another resourceVersion written by a patch is a conflict`, async (t) => {
    const shop = about(server, 'conflicting');
    const { metadata } = await shop.make();
    const label: Operation = { op: 'add', path: '/metadata/labels', value: { a: 'b' } };
    const version = (value: string): Operation => ({ op: 'replace', path: '/metadata/resourceVersion', value });
    const { code, body } = await shop.patch([version(String(Number(metadata.resourceVersion) - 1)), label]);
    t.is(code, 409);
    t.like(body, { reason: 'Conflict' });
    t.is((await shop.patch([version(metadata.resourceVersion!), label])).code, 200);
  });

  test(`${name}: a patch of the status leaves metadata and spec alone, finalizers too`, async (t) => {
    const shop = about(server, 'status-only');
    const made = await shop.make();
    const value = {
      metadata: { finalizers: ['se.quencer.io/c'], annotations: { note: 'm' }, labels: { a: 'b' } },
      spec: { components: [] },
      status: { phase: 'Error' },
    };
    const { code, body } = await shop.mergeStatus(value);
    t.is(code, 200);
    t.deepEqual(body.spec, made.spec);
    const { finalizers, annotations, labels, generation } = body.metadata;
    t.deepEqual(
      { finalizers, annotations, labels, generation },
      { finalizers: made.metadata.finalizers, annotations: { note: 'n' }, labels: undefined, generation: 1 },
    );
    t.is(body.status?.phase, 'Error');
  });

  test(`${name}: a patch of the object leaves its status alone`, async (t) => {
    const shop = about(server, 'main-only');
    const made = await shop.make();
    const { code, body } = await shop.merge({ spec: { components: [] }, status: { phase: 'Error', guards: null } });
    t.is(code, 200);
    t.deepEqual(body.status, made.status);
    t.is(body.metadata.generation, 2);
  });

  test(`${name}: a patch that changes nothing keeps the resourceVersion, and no watch tells of it`, async (t) => {
    const shop = about(server, 'unchanged');
    const { metadata } = await shop.make();
    const version = metadata.resourceVersion!;
    t.is((await shop.mergeStatus({ status: { phase: 'Healthy' } })).body.metadata.resourceVersion, version);
    t.is((await shop.merge({ metadata: { annotations: { note: 'n' } } })).body.metadata.resourceVersion, version);
    const changed = (await shop.merge({ metadata: { annotations: { note: 'm' } } })).body.metadata.resourceVersion;

    const watch = `${workspaces}?watch=true&fieldSelector=metadata.name%3Dunchanged&resourceVersion=${version}`;
    let first: WatchLine | undefined;
    for await (const line of api.watch(watch, AbortSignal.timeout(20_000))) {
      first = line;
      break;
    }
    t.like(first, { type: 'MODIFIED', object: { metadata: { resourceVersion: changed } } });
  });

  test(`${name}: a deletion bumps the generation, and takes no new finalizers`, async (t) => {
    const shop = about(server, 'deleting');
    await shop.make();
    t.is((await shop.delete()).code, 200);
    const { body } = await shop.get();
    t.truthy(body.metadata.deletionTimestamp);
    t.is(body.metadata.generation, 2);
    const { code } = await shop.patch([{ op: 'add', path: '/metadata/finalizers/-', value: 'se.quencer.io/c' }]);
    t.is(code, 422);
  });

  test(`${name}: with its last finalizer an object goes, and later writes find nothing`, async (t) => {
    const shop = about(server, 'released');
    await shop.make();
    await shop.delete();
    t.is((await shop.patch([{ op: 'remove', path: '/metadata/finalizers/1' }])).code, 200);
    const last = await shop.patch([
      testOf('/status/guards/DNS/phase', 'done'),
      { op: 'remove', path: '/metadata/finalizers/0' },
    ]);
    t.is(last.code, 200);
    t.is(last.body.metadata.name, 'released');
    t.is((await shop.get()).code, 404);
    t.is((await shop.mergeStatus({ status: { phase: 'Error' } })).code, 404);
    t.is((await shop.merge({ metadata: { labels: { a: 'b' } } })).code, 404);
    t.is((await shop.delete()).code, 404);
  });

  test(`${name}: one counter gives versions to all kinds, and they compare as integers`, async (t) => {
    const versions: bigint[] = [];
    for (const nth of [1, 2, 3]) {
      const { metadata } = await about(server, `counted-${nth}`).make();
      const made = await api.ask({ method: 'POST', path: configMaps, body: { metadata: { name: `counted-${nth}` } } });
      const { resourceVersion } = (made.body as Workspace).metadata;
      versions.push(BigInt(metadata.resourceVersion!), BigInt(resourceVersion!));
    }
    t.deepEqual(
      versions.toSorted((a, b) => (a < b ? -1 : 1)),
      versions,
    );
    t.is(new Set(versions).size, versions.length);
  });

  test(`${name}: annotations hold 262144 bytes in all`, async (t) => {
    const shop = about(server, 'annotated');
    await shop.make();
    const most = 262_144 - 'note'.length - 'other'.length - 'n'.length;
    const fits = await shop.merge({ metadata: { annotations: { other: 'x'.repeat(most) } } });
    t.is(fits.code, 200);
    const more = await shop.merge({ metadata: { annotations: { other: 'x'.repeat(most + 1) } } });
    t.is(more.code, 422);
    t.regex(more.body.message ?? '', /annotations: Too long/);
  });
}

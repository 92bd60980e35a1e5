/** Stories of the client that run against every server. */

import { randomUUID } from 'node:crypto';
import type { ExecutionContext, TestFn } from 'ava';
import { ConfigMap, Namespace, Pod, Service } from '../../../../sdk/api/kinds.ts';
import type { Client } from '../../../../sdk/client/client.ts';
import {
  AlreadyExistsError,
  ConflictError,
  ExpiredError,
  InvalidError,
  NotFoundError,
} from '../../../../sdk/errors.ts';

/** An administrator's client, with a function that closes it and its server. */
export interface Subject {
  readonly client: Client;
  close(): Promise<void>;
}

type Story = (t: ExecutionContext, client: Client, namespace: string) => Promise<void>;

const createAndGet: Story = async (t, client, namespace) => {
  const made = await client.create(ConfigMap, { metadata: { namespace, name: 'a' }, data: { key: 'value' } });
  t.is(made.kind, 'ConfigMap');
  t.truthy(made.metadata.uid);
  t.deepEqual(await client.get(ConfigMap, { namespace, name: 'a' }), made);
  t.true(Object.isFrozen(made.data));
  const again = client.create(ConfigMap, { metadata: { namespace, name: 'a' } });
  await t.throwsAsync(again, { instanceOf: AlreadyExistsError });
  const missing = client.get(ConfigMap, { namespace, name: 'b' });
  const error = await t.throwsAsync(missing, { instanceOf: NotFoundError });
  t.is(error.status.details?.name, 'b');
};

const generatedNames: Story = async (t, client, namespace) => {
  const made = await client.create(ConfigMap, { metadata: { namespace, generateName: 'a-' } });
  t.regex(made.metadata.name, /^a-.+/);
};

const dryRun: Story = async (t, client, namespace) => {
  const made = await client.create(ConfigMap, { metadata: { namespace, name: 'a' } }, { dryRun: true });
  t.is(made.metadata.name, 'a');
  await t.throwsAsync(client.get(ConfigMap, { namespace, name: 'a' }), { instanceOf: NotFoundError });
};

const pages: Story = async (t, client, namespace) => {
  const names = Array.from({ length: 7 }, (_, nth) => `c${nth}`);
  for (const name of names) {
    const labels = { parity: Number(name.slice(1)) % 2 === 0 ? 'even' : 'odd' };
    await client.create(ConfigMap, { metadata: { namespace, name, labels } });
  }
  const all = await client.list(ConfigMap, { namespace, labels: 'parity', pageSize: 3 });
  t.deepEqual(
    all.items.map(({ kind, apiVersion, metadata }) => `${apiVersion} ${kind} ${metadata.name}`),
    names.map((name) => `v1 ConfigMap ${name}`),
  );
  t.regex(all.resourceVersion, /^\d+$/);
  const odd = await client.list(ConfigMap, { namespace, labels: 'parity=odd' });
  t.deepEqual(
    odd.items.map(({ metadata }) => metadata.name),
    ['c1', 'c3', 'c5'],
  );
  const one = await client.list(ConfigMap, { fields: `metadata.name=c4,metadata.namespace=${namespace}` });
  t.is(one.items.length, 1);
};

const replace: Story = async (t, client, namespace) => {
  const first = await client.create(ConfigMap, { metadata: { namespace, name: 'a' }, data: { key: '1' } });
  const second = await client.update(ConfigMap, { ...first, data: { key: '2' } });
  t.deepEqual(second.data, { key: '2' });
  await t.throwsAsync(client.update(ConfigMap, { ...first, data: { key: '3' } }), { instanceOf: ConflictError });
};

const patches: Story = async (t, client, namespace) => {
  const key = { namespace, name: 'a' };
  const { metadata } = await client.create(ConfigMap, { metadata: key, data: { key: '1' } });
  const merged = await client.patch(ConfigMap, key, { type: 'merge', value: { data: { more: '2' } } });
  t.deepEqual(merged.data, { key: '1', more: '2' });
  const operations = [
    { op: 'test', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
    { op: 'remove', path: '/data/key' },
  ] as const;
  await t.throwsAsync(client.patch(ConfigMap, key, { type: 'json', operations }), { instanceOf: InvalidError });
  const patched = await client.patch(ConfigMap, key, { type: 'json', operations: operations.slice(1) });
  t.deepEqual(patched.data, { more: '2' });
};

const anyKey = 'key';
const anyText = 'GET https://example.test/?a=1&b=<c>: \u2028\u2029 \u007f\u0085 "\\/" 😀';

const texts: Story = async (t, client, namespace) => {
  const key = { namespace, name: 'a' };
  const { data } = await client.create(ConfigMap, { metadata: key, data: { [anyKey]: anyText } });
  t.deepEqual(data, { [anyKey]: anyText });
  const operations = [
    { op: 'test', path: '/data', value: data },
    { op: 'test', path: `/data/${anyKey}`, value: anyText },
    { op: 'add', path: '/data/more', value: anyText },
    { op: 'test', path: '/data/more', value: anyText },
  ] as const;
  const patched = await client.patch(ConfigMap, key, { type: 'json', operations });
  t.deepEqual(patched.data, { [anyKey]: anyText, more: anyText });
  const value = { data: { applied: `${anyText}\u009f\uffff\ud800` } };
  const applied = await client.patch(ConfigMap, key, { type: 'apply', value });
  t.is(applied.data?.applied, `${anyText}\u009f\uffff\ufffd`);
};

const metadataOnly: Story = async (t, client, namespace) => {
  const key = { namespace, name: 'a' };
  await client.create(ConfigMap, { metadata: key, data: { key: '1' } });
  const patch = { type: 'merge', value: { data: { key: '2' } } } as const;
  const answered = await client.patch(ConfigMap, key, patch, { answer: 'metadata' });
  t.is(answered.kind, 'ConfigMap');
  t.false('data' in answered);
  const stored = await client.get(ConfigMap, key);
  t.is(answered.metadata.resourceVersion, stored.metadata.resourceVersion);
  t.deepEqual(stored.data, { key: '2' });
};

const statusOnly: Story = async (t, client, namespace) => {
  const key = { namespace, name: 'a' };
  const spec = { type: 'LoadBalancer', ports: [{ port: 80 }] } as unknown as NonNullable<Service['spec']>;
  await client.create(Service, { metadata: key, spec });
  const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
  const value = { metadata: { labels: { not: 'taken' } }, status };
  const answered = await client.patch(Service, key, { type: 'merge', value }, { subresource: 'status' });
  t.like(answered.status?.loadBalancer, { ingress: [{ ip: '192.0.2.1' }] });
};

const deletion: Story = async (t, client, namespace) => {
  const key = { namespace, name: 'a' };
  t.is(await client.delete(ConfigMap, key), 'gone', 'what was never there');
  const { metadata } = await client.create(ConfigMap, { metadata: { ...key, finalizers: ['example.com/held'] } });
  const other = { preconditions: { uid: randomUUID() } };
  await t.throwsAsync(client.delete(ConfigMap, key, other), { instanceOf: ConflictError });
  const ours = { preconditions: { uid: metadata.uid ?? '' } };
  t.is(await client.delete(ConfigMap, key, ours), 'deleting');
  await client.patch(ConfigMap, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  await t.throwsAsync(client.get(ConfigMap, key), { instanceOf: NotFoundError });
  await client.create(Service, { metadata: key, spec: { ports: [{ port: 80 }] } } as Parameters<
    typeof client.create<Service>
  >[1]);
  t.is(await client.delete(Service, key), 'gone', 'whose delete answers with the object');
  t.is(await client.delete(Namespace, { name: namespace }), 'deleting');
};

const watching: Story = async (t, client, namespace) => {
  const key = { namespace, name: 'a' };
  const { resourceVersion } = await client.list(ConfigMap, { namespace, fields: 'metadata.name=a' });
  await client.create(ConfigMap, { metadata: key });
  await client.patch(ConfigMap, key, { type: 'merge', value: { data: { key: '1' } } });
  await client.delete(ConfigMap, key);
  const seen: string[] = [];
  for await (const event of client.watch(ConfigMap, { namespace, fields: 'metadata.name=a', resourceVersion })) {
    if (event.type !== 'BOOKMARK') seen.push(`${event.type} ${event.object.kind} ${event.object.data?.key ?? ''}`);
    if (event.type === 'DELETED') break;
  }
  t.deepEqual(seen, ['ADDED ConfigMap ', 'MODIFIED ConfigMap 1', 'DELETED ConfigMap 1']);
};

const streamingList: Story = async (t, client, namespace) => {
  await client.create(ConfigMap, { metadata: { namespace, name: 'a' } });
  const seen: string[] = [];
  const selection = { namespace, fields: 'metadata.name=a', sendInitialEvents: true };
  for await (const event of client.watch(ConfigMap, selection)) {
    seen.push(event.type === 'BOOKMARK' ? `end ${event.initialEventsEnd}` : event.object.metadata.name);
    if (event.type === 'BOOKMARK') break;
  }
  t.deepEqual(seen, ['a', 'end true']);
};

const unknownKind: Story = async (t, client, namespace) => {
  const kind = { ...Pod, group: 'example.com', plural: 'nothings' };
  await t.throwsAsync(client.list(kind, { namespace }), { instanceOf: NotFoundError });
  await t.throwsAsync(
    async () => {
      for await (const _ of client.watch(kind, { namespace })) t.fail();
    },
    { instanceOf: NotFoundError },
  );
};

const rawPaths: Story = async (t, client) => {
  t.like(await client.raw('GET', '/version'), { major: '1' });
  t.is(await client.raw('GET', '/readyz'), 'ok');
};

const stories: Readonly<Record<string, Story>> = {
  'creates an object and gets it': createAndGet,
  'has the server make up a name': generatedNames,
  'stores nothing in a dry run': dryRun,
  'reads all pages of a list, with selectors': pages,
  'replaces an object, but never a newer one': replace,
  'patches what holds, by merge and by JSON patch': patches,
  'tests and writes any text': texts,
  'asks for metadata only where that is enough': metadataOnly,
  'patches a status': statusOnly,
  'deletes, and says whether something is still there': deletion,
  'watches from a version on': watching,
  'watches a streaming list': streamingList,
  'says when the server does not know a kind': unknownKind,
  'asks for any path': rawPaths,
};

/** Stories of every client and every server. `test` is passed in; one server serves all stories, each in a namespace of its own. */
export function tellClientStory(test: TestFn, name: string, start: () => Promise<Subject>): void {
  let starting: Promise<Subject> | undefined;
  test.after.always(async () => (await starting)?.close());
  for (const [title, story] of Object.entries(stories))
    test(`${name}: ${title}`, async (t) => {
      starting ??= start();
      const { client } = await starting;
      const namespace = `story-${randomUUID().slice(0, 8)}`;
      await client.create(Namespace, { metadata: { name: namespace } });
      await story(t, client, namespace);
    });
}

/** Story for servers with a history that can be compacted on demand. */
export async function expires(t: ExecutionContext, client: Client, forget: () => Promise<void> | void): Promise<void> {
  const { resourceVersion } = await client.list(ConfigMap);
  await client.create(ConfigMap, { metadata: { namespace: 'default', name: `one-${randomUUID()}` } });
  await forget();
  await t.throwsAsync(
    async () => {
      for await (const _ of client.watch(ConfigMap, { resourceVersion })) return;
    },
    { instanceOf: ExpiredError },
  );
}

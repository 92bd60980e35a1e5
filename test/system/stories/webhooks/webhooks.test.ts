import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { z } from 'zod';
import {
  ApiError,
  type Client,
  defineKind,
  ensureCrds,
  InvalidError,
  type Kind,
  type KubeObject,
} from '../../../../sdk/index.ts';
import { converter, defaulter, spoke, validator, type Webhook } from '../../../../sdk/webhooks/index.ts';
import { until } from '../../real/until.ts';
import { startClientsUnderTest } from '../servers.ts';
import { serveWebhooks } from './webhook-servers.ts';

const servers = await startClientsUnderTest();
test.after.always(() => Promise.all(servers.map((server) => server.close())));

interface Site extends KubeObject {
  readonly spec: { readonly hosts: readonly string[]; readonly replicas?: number; readonly notes?: string };
}
interface OldSite extends KubeObject {
  readonly spec: { readonly host: string };
}

/** Makes a kind of two versions in a group of its own, so that tests do not see each other's webhooks. */
function aKind() {
  const group = `${randomUUID().slice(0, 8)}.example.com`;
  const of = <T extends KubeObject>(version: string, spec: z.ZodObject): Kind<T> =>
    defineKind<T>({ group, version, kind: 'Site', schema: () => z.object({ spec }) });
  const hosts = z.array(z.string());
  const current = of<Site>('v2', z.object({ hosts, replicas: z.number().optional(), notes: z.string().optional() }));
  return { group, current, old: of<OldSite>('v1', z.object({ host: z.string() })) };
}

const key = (name: string) => ({ namespace: 'default', name });
const creatorOf =
  (client: Client, kind: Kind<Site>, dryRun = false) =>
  (name: string, spec: Site['spec']) =>
    client.create(kind, { metadata: key(name), spec }, { dryRun });

/** Serves webhooks of a kind that is served. */
async function served(t: ExecutionContext, client: Client, make: (kind: Kind<Site>) => readonly Webhook[]) {
  const { group, current: kind } = aKind();
  await ensureCrds(client, [kind]);
  const name = group.split('.')[0]!;
  const webhooks = make(kind);
  const server = await serveWebhooks(t, { client, name: `w-${name}`, webhooks });
  return { kind, ...server };
}

/** Waits until a webhook is called: API servers take up configurations a moment later. */
const untilCalled = (isCalled: () => Promise<boolean>) =>
  until(async () => (await isCalled()) || undefined, { message: (error) => `not called within a minute (${error})` });

for (const { name: server, client } of servers) {
  test(`${server}: objects are defaulted, then validated, and mistakes name their fields`, async (t) => {
    const seen: unknown[] = [];
    const { kind } = await served(t, client, (site) => [
      defaulter(site, ({ spec }) => {
        spec.replicas ??= 2;
      }),
      validator(site, ({ spec }, { old, operation, dryRun, user }) => {
        seen.push({ operation, dryRun, isUpdate: old !== undefined, user: user.username !== '' });
        const errors = spec.hosts.flatMap((host, index) =>
          host.includes('.') ? [] : [{ field: `spec.hosts[${index}]`, message: `${host} has no domain` }],
        );
        return { errors, warnings: spec.hosts.length === 0 ? ['there is no host'] : [] };
      }),
    ]);
    const [create, probe] = [creatorOf(client, kind), creatorOf(client, kind, true)];
    await untilCalled(async () => (await probe('probe', { hosts: ['a.b'] })).spec.replicas === 2);
    await untilCalled(async () => {
      await probe('probe', { hosts: [] });
      return seen.length > 0;
    });
    const made = await create('one', { hosts: ['one.example.com'] });
    t.deepEqual(made.spec, { hosts: ['one.example.com'], replicas: 2 });
    t.deepEqual(seen.at(-1), { operation: 'CREATE', dryRun: false, isUpdate: false, user: true });
    const refusal = await t.throwsAsync<InvalidError>(create('two', { hosts: ['a.b', 'two'] }), {
      instanceOf: InvalidError,
    });
    const text = `Site.${kind.group} "two" is invalid: spec.hosts[1]: two has no domain`;
    const webhook = `validate.sites.${kind.group}`;
    t.true(refusal!.message.includes(`admission webhook "${webhook}" denied the request: ${text}`), refusal!.message);
    t.deepEqual(refusal!.status?.details?.causes, [
      { reason: 'FieldValueInvalid', message: 'two has no domain', field: 'spec.hosts[1]' },
    ]);
    await client.update(kind, { ...made, spec: { ...made.spec, replicas: 3 } }, { dryRun: true });
    t.deepEqual(seen.at(-1), { operation: 'UPDATE', dryRun: true, isUpdate: true, user: true });
    t.is((await client.get(kind, key('one'))).spec.replicas, 2);
  });

  test(`${server}: a handler that throws, hangs or is not there counts as its failurePolicy says; a huge object is read`, async (t) => {
    let mode: 'answers' | 'throws' | 'hangs' = 'answers';
    const make = (failurePolicy: 'Fail' | 'Ignore') => (site: Kind<Site>) => [
      validator(
        site,
        () => {
          if (mode === 'throws') throw new Error('a bug');
          return mode === 'hangs' ? new Promise<undefined>(() => undefined) : { denied: 'as always' };
        },
        { failurePolicy, timeoutSeconds: 3 },
      ),
    ];
    const [strict, lax] = [await served(t, client, make('Fail')), await served(t, client, make('Ignore'))];
    const askStrict = (spec: Site['spec'] = { hosts: [] }) => creatorOf(client, strict.kind, true)('one', spec);
    const askLax = () => creatorOf(client, lax.kind, true)('one', { hosts: [] });
    const isDenied = (ask: () => Promise<unknown>) =>
      ask().then(
        () => false,
        ({ message }: Error) => message.includes('as always'),
      );
    await untilCalled(() => isDenied(askStrict));
    await untilCalled(() => isDenied(askLax));
    const huge = await t.throwsAsync(askStrict({ hosts: [], notes: 'x'.repeat(1_300_000) }));
    t.regex(huge!.message, /as always/);
    mode = 'throws';
    const failed = await t.throwsAsync<ApiError>(askStrict(), { instanceOf: ApiError });
    t.regex(
      failed!.message,
      /failed calling webhook .*validate of sites\.\S+ failed; the log of its server shows the reason/,
    );
    t.is(failed!.code, 500);
    await t.notThrowsAsync(askLax());
    mode = 'hangs';
    const late = await t.throwsAsync<ApiError>(askStrict());
    t.regex(late!.message, /has not answered within 2700 ms/);
    await t.notThrowsAsync(askLax());
    mode = 'answers';
    await strict.stop();
    await lax.stop();
    const away = await t.throwsAsync<ApiError>(askStrict(), { instanceOf: ApiError });
    t.regex(away!.message, /failed calling webhook/);
    await t.notThrowsAsync(askLax());
  });

  test(`${server}: a kind of two versions is read and written in both, and a conversion that fails names the object`, async (t) => {
    const { group, current, old } = aKind();
    const sites = converter(
      current,
      spoke(old, {
        toHub: ({ spec: { host } }) => ({ spec: { hosts: [host] } }),
        fromHub: ({ spec: { hosts } }: Site) => {
          if (hosts.length === 0) throw new Error('it has no host');
          return { spec: { host: hosts[0]! } };
        },
      }),
    );
    await serveWebhooks(t, { client, name: `w-${group.split('.')[0]}`, webhooks: [sites] });
    const write = () => client.create(old, { metadata: { ...key('one'), labels: { a: 'b' } }, spec: { host: 'a.b' } });
    await untilCalled(() =>
      write().then(
        () => true,
        (error: unknown) => error instanceof ApiError && error.code === 409,
      ),
    );
    const read = await client.get(current, key('one'));
    t.like(read, { apiVersion: `${group}/v2`, spec: { hosts: ['a.b'] }, metadata: { labels: { a: 'b' } } });
    await client.create(current, { metadata: key('two'), spec: { hosts: ['c.d', 'e.f'] } });
    const { items } = await client.list(old, { namespace: 'default' });
    t.deepEqual(
      items.map(({ metadata, spec }) => [metadata.name, spec.host]),
      [
        ['one', 'a.b'],
        ['two', 'c.d'],
      ],
    );
    await client.create(current, { metadata: key('none'), spec: { hosts: [] } });
    const refused = await t.throwsAsync(client.get(old, key('none')));
    t.regex(refused!.message, /Site default\/none cannot be converted from \S+\/v2 to \S+\/v1: it has no host/);
    await client.delete(current, key('none'));
  });
}

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import * as z from 'zod';
import {
  createClient,
  defineKind,
  ensureCrds,
  type KubeObject,
  loadConnection,
  Secret,
} from '../../../../sdk/index.ts';
import { converter, defaulter, spoke, validator } from '../../../../sdk/webhooks/index.ts';
import { createScratch } from '../../real/owned-process.ts';
import { startRealServer } from '../../real/server.ts';
import { until } from '../../real/until.ts';
import { serveWebhooks } from './webhook-servers.ts';

interface Site extends KubeObject {
  readonly spec: { readonly hosts: readonly string[]; readonly replicas?: number };
}
interface OldSite extends KubeObject {
  readonly spec: { readonly host: string };
}
const of = <T extends KubeObject>(version: string, spec: z.ZodObject) =>
  defineKind<T>({ group: 'example.com', version, kind: 'Site', schema: () => z.object({ spec }) });
const Site = of<Site>('v2', z.object({ hosts: z.array(z.string()), replicas: z.number().optional() }));
const OldSite = of<OldSite>('v1', z.object({ host: z.string() }));

const server = await startRealServer();
const client = createClient({ connection: await loadConnection({ kubeconfig: server.kubeconfigPath }) });
test.after.always(async () => {
  await client.close();
  await server.close();
});

const webhooks = [
  defaulter(Site, ({ spec }) => {
    spec.replicas ??= 2;
  }),
  validator(Site, ({ spec: { hosts } }) => ({
    errors: hosts.length > 0 ? [] : [{ field: 'spec.hosts', message: 'one at least', reason: 'FieldValueRequired' }],
    warnings: hosts.length > 1 ? ['hosts share one certificate'] : [],
  })),
  converter(
    Site,
    spoke(OldSite, {
      toHub: ({ spec: { host } }) => ({ spec: { hosts: [host] } }),
      fromHub: ({ spec: { hosts } }: Site) => ({ spec: { host: hosts[0] ?? '' } }),
    }),
  ),
];

/** Returns the digests of the authority and the server certificate that are held. */
async function heldNow(): Promise<string> {
  const { data = {} } = await client.get(Secret, { namespace: 'default', name: 'sites' });
  return `${data['ca.crt']?.length} ${data['tls.crt']}`;
}

test.serial('certificates and authorities change under load, and no request is refused', async (t) => {
  await ensureCrds(client, [Site]);
  await serveWebhooks(t, {
    ...{ client, name: 'sites', webhooks },
    certificates: { authorityLifetime: 30_000, lifetime: 22_500, overlap: 2000 },
  });
  let [requests, number] = [0, 0];
  const states = new Set<string>();
  /** Creates one, reads it in its former version, and returns what a defaulter has made of it. */
  const once = async (): Promise<number | undefined> => {
    number += 1;
    const key = { namespace: 'default', name: `site-${number}` };
    const { spec } = await client.create(Site, { metadata: key, spec: { hosts: ['a.b'] } });
    t.is((await client.get(OldSite, key)).spec.host, 'a.b');
    await client.delete(Site, key);
    requests += 1;
    return spec.replicas;
  };
  await until(async () => ((await once()) === 2 ? true : undefined), {
    message: (error) => `not called within a minute (${error})`,
  });
  // Two changes of the authority at least, and of the server certificate between.
  for (const end = performance.now() + 45_000; performance.now() < end; ) {
    t.deepEqual(await Promise.all([once(), once(), once()]), [2, 2, 2]);
    states.add(await heldNow());
  }
  t.log(`${requests} requests, ${states.size} states of the certificates`);
  t.true(states.size >= 4);
  t.true(requests > 100);
});

test.serial('kubectl shows fields and warnings', async (t) => {
  await ensureCrds(client, [Site]);
  await serveWebhooks(t, { client, name: 'sites', webhooks });
  const scratch = createScratch('webhooks');
  t.teardown(() => scratch.remove());
  const kubectl = async (name: string, hosts: readonly string[]) => {
    const file = join(scratch.folder, `${name}.json`);
    const metadata = { name, namespace: 'default' };
    writeFileSync(file, JSON.stringify({ apiVersion: 'example.com/v2', kind: 'Site', metadata, spec: { hosts } }));
    const args = ['--kubeconfig', server.kubeconfigPath, 'create', '--dry-run=server', '-f', file];
    return promisify(execFile)(server.kubectl, args).catch((error: { stdout: string; stderr: string }) => error);
  };
  const refused = async () =>
    (await kubectl('none', [])).stderr.includes('is invalid') ? kubectl('none', []) : undefined;
  const { stderr } = await until(refused, { message: () => 'not refused within a minute' });
  t.is(stderr, 'The Site "none" is invalid: spec.hosts: one at least\n');
  t.is((await kubectl('two', ['a.b', 'c.d'])).stderr, 'Warning: hosts share one certificate\n');
});

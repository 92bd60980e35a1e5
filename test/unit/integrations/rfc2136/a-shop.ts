/** Workspaces with DNS names at a name server in this process. */

import type { ExecutionContext } from 'ava';
import { rfc2136Dns } from '../../../../integrations/rfc2136/dns.ts';
import type { Rfc2136DnsOptions } from '../../../../integrations/rfc2136/options.ts';
import { conditionOf, Workspace, type WorkspaceSpec } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { zone } from '../a-dns-spec.ts';
import { startTestNameServer, type TestNameServer } from './name-server.ts';

const secret = Buffer.from('0123456789abcdef');

/** Published names without owner marks. */
export const published = (server: TestNameServer): readonly string[] =>
  server.records().filter((record) => !record.startsWith('_op-owner.'));

/** A workspace named `shop` on a manual clock, with a name server in this process. */
export async function aShop(t: ExecutionContext, spec: WorkspaceSpec, options: Partial<Rfc2136DnsOptions> = {}) {
  const stage = await aTargetCluster();
  const { clock, client, read } = stage;
  const key = { name: 'op-key', algorithm: 'hmac-sha256', secret } as const;
  const server = await startTestNameServer({ zone, key, now: () => clock.now() / 1000 });
  t.teardown(() => server.close());
  const integration = rfc2136Dns({
    server: { host: server.host, port: server.port },
    key: { name: key.name, secret: secret.toString('base64') },
    target: '192.0.2.1',
    clock,
    ...options,
  });
  const actor = stage.actor([integration], { times: { lease: 30_000, maxRequest: 15_000 } });
  await stage.create(spec);
  return {
    ...stage,
    server,
    walk: () => actor.walk(),
    /** Reconciles as the engine does: runs again when requested, retries errors. */
    async walkOn(ms: number) {
      await clock.advance(ms);
      return actor.walk().catch(() => ({}));
    },
    async condition() {
      const { status, reason } = conditionOf(await read(), 'DNS');
      return `${status}: ${reason}`;
    },
    change: (changed: WorkspaceSpec) =>
      client.patch(
        Workspace,
        { namespace: 'default', name: 'shop' },
        { type: 'json', operations: [{ op: 'replace', path: '/spec', value: changed }] },
      ),
  };
}

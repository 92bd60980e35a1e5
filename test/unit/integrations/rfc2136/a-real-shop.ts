/** Workspaces with DNS names at a real name server. */

import type { ExecutionContext } from 'ava';
import { rfc2136Dns } from '../../../../integrations/rfc2136/dns.ts';
import type { Rfc2136DnsOptions } from '../../../../integrations/rfc2136/options.ts';
import { conditionOf, systemClock } from '../../../../sdk/index.ts';
import { type NameServer, type NameServerOptions, startNameServer } from '../../../system/real/name-server.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { zone } from '../a-dns-spec.ts';

/** Starts a real name server for one test. */
export async function started(
  t: ExecutionContext,
  implementation: NameServerOptions['implementation'],
): Promise<NameServer> {
  const server = await startNameServer({ implementation, zone });
  t.teardown(() => server.close());
  return server;
}

const optionsFor = (server: NameServer): Rfc2136DnsOptions => ({
  server: { host: server.host, port: server.port },
  key: server.key,
  target: '192.0.2.1',
});

/** A target with virtual time for the guard and for drift checks, and a server in real time. */
export async function aShop(server: NameServer, options: Partial<Rfc2136DnsOptions> = {}) {
  const stage = await aTargetCluster();
  const clock = { ...systemClock, monotonic: () => stage.clock.monotonic() };
  const actor = stage.actor([rfc2136Dns({ ...optionsFor(server), clock, ...options })]);
  return {
    ...stage,
    actor,
    async walkOn(ms: number, name = 'shop') {
      await stage.clock.advance(ms);
      return actor.walk(name).catch(() => ({}));
    },
    async condition(name = 'shop') {
      const { status, reason } = conditionOf(await stage.read(name), 'DNS');
      return `${status}: ${reason}`;
    },
  };
}

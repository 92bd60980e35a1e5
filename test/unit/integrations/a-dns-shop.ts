/** A workspace with DNS names at a simulated provider. */

import { createMemoryDnsProvider, type MemoryDnsProvider, memoryDns } from '../../../integrations/memory/dns.ts';
import { conditionOf, type Policy } from '../../../sdk/index.ts';
import { aTargetCluster } from '../a-target-cluster.ts';
import { specOf, zone } from './a-dns-spec.ts';

/** Key of the workspace. */
export const key = { namespace: 'default', name: 'shop' };
/** An address record of a name. */
export const record = (name: string, target = '127.0.0.1') => ({ zone, name, type: 'A', target }) as const;
/** Milliseconds of a minute. */
export const minute = 60_000;

/** Deviations from the defaults. */
export interface Setting {
  readonly policy?: Policy;
  readonly driftInterval?: number;
  readonly subdomains?: readonly string[];
}

/** A workspace with published names, and a third party with counted reads that can be made to fail. */
export async function aDnsShop({
  policy = 'manage',
  driftInterval = 4 * minute,
  subdomains = ['shop', 'api'],
}: Setting = {}) {
  const stage = await aTargetCluster();
  const memory = createMemoryDnsProvider({ clock: stage.clock });
  const driftSchedule = { count: 0, failure: undefined as Error | undefined };
  const provider: MemoryDnsProvider = {
    ...memory,
    observe: async (...args) => {
      driftSchedule.count += 1;
      if (driftSchedule.failure !== undefined) throw driftSchedule.failure;
      return memory.observe(...args);
    },
  };
  const start = (holder: string, rule: Policy = policy) => {
    const dns = memoryDns({ provider, driftInterval, clock: stage.clock, random: () => 0.5 });
    return stage.actor([{ ...dns, policy: rule }], { holder });
  };
  let actor = start('one');
  await stage.create(specOf(...subdomains));
  const { uid = '' } = (await stage.read()).metadata;
  return {
    ...stage,
    provider: memory,
    looks: driftSchedule,
    uid,
    events: (reason: string) => actor.events.filter((event) => event.reason === reason).map(({ message }) => message),
    walk: () => actor.walk(),
    /** Replaces the process by a fresh one. */
    restart: (rule?: Policy) => {
      actor.die();
      actor = start('two', rule);
    },
    /** Waits for the delay that the last pass requested, and reconciles again. */
    async again() {
      const { requeueAfter = 0 } = await actor.walk();
      await stage.clock.advance(requeueAfter);
      return actor.walk();
    },
    async condition() {
      const { status, reason } = conditionOf(await stage.read(), 'DNS');
      return `${status}: ${reason}`;
    },
    names: () =>
      memory.records().map(({ name, target, owner }) => `${name} ${target} ${owner === uid ? 'ours' : owner}`),
  };
}

/** Records of the default workspace. */
export const whole = ['shop.example.test 127.0.0.1 ours', 'api.example.test 127.0.0.1 ours'];

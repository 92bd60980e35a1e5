/** Workspaces with DNS names at a Route 53 in memory. */

import '@aws-sdk/client-route-53'; // loaded here, so that no virtual time passes meanwhile
import { route53Dns } from '../../../integrations/route53/dns.ts';
import type { Route53DnsOptions } from '../../../integrations/route53/options.ts';
import { type Clock, conditionOf, Workspace, type WorkspaceSpec, type WorkspaceStatus } from '../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { route53StandIn, type StoredZone } from './stand-in.ts';
import { credential, zones as usual } from './subject.ts';
import type { StoredSet } from './zone-rules.ts';

/** Describes sets as `NAME TYPE VALUE …`, without final dots of names, sorted. */
export const linesOf = (sets: readonly StoredSet[]): readonly string[] =>
  sets
    .map(({ name, type, values, alias }) =>
      [name.slice(0, -1), type, ...values, ...(alias ? [`-> ${alias.zone} ${alias.name}`] : [])].join(' '),
    )
    .sort();

/** Deviations from the defaults. */
export interface ShopOptions extends Partial<Route53DnsOptions> {
  readonly zones?: readonly StoredZone[];
  /** Refuses more than five requests in a second. @default false */
  readonly isThrottled?: boolean;
  /** Questions about each change that are answered PENDING. @default 0 */
  readonly pending?: number;
}

/** A workspace named `shop` on a manual clock, with Route 53 in memory. */
export async function aShop(
  spec: WorkspaceSpec,
  { zones = usual, isThrottled, pending = 0, ...options }: ShopOptions = {},
) {
  const stage = await aTargetCluster();
  const { clock } = stage;
  /** Clock on which waiting for a turn makes time pass. */
  const waiting: Clock = {
    monotonic: () => clock.monotonic(),
    now: () => clock.now(),
    after: (...args) => clock.after(...args),
    sleep: async (ms) => void (await clock.advance(ms)),
  };
  const server = route53StandIn({ zones, pending, ...credential, ...(isThrottled && { clock }) });
  const faults: (Response | Error | 'lost')[] = [];
  /** Sends a request to the server: a Response or an Error is the answer to a change without it, `lost` an answer that does not arrive. */
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const fault = init?.method === 'POST' ? faults.shift() : undefined;
    if (fault instanceof Response) return fault;
    if (fault instanceof Error) throw fault;
    const answer = await server.fetch(input, init);
    if (fault === 'lost') throw new TypeError('fetch failed');
    return answer;
  };
  const own = { ...credential, target: '192.0.2.1', driftInterval: 240_000, random: () => 0.5, fetch, clock: waiting };
  const process = (holder: string) =>
    stage.actor([route53Dns({ ...own, ...options })], { holder, times: { lease: 30_000, maxRequest: 15_000 } });
  const actor = process('one');
  await stage.create(spec);
  return {
    ...stage,
    server,
    faults,
    published: () => linesOf(server.sets()),
    /** Published names without owner marks. */
    names: () => linesOf(server.sets()).filter((line) => !line.startsWith('_op-owner.')),
    walk: () => actor.walk(),
    /** Starts another process with an integration of its own. */
    anotherProcess: () => process('another'),
    /** Reconciles as the engine does: runs again when requested, retries errors. */
    async walkOn(ms: number, name = 'shop') {
      await clock.advance(ms);
      return actor.walk(name).catch(() => ({}));
    },
    async condition(name = 'shop') {
      const { status, reason } = conditionOf(await stage.read(name), 'DNS');
      return `${status}: ${reason}`;
    },
    /** Asks for records as other integrations do. */
    ask: (dns: NonNullable<WorkspaceStatus['dns']>, name = 'shop') =>
      stage.client.patch(
        Workspace,
        { namespace: 'default', name },
        { type: 'merge', value: { status: { dns } } },
        { subresource: 'status' },
      ),
  };
}

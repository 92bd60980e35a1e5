/** Candidates of one election in virtual time. */

import type { Logger } from 'pino';
import { aborted } from '../../../../../sdk/aborted.ts';
import { Lease } from '../../../../../sdk/api/kinds.ts';
import type { CallOptions, Client } from '../../../../../sdk/client/client.ts';
import type { Clock } from '../../../../../sdk/clock.ts';
import { withDeadline } from '../../../../../sdk/deadline.ts';
import { withLeaderElection } from '../../../../../sdk/operator/leader-election/leader.ts';
import type { Runnable } from '../../../../../sdk/operator/operator.ts';
import { type ControlledServer, theServer } from '../controlled.ts';

/** Candidates for one lease; `log` records the terms of leadership, and two leaders at once are a mistake. */
export async function candidates() {
  const server = await theServer();
  const lease = server.key('operator');
  const log: string[] = [];
  const leading = new Set<string>();
  let overlaps = 0;
  const at = () => Math.round(server.clock.monotonic() / 100) / 10;
  const candidate = (identity: string, options: Partial<Candidate> = {}) => {
    const { client = server.client, clock = server.clock, takes = 0, work, ...more } = options;
    const stop = new AbortController();
    const controller: Runnable = {
      name: `work of ${identity}`,
      async run(signal) {
        leading.add(identity);
        if (leading.size > 1) overlaps += 1;
        log.push(`${identity} begins at ${at()}`);
        try {
          await (work?.(signal) ?? aborted(signal));
          if (takes > 0) await server.clock.sleep(takes);
        } finally {
          leading.delete(identity);
          log.push(`${identity} ends at ${at()}`);
        }
      },
    };
    const chosen = { client, clock, lease, identity, controllers: [controller], random: () => 0 };
    const elected = withLeaderElection({ ...chosen, ...more });
    const ended = elected.run(stop.signal);
    ended.catch(() => undefined);
    return { elected, ended, stop };
  };
  const record = async () => (await server.client.get(Lease, lease)).spec;
  return { server, lease, log, candidate, record, overlaps: () => overlaps };
}

/** Options of a candidate. */
export interface Candidate {
  readonly client: Client;
  readonly clock: Clock;
  /** ms that its work takes to stop. */
  readonly takes: number;
  readonly work: (signal: AbortSignal) => Promise<void>;
  readonly processId: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly logger: Logger;
}

/** Client with a connection that can be cut (no answer comes within the deadline of a call) or broken (500 for everything). */
export function onWire({ server: { client, clock } }: { server: ControlledServer }) {
  let state: 'up' | 'cut' | 'broken' = 'up';
  const through = new Proxy(client, {
    get: (target, member: keyof Client) => {
      const method = target[member];
      if (typeof method !== 'function') return method;
      return (...call: readonly unknown[]) => {
        const { signal = new AbortController().signal, deadline = 30_000 } = call.at(-1) as CallOptions;
        if (state === 'broken') return Promise.reject(new Error('HTTP 500'));
        if (state === 'up') return (method as (...call: readonly unknown[]) => unknown)(...call);
        return withDeadline({ clock, deadline, signal }, async (limited) => {
          await aborted(limited);
          throw limited.reason;
        });
      };
    },
  });
  return {
    client: through,
    set: (next: typeof state) => {
      state = next;
    },
  };
}

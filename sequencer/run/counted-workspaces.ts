/** Counts of the workspaces that a sequencer follows. */

import type { ProviderHost } from '../../sdk/host/index.ts';
import type { CountedWorkspaces, Integration, Workspace } from '../../sdk/index.ts';
import { isOfClass } from './operator-instance.ts';

/** Sequencer whose workspaces are counted. */
export interface CountedSequencer {
  readonly integrations: readonly Integration[];
  readonly host: Pick<ProviderHost, 'rateLimiters' | 'clock'>;
  /** Class whose workspaces are walked. */
  readonly className: string | undefined;
  readonly store: { list(): readonly Workspace[] };
}

/** Returns the current counts of the workspaces and circuits of a sequencer. */
export function countedWorkspaces({ integrations, host, className, store }: CountedSequencer): CountedWorkspaces {
  const types = [...new Set(integrations.map(({ condition }) => condition))];
  return {
    types,
    conditions: () =>
      store
        .list()
        .filter((workspace) => isOfClass(workspace, className))
        .flatMap(({ status }) => status?.conditions ?? [])
        .filter(({ type }) => types.includes(type))
        .map(({ type, status, lastTransitionTime }) => ({
          condition: type,
          status,
          since: Date.parse(lastTransitionTime),
        })),
    circuits() {
      const states = Map.groupBy(host.rateLimiters.states(host.clock.monotonic()), ({ limits }) => limits);
      return integrations.flatMap(({ name: integration, limits }) => {
        if (limits === undefined) return [];
        const inUse = states.get(limits) ?? [];
        const count = (state: string): number => inUse.filter(({ breaker }) => breaker === state).length;
        return [{ integration, open: count('open'), halfOpen: count('half-open') }];
      });
    },
  };
}

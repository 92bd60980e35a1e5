/** Metrics of workspaces and of their calls to third parties. */

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { conditionStatuses } from '../api/condition.ts';
import type { CountedWorkspaces, OutsideObserver } from '../api/outside-observer.ts';
import type { Clock } from '../clock.ts';

/** Transient statuses of a condition; the age of the oldest one is reported. */
const transientStatuses: readonly string[] = ['Locked', 'Unknown', 'Error', 'Waiting'];
/** Seconds; a call may take as long as its lease. */
const callBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 300];

/** Counts conditions by type and status. Types outside of the config and unknown statuses are not counted, since tenants may write them. */
function countsOf({ types, conditions }: CountedWorkspaces, now: number) {
  const counts = new Map<string, { count: number; oldest: number }>(
    types.flatMap((type) => conditionStatuses.map((status) => [`${type} ${status}`, { count: 0, oldest: 0 }])),
  );
  for (const { condition, status, since } of conditions()) {
    const found = counts.get(`${condition} ${status}`);
    if (found === undefined) continue;
    found.count += 1;
    found.oldest = Math.max(found.oldest, (now - since) / 1000 || 0);
  }
  return counts;
}

type Count = { readonly count: number; readonly oldest: number };

/** Creates the gauges, which are read from the followed workspaces at each scrape. */
function gauges(registers: Registry[], clock: Clock) {
  const followed = new Set<CountedWorkspaces>();
  const conditionGauge = (
    about: { readonly name: string; readonly help: string },
    statuses: readonly string[],
    value: (count: Count) => number,
  ) =>
    new Gauge({
      ...about,
      labelNames: ['condition', 'status'],
      registers,
      collect() {
        for (const workspaces of followed) {
          const counts = countsOf(workspaces, clock.now());
          for (const condition of workspaces.types)
            for (const status of statuses)
              this.set({ condition, status }, value(counts.get(`${condition} ${status}`)!));
        }
      },
    });
  const conditions = { name: 'workspace_conditions', help: 'Conditions of workspaces by status' };
  conditionGauge(conditions, conditionStatuses, ({ count }) => count);
  const ages = {
    name: 'workspace_condition_oldest_seconds',
    help: 'Time since the oldest condition took this status; 0: there is none',
  };
  conditionGauge(ages, transientStatuses, ({ oldest }) => oldest);
  new Gauge({
    name: 'workspace_circuit_breakers',
    help: 'Credentials whose circuit breaker is not closed',
    labelNames: ['integration', 'state'],
    registers,
    collect() {
      for (const { integration, open, halfOpen } of [...followed].flatMap((workspaces) => workspaces.circuits())) {
        this.set({ integration, state: 'open' }, open);
        this.set({ integration, state: 'half-open' }, halfOpen);
      }
    },
  });
  return followed;
}

/** Creates the metrics, and the observer that fills them. @throws Error if the registry contains them already */
export function outsideObserver(registry: Registry, clock: Clock): Required<OutsideObserver> {
  const registers = [registry];
  const followed = gauges(registers, clock);
  const counter = (name: string, help: string, labelNames: readonly string[]) =>
    new Counter({ name, help, labelNames, registers });
  const calls = counter('workspace_external_calls_total', 'Calls to third parties by how they ended', [
    'integration',
    'operation',
    'outcome',
  ]);
  const time = new Histogram({
    name: 'workspace_external_call_duration_seconds',
    help: 'Duration of calls to third parties',
    labelNames: ['integration', 'operation'],
    buckets: callBuckets,
    registers,
  });
  const recoveries = counter('workspace_guard_recoveries_total', 'Unresolved attempts that were taken over', [
    'integration',
    'recovery',
  ]);
  const drift = counter('workspace_drift_total', 'External objects found changed or removed outside', ['integration']);
  return {
    called({ integration, operation, outcome, ms }) {
      calls.inc({ integration, operation, outcome });
      time.observe({ integration, operation }, ms / 1000);
    },
    recovered: ({ integration, recovery }) => recoveries.inc({ integration, recovery }),
    drifted: (integration) => drift.inc({ integration }),
    followed: (workspaces) => void followed.add(workspaces),
  };
}

import test from 'ava';
import type { CountedWorkspaces } from '../../../../sdk/index.ts';
import { createMetrics } from '../../../../sdk/metrics/index.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';

const linesOf = async (metrics: ReturnType<typeof createMetrics>, name: string): Promise<readonly string[]> =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith(`${name}{`));

test('calls are counted and timed by integration, operation and outcome', async (t) => {
  const metrics = createMetrics();
  metrics.observer.called({ integration: 'acme', operation: 'create', outcome: 'success', ms: 1500 });
  metrics.observer.called({ integration: 'acme', operation: 'create', outcome: 'unknown', ms: 500 });
  metrics.observer.recovered({ integration: 'acme', recovery: 'asked' });
  metrics.observer.drifted('acme');
  t.deepEqual(await linesOf(metrics, 'workspace_external_calls_total'), [
    'workspace_external_calls_total{integration="acme",operation="create",outcome="success"} 1',
    'workspace_external_calls_total{integration="acme",operation="create",outcome="unknown"} 1',
  ]);
  t.deepEqual(await linesOf(metrics, 'workspace_external_call_duration_seconds_sum'), [
    'workspace_external_call_duration_seconds_sum{integration="acme",operation="create"} 2',
  ]);
  t.deepEqual(await linesOf(metrics, 'workspace_guard_recoveries_total'), [
    'workspace_guard_recoveries_total{integration="acme",recovery="asked"} 1',
  ]);
  t.deepEqual(await linesOf(metrics, 'workspace_drift_total'), ['workspace_drift_total{integration="acme"} 1']);
});

test('conditions are counted at each scrape, and what tenants may have written makes no series', async (t) => {
  const clock = createManualClock();
  const metrics = createMetrics({ clock });
  const since = clock.now() - 60_000;
  const locked = { condition: 'Acme', status: 'Locked', since };
  const strange = [
    { condition: 'Invented', status: 'Locked', since },
    { condition: 'Acme', status: 'Invented', since },
    { condition: 'Acme', status: 'Error', since: Number.NaN },
    { condition: 'Acme', status: 'Waiting', since: clock.now() + 60_000 },
  ];
  let conditions: ReturnType<CountedWorkspaces['conditions']> = [locked, { ...locked, since: since - 1 }, ...strange];
  let open = 1;
  metrics.observer.followed({
    types: ['Acme'],
    conditions: () => conditions,
    circuits: () => [{ integration: 'acme', open, halfOpen: 0 }],
  });
  const told = async (name: string) => (await linesOf(metrics, name)).filter((line) => !line.endsWith(' 0'));
  t.deepEqual(await told('workspace_conditions'), [
    'workspace_conditions{condition="Acme",status="Waiting"} 1',
    'workspace_conditions{condition="Acme",status="Error"} 1',
    'workspace_conditions{condition="Acme",status="Locked"} 2',
  ]);
  t.deepEqual(await told('workspace_condition_oldest_seconds'), [
    'workspace_condition_oldest_seconds{condition="Acme",status="Locked"} 60.001',
  ]);
  t.deepEqual(await told('workspace_circuit_breakers'), [
    'workspace_circuit_breakers{integration="acme",state="open"} 1',
  ]);
  t.notRegex(await metrics.text(), /Invented/);
  [conditions, open] = [[], 0];
  for (const name of ['workspace_conditions', 'workspace_condition_oldest_seconds', 'workspace_circuit_breakers'])
    t.deepEqual(await told(name), [], name);
});

/** Dashboard of Grafana for an operator, made from a table of its panels. */

interface Panel {
  readonly title: string;
  readonly unit: 'short' | 's' | 'reqps' | 'percentunit' | 'bytes';
  /** Expressions with their legends; `$` in a selector stands for the operator's labels. */
  readonly series: readonly (readonly [expr: string, legend: string])[];
}

const quantile = (metric: string, by: string, share: number): string =>
  `histogram_quantile(${share}, sum by (le${by}) (rate(${metric}_bucket{$}[5m])))`;

/** Rows of three panels each: what waits for people, what is done outside, and how the operator does. */
const rows: readonly (readonly [title: string, panels: readonly Panel[]])[] = [
  [
    'Workspaces',
    [
      {
        title: 'Conditions that want a look',
        unit: 'short',
        series: [
          [
            'max by (condition, status) (workspace_conditions{$,status=~"Unknown|Error|Locked|Waiting"}) > 0',
            '{{condition}} {{status}}',
          ],
        ],
      },
      {
        title: 'Age of the oldest',
        unit: 's',
        series: [
          ['max by (condition, status) (workspace_condition_oldest_seconds{$}) > 0', '{{condition}} {{status}}'],
        ],
      },
      {
        title: 'Conditions that are well',
        unit: 'short',
        series: [
          ['max by (condition) (workspace_conditions{$,status="Completed"})', '{{condition}} completed'],
          ['max by (condition) (workspace_conditions{$,status="Healthy"})', '{{condition}} healthy'],
        ],
      },
    ],
  ],
  [
    'Third parties',
    [
      {
        title: 'Calls',
        unit: 'reqps',
        series: [
          [
            'sum by (integration, outcome) (rate(workspace_external_calls_total{$}[5m]))',
            '{{integration}} {{outcome}}',
          ],
        ],
      },
      {
        title: 'Duration of calls',
        unit: 's',
        series: [
          [quantile('workspace_external_call_duration_seconds', ', integration', 0.5), '{{integration}} median'],
          [quantile('workspace_external_call_duration_seconds', ', integration', 0.99), '{{integration}} 99 %'],
        ],
      },
      {
        title: 'Open circuits, drift, attempts taken over',
        unit: 'short',
        series: [
          ['max by (integration, state) (workspace_circuit_breakers{$})', '{{integration}} circuit {{state}}'],
          ['sum by (integration) (increase(workspace_drift_total{$}[1h]))', '{{integration}} drift in 1 h'],
          [
            'sum by (integration, recovery) (increase(workspace_guard_recoveries_total{$}[1h]))',
            '{{integration}} {{recovery}} in 1 h',
          ],
        ],
      },
    ],
  ],
  [
    'Walks',
    [
      {
        title: 'Walks by result',
        unit: 'reqps',
        series: [['sum by (result) (rate(controller_runtime_reconcile_total{$}[5m]))', '{{result}}']],
      },
      {
        title: 'Duration of walks',
        unit: 's',
        series: [
          [quantile('controller_runtime_reconcile_time_seconds', '', 0.5), 'median'],
          [quantile('controller_runtime_reconcile_time_seconds', '', 0.99), '99 %'],
          ['max(workqueue_longest_running_processor_seconds{$})', 'longest now'],
        ],
      },
      {
        title: 'Queue',
        unit: 'short',
        series: [
          ['sum(workqueue_depth{$})', 'waiting'],
          ['sum(controller_runtime_active_workers{$})', 'at work'],
          ['sum(controller_runtime_max_concurrent_reconciles{$})', 'workers'],
        ],
      },
    ],
  ],
  [
    'Cluster and process',
    [
      {
        title: 'Requests to the API server, and writes that it refuses',
        unit: 'reqps',
        series: [
          ['sum by (code) (rate(rest_client_requests_total{$}[5m]))', '{{code}}'],
          ['sum by (write, code) (rate(workspace_refused_writes_total{$}[5m]))', 'refused: {{write}} {{code}}'],
        ],
      },
      {
        title: 'Replicas that lead',
        unit: 'short',
        series: [['sum(leader_election_master_status{$})', 'leaders']],
      },
      {
        title: 'Memory',
        unit: 'bytes',
        series: [['process_resident_memory_bytes{$}', '{{pod}}']],
      },
    ],
  ],
];

const datasource = { type: 'prometheus', uid: '${datasource}' };
const selector = '{job="$job",namespace="$namespace"';

function panelOf({ title, unit, series }: Panel, id: number, gridPos: object): object {
  const targets = series.map(([expr, legendFormat], index) => ({
    refId: 'ABCDEF'[index],
    datasource,
    expr: expr.replaceAll('{$', selector),
    legendFormat,
  }));
  return {
    id,
    type: 'timeseries',
    title,
    datasource,
    gridPos,
    fieldConfig: { defaults: { unit }, overrides: [] },
    targets,
  };
}

const variable = (name: string, label: string): object => ({
  name,
  type: 'query',
  datasource,
  query: `label_values(leader_election_master_status, ${label})`,
  refresh: 2,
});

/** Renders the dashboard. */
export function dashboard(): string {
  const panels = rows.flatMap(([title, all], row) => [
    { id: 100 + row, type: 'row', title, collapsed: false, gridPos: { x: 0, y: row * 9, w: 24, h: 1 }, panels: [] },
    ...all.map((panel, column) => panelOf(panel, row * 3 + column + 1, { x: column * 8, y: row * 9 + 1, w: 8, h: 8 })),
  ]);
  const list = [
    { name: 'datasource', type: 'datasource', query: 'prometheus' },
    variable('namespace', 'namespace'),
    variable('job', 'job'),
  ];
  const about = { uid: 'workspace-sequencer', title: 'Workspace sequencer', tags: ['sequencer'], schemaVersion: 39 };
  const time = { time: { from: 'now-6h', to: 'now' }, refresh: '30s' };
  return `${JSON.stringify({ ...about, ...time, templating: { list }, panels }, undefined, 2)}\n`;
}

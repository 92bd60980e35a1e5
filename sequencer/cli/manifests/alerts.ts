/** Alerts about an operator, as rules of Prometheus. */

/** Rule of Prometheus that fires an alert. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  /** Duration for which the expression must be true. */
  readonly for: string;
  readonly labels: { readonly severity: 'warning' | 'critical' };
  readonly annotations: { readonly summary: string; readonly description: string };
}

/** Alert, with the series of its expression written as `metric{$}` or `metric{$,label="value"}`. */
interface AlertSource extends Pick<AlertRule, 'alert' | 'expr' | 'for'> {
  readonly severity: 'warning' | 'critical';
  readonly summary: string;
  /** Next step of the person on call. */
  readonly next: string;
}

const sources: readonly AlertSource[] = [
  {
    alert: 'SequencerNoLeader',
    expr: '(max(leader_election_master_status{$}) or vector(0)) < 1',
    for: '2m',
    severity: 'critical',
    summary: 'No replica leads: no workspace is walked.',
    next: 'kubectl get pods,leases in its namespace; the log of a pod, and its /readyz, say what it waits for.',
  },
  {
    alert: 'SequencerConditionUnknown',
    expr: 'max by (condition) (workspace_conditions{$,status="Unknown"}) > 0',
    for: '5m',
    severity: 'warning',
    summary: '{{ $value }} conditions {{ $labels.condition }} wait for a person.',
    next: 'sequencer doctor names them, each with its command; kubectl get workspaces -A -o wide shows why.',
  },
  {
    alert: 'SequencerConditionStuck',
    expr: 'max by (condition, status) (workspace_condition_oldest_seconds{$,status=~"Locked|Error|Waiting"}) > 1800',
    for: '5m',
    severity: 'warning',
    summary: 'A condition {{ $labels.condition }} is {{ $labels.status }} for {{ $value | humanizeDuration }}.',
    next: 'kubectl get workspaces -A -o wide shows it, and what it waits for; after ten minutes sequencer doctor names it too.',
  },
  {
    alert: 'SequencerCircuitOpen',
    expr: 'max by (integration) (workspace_circuit_breakers{$,state="open"}) > 0',
    for: '5m',
    severity: 'warning',
    summary: 'Nothing is sent to the third party of {{ $labels.integration }}: it fails or throttles.',
    next: 'Check that it is up and that its credential is valid. Nothing is lost: calls continue by themselves once it answers.',
  },
  {
    alert: 'SequencerCallsFail',
    expr: 'sum by (integration) (rate(workspace_external_calls_total{$,outcome!="success"}[10m])) / sum by (integration) (rate(workspace_external_calls_total{$}[10m])) > 0.5',
    for: '10m',
    severity: 'warning',
    summary: 'Most calls of {{ $labels.integration }} fail.',
    next: 'Reasons of its conditions hold the answers; the log has a line for each call.',
  },
  {
    alert: 'SequencerWritesRefused',
    expr: 'sum by (write, code) (increase(workspace_refused_writes_total{$}[15m])) > 0',
    for: '5m',
    severity: 'warning',
    summary: 'The API server refuses writes of the sequencer: {{ $labels.write }}, {{ $labels.code }}.',
    next: 'Look for a right, a policy or a definition that has changed; sequencer doctor checks these.',
  },
  {
    alert: 'SequencerDrift',
    expr: 'sum by (integration) (increase(workspace_drift_total{$}[1h])) > 10',
    for: '5m',
    severity: 'warning',
    summary: 'External objects of {{ $labels.integration }} are changed or deleted by others, again and again.',
    next: 'Events Drifted name them. Find what else writes there.',
  },
  {
    alert: 'SequencerQueueLong',
    expr: 'max(workqueue_depth{$}) > 100',
    for: '15m',
    severity: 'warning',
    summary: '{{ $value }} workspaces wait for a worker.',
    next: 'Look for slow calls (workspace_external_call_duration_seconds); --workers says how many are walked at a time.',
  },
  {
    alert: 'SequencerQueueStalled',
    expr: 'max(workqueue_stalled_seconds{$}) > 120',
    for: '1m',
    severity: 'critical',
    summary: 'Workspaces wait, and no walk begins: walks that do not end hold all workers.',
    next: 'A line at warn in the log names the namespaces of these walks, and the longest ones. Look at what they wait for, or pause them.',
  },
  {
    alert: 'SequencerWalkLong',
    expr: 'max(workqueue_longest_running_processor_seconds{$}) > 600',
    for: '1m',
    severity: 'critical',
    summary: 'A walk takes longer than ten minutes.',
    next: 'The log names it. After 15 minutes /livez fails, and the pod is restarted; its attempt is taken over.',
  },
  {
    alert: 'SequencerApiServerFails',
    expr: 'sum(rate(rest_client_requests_total{$,code=~"5..|<error>"}[5m])) / sum(rate(rest_client_requests_total{$}[5m])) > 0.2',
    for: '10m',
    severity: 'warning',
    summary: 'The API server does not answer, or fails.',
    next: 'Look at the API server, and at the network between it and the pods.',
  },
];

/** Alerts that only a leader election can give. */
const leaderElectionAlerts: readonly string[] = ['SequencerNoLeader'];

/**
 * Returns the alerts.
 * @param series label matchers of the operator's series, such as `job="sequencer"`
 * @param elects false for shards, each of which walks without an election
 */
export const alerts = (series: string, hasLeaderElection = true): readonly AlertRule[] =>
  sources
    .filter(({ alert }) => hasLeaderElection || !leaderElectionAlerts.includes(alert))
    .map(({ alert, expr, for: held, severity, summary, next }) => ({
      alert,
      expr: expr.replaceAll('{$', () => `{${series}`),
      for: held,
      labels: { severity },
      annotations: { summary, description: next },
    }));

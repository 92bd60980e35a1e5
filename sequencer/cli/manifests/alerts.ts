/** Alerts about an operator, as rules of Prometheus. */

/** Rule of Prometheus that fires an alert. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  /** Duration for which the expression has to hold. */
  readonly for: string;
  readonly labels: { readonly severity: 'warning' | 'critical' };
  readonly annotations: { readonly summary: string; readonly description: string };
}

/**
 * Returns the alerts.
 * @param series label matchers of the operator's series, such as `job="sequencer"`
 */
export function alerts(series: string): readonly AlertRule[] {
  return [
    {
      alert: 'SequencerNoLeader',
      expr: `(max(leader_election_master_status{${series}}) or vector(0)) < 1`,
      for: '2m',
      labels: { severity: 'critical' },
      annotations: {
        summary: 'No replica leads: no workspace is walked.',
        description: 'kubectl -n NAMESPACE get pods,lease; /readyz of a replica says what it waits for.',
      },
    },
  ];
}

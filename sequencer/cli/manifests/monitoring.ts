/** Objects of the Prometheus Operator. */

import { alerts } from './alerts.ts';
import { type Installed, type Manifest, metricsPort, podLabels } from './manifest.ts';

const apiVersion = 'monitoring.coreos.com/v1';

/** Returns a ServiceMonitor of the metrics; the labels of its pods and of its Service do not become labels of the series. */
export function serviceMonitor(installed: Installed): Manifest {
  const { name, namespace } = installed;
  return {
    apiVersion,
    kind: 'ServiceMonitor',
    metadata: { name, namespace },
    spec: {
      selector: { matchLabels: podLabels(installed) },
      endpoints: [{ port: metricsPort, path: '/metrics', interval: '30s' }],
    },
  };
}

/** Returns the alerts about one operator, which elects a leader or consists of shards. */
export const prometheusRule = (installed: Installed, elects: boolean): Manifest => ({
  apiVersion,
  kind: 'PrometheusRule',
  metadata: { name: installed.name, namespace: installed.namespace },
  spec: {
    groups: [
      { name: 'sequencer', rules: alerts(`job="${installed.name}",namespace="${installed.namespace}"`, elects) },
    ],
  },
});

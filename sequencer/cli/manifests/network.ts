/** Objects between the network and the pods of an operator. */

import type { EgressRule } from './egress.ts';
import { type Installed, type Manifest, metricsPort, metricsPortNumber, podLabels, webhookPort } from './manifest.ts';

/** Returns the name of a port of the config's runnables, in a container and in the Service. */
export const servedPortName = (port: number): string => `port-${port}`;

/** Returns the Service of the metrics, of the `ports` of the config's runnables, and of the webhook at port 443 if there is one. */
export function operatorService(
  installed: Installed,
  { ports, hasWebhook }: { readonly ports: readonly number[]; readonly hasWebhook: boolean },
): Manifest {
  const { name, namespace } = installed;
  const labels = podLabels(installed);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels },
    spec: {
      selector: labels,
      ports: [
        { name: metricsPort, port: metricsPortNumber, targetPort: metricsPort },
        ...ports.map((port) => ({ name: servedPortName(port), port, targetPort: servedPortName(port) })),
        ...(hasWebhook ? [{ name: webhookPort.name, port: 443, targetPort: webhookPort.name }] : []),
      ],
    },
  };
}

/**
 * Returns a NetworkPolicy that allows ingress from pods of the cluster to the metrics, and from anywhere to the `ports` of the config's runnables.
 * Egress is limited by `egress` only.
 */
export function networkPolicy(
  installed: Installed,
  ports: readonly number[],
  egress?: readonly EgressRule[],
): Manifest {
  const { name, namespace } = installed;
  const open = ports.map((port) => ({ protocol: 'TCP', port }));
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace },
    spec: {
      podSelector: { matchLabels: podLabels(installed) },
      policyTypes: ['Ingress', ...(egress === undefined ? [] : ['Egress'])],
      ingress: [
        { from: [{ namespaceSelector: {} }], ports: [{ protocol: 'TCP', port: metricsPort }] },
        ...(open.length > 0 ? [{ ports: open }] : []),
      ],
      ...(egress && { egress }),
    },
  };
}

/** Builds the IPAddress object of a Service's cluster IP. */

import type { Draft } from '../../apimachinery/object.ts';

/** Service with a cluster IP. */
interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

/** Returns the IPAddress of a Service's cluster IP. */
export const addressDraft = (ip: string, { namespace, name }: ServiceName): Draft => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IPAddress',
  metadata: {
    name: ip,
    labels: {
      'ipaddress.kubernetes.io/ip-family': 'IPv4',
      'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
    },
  },
  spec: { parentRef: { resource: 'services', namespace, name } },
});

/** Definitions of the Gateway API as far as routes need them, for clusters in memory. */

import { gatewayKind, routeKinds } from '../../../../integrations/ingress/kinds.ts';
import { type Client, type CustomResourceDefinition, ensureCrds, type Kind } from '../../../../sdk/index.ts';

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const definitionOf = ({ group, version, kind, plural }: Kind): CustomResourceDefinition => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: `${plural}.${group}`,
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-sigs/gateway-api/pull/2997' },
  },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } } },
        subresources: { status: {} },
      },
    ],
  },
});

/** Makes a cluster serve HTTPRoutes and Gateways. */
export const serveGatewayApi = (client: Client): Promise<unknown> =>
  ensureCrds(
    client,
    [routeKinds.HTTPRoute, gatewayKind].map((kind: Kind) => ({ ...kind, crd: async () => definitionOf(kind) })),
  );

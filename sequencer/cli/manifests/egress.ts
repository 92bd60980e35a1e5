/** Lists the third parties of an operator, as far as its config names them, in the terms of a NetworkPolicy. */

import { isIP } from 'node:net';
import { type Endpoint, endpointOf } from '../../../sdk/host/index.ts';
import { type ConfiguredRunnable, type Integration, UserError } from '../../../sdk/index.ts';
import type { TenantIntegrations } from '../../tenants/tenant-integration.ts';

/** Config with declared third parties. */
export interface ConnectingConfig {
  readonly integrations: readonly Integration[];
  readonly tenantIntegrations?: TenantIntegrations | undefined;
  readonly runnables?: readonly ConfiguredRunnable[] | undefined;
}

/** Part of a config that may connect to third parties. */
interface ConnectingPart {
  readonly what: string;
  readonly endpoints?: readonly string[] | undefined;
}

const partsOf = ({
  integrations,
  tenantIntegrations = {},
  runnables = [],
}: ConnectingConfig): readonly ConnectingPart[] => [
  ...integrations.map(({ name, endpoints }) => ({ what: `integration ${name}`, endpoints })),
  ...Object.entries(tenantIntegrations).map(([type, { endpoints }]) => ({
    what: `integration type ${type}`,
    endpoints,
  })),
  ...runnables.map(({ name, endpoints }) => ({ what: `runnable ${name}`, endpoints })),
];

/** Rule of a NetworkPolicy; without `to` it is for any address. */
export interface EgressRule {
  readonly to?: readonly object[];
  readonly ports?: readonly { readonly protocol: string; readonly port: number }[];
}

const block = (address: string): object => ({ ipBlock: { cidr: `${address}/${isIP(address) === 6 ? 128 : 32}` } });
const namespaceOf = (name: string): object => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
});

/** Rule for the DNS of the cluster: in kube-system, or a NodeLocal DNSCache at its usual address. */
const dns: EgressRule = {
  to: [namespaceOf('kube-system'), block('169.254.20.10')],
  ports: [
    { protocol: 'UDP', port: 53 },
    { protocol: 'TCP', port: 53 },
  ],
};

/** Service of the cluster by its name: `db.team-a.svc` or `db.team-a.svc.cluster.local`. */
const service = /^[^.]+\.(?<namespace>[^.]+)\.svc(\.cluster\.local)?$/;

/** Returns the rule for an endpoint. NetworkPolicies have no host names, and pods of a Service may listen on another port than the Service. */
function ruleOf({ host, port, protocol }: Endpoint): EgressRule {
  const namespace = service.exec(host)?.groups?.namespace;
  if (namespace !== undefined) return { to: [namespaceOf(namespace)] };
  return { ...(isIP(host) !== 0 && { to: [block(host)] }), ports: [{ protocol, port }] };
}

/** @throws UserError E#2001 for a text that is not an `IP:PORT` */
function apiServerAt(text: string): EgressRule {
  const endpoint = endpointOf(`tcp://${text}`);
  if (endpoint !== undefined && isIP(endpoint.host) !== 0) return ruleOf(endpoint);
  throw new UserError(
    'E#2001',
    `sequencer manifests: --egress needs IP:PORT of the API server; found ${JSON.stringify(text)}`,
    {
      hint: 'kubectl get endpointslices kubernetes -n default shows them; repeat the option for each',
    },
  );
}

/**
 * Returns the egress rules of a config: the API server, DNS, and the endpoints of its integrations. A host name becomes a rule for its port at any address.
 * @param apiServers addresses of the API server, as `IP:PORT`
 * @throws UserError E#2001 for one that is none
 */
export function egressRules(config: ConnectingConfig, apiServers: readonly string[]): readonly EgressRule[] {
  const endpoints = partsOf(config).flatMap(({ endpoints: all = [] }) => all.flatMap((one) => endpointOf(one) ?? []));
  const rules = [...apiServers.map(apiServerAt), dns, ...endpoints.map(ruleOf)];
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

/** Returns the parts that connect to undeclared addresses, which need a separate NetworkPolicy. */
export const undeclaredConnections = (config: ConnectingConfig): readonly string[] =>
  partsOf(config)
    .filter(({ endpoints }) => endpoints === undefined)
    .map(({ what }) => what);

/** Allocates addresses and node ports of Services. */

import type { FieldError } from '../../../apimachinery/field-error.ts';
import { type ApiObject, type Draft, type Fields, isFields } from '../../../apimachinery/object.ts';
import { failure, invalid } from '../../../apimachinery/status.ts';
import type { ServerContext } from '../../../server/server-context.ts';
import type { Strategy } from '../../../server/strategy.ts';
import { dropAddresses, keepAddresses } from '../../networking/ip-address-strategy.ts';
import { asMeant, inStep, isOutside, needsHealthPort, type Port, portsOf, typeOf } from './service-changes.ts';

const specOf = (service: Draft | ApiObject | undefined): Fields => (isFields(service?.spec) ? service.spec : {});

/** New spec and the one it replaces. */
interface Specs {
  readonly name: string;
  readonly spec: Fields;
  readonly before: Fields;
}

const refusal = (name: string, error: Omit<FieldError, 'type'>) =>
  invalid({ group: '', kind: 'Service' }, name, [{ type: 'Invalid', ...error }]);

const portsText = 'provided port is not in the valid range. The range of valid ports is 30000-32767';
const isNodePort = (port: number): boolean => port >= 30_000 && port <= 32_767;
const takenText = (port: number): string => (isNodePort(port) ? 'provided port is already allocated' : portsText);
function withClusterIp({ serviceAllocator }: ServerContext, { name, spec, before }: Specs): Fields {
  if (spec.type === 'ExternalName') {
    const { clusterIP: _ip, clusterIPs: _ips, ...others } = spec;
    return others;
  }
  const wanted = (spec.clusterIP as string | undefined) || (before.clusterIP as string | undefined);
  if (wanted === 'None' || (wanted !== undefined && wanted === before.clusterIP)) {
    return { ...spec, clusterIP: wanted, clusterIPs: before.clusterIPs ?? [wanted] };
  }
  const ip = serviceAllocator.allocateIp(wanted);
  if (ip !== undefined) return { ...spec, clusterIP: ip, clusterIPs: [ip] };
  const why = serviceAllocator.contains(String(wanted))
    ? 'provided IP is already allocated'
    : 'the provided network does not match the current range';
  const detail = `failed to allocate IP ${wanted}: ${why}`;
  throw refusal(name, { field: 'spec.clusterIPs', value: [wanted], detail });
}

/** Reports whether node ports are allocated automatically. */
const getsNodePorts = (spec: Fields): boolean =>
  isOutside(spec) && !(spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts === false);

function takenPort(
  { serviceAllocator }: ServerContext,
  name: string,
  { index, port }: { index: number; port: Port },
): number {
  const nodePort = serviceAllocator.allocatePort(port.nodePort || undefined);
  if (nodePort !== undefined) return nodePort;
  const value = port.nodePort!;
  throw refusal(name, { field: `spec.ports[${index}].nodePort`, value, detail: takenText(value) });
}

/** Allocates node ports; ports of the same number with different protocols share one. */
function withNodePorts(server: ServerContext, { name, spec, before }: Specs): Fields {
  if (!isOutside(spec)) return spec;
  const held = new Set(portsOf(before).map(({ nodePort }) => nodePort));
  const shared = new Map<unknown, number>();
  const ports = portsOf(spec).map((port, index) => {
    const wanted = port.nodePort || shared.get(port.port);
    if (!wanted && !getsNodePorts(spec)) return port;
    const isOurs = wanted !== undefined && (held.has(wanted) || [...shared.values()].includes(wanted));
    const nodePort = isOurs ? wanted : takenPort(server, name, { index, port });
    shared.set(port.port, nodePort);
    return { ...port, nodePort };
  });
  return { ...spec, ports };
}

/** Allocates the health check node port where one is needed. */
function withHealthCheckPort({ serviceAllocator }: ServerContext, { spec, before }: Specs): Fields {
  const { healthCheckNodePort: asked, ...others } = spec;
  if (!needsHealthPort(spec)) return others;
  const wanted = (asked || before.healthCheckNodePort) as number | undefined;
  if (wanted !== undefined && wanted === before.healthCheckNodePort) return { ...spec, healthCheckNodePort: wanted };
  const port = serviceAllocator.allocatePort(wanted);
  if (port !== undefined) return { ...spec, healthCheckNodePort: port };
  const why = `failed to allocate requested HealthCheck NodePort ${wanted}: ${takenText(wanted ?? 0)}`;
  throw failure('InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] });
}

/** Allocates node ports of duplicate ports, as the server does before validation rejects them. */
function withTellingPorts({ serviceAllocator }: ServerContext, spec: Fields): Fields {
  const ports = portsOf(spec);
  const ids = ports.map(({ protocol = 'TCP', port }) => `${protocol} ${port}`);
  if (!getsNodePorts(spec) || new Set(ids).size === ids.length) return spec;
  const chosen = new Map<unknown, number | undefined>();
  const made = ports.map((one) => {
    if (one.nodePort) return one;
    if (!chosen.has(one.port)) chosen.set(one.port, serviceAllocator.allocatePort());
    return { ...one, nodePort: chosen.get(one.port) };
  });
  serviceAllocator.release({ ips: [], ports: [...chosen.values()].filter((port) => port !== undefined) });
  return { ...spec, ports: made };
}

/** Returns the allocated addresses and ports of a spec. */
const heldBy = (spec: Fields): { ips: string[]; ports: number[] } => ({
  ips: Array.isArray(spec.clusterIPs) ? (spec.clusterIPs as string[]) : [],
  ports: [...portsOf(spec).map(({ nodePort }) => nodePort), spec.healthCheckNodePort].filter(
    (port): port is number => typeof port === 'number',
  ),
});

/** Returns what is held before and not after. */
const lost = (before: ReturnType<typeof heldBy>, after: ReturnType<typeof heldBy>): ReturnType<typeof heldBy> => ({
  ips: before.ips.filter((ip) => !after.ips.includes(ip)),
  ports: before.ports.filter((port) => !after.ports.includes(port)),
});

const ownIps = (spec: Fields): readonly string[] => heldBy(spec).ips.filter((ip) => ip !== 'None');

/** Returns the allocated addresses and ports of a Service. */
export const heldByService = (service: ApiObject): ReturnType<typeof heldBy> => heldBy(specOf(service));

/** Services: they hold addresses and node ports until they are deleted. */
export const serviceStrategy: Strategy = {
  unmanagedDefaults: [
    ['spec', 'ipFamilies'],
    ['spec', 'ipFamilyPolicy'],
  ],
  prepareForCreate(server, draft) {
    const spec = specOf(draft);
    draft.spec = withTellingPorts(server, inStep(spec, {}));
  },
  prepareForUpdate(draft, current, subresource) {
    if (subresource !== undefined) return;
    const before = specOf(current);
    draft.spec = asMeant(specOf(draft), before);
    if (typeOf(specOf(draft)) === 'LoadBalancer' || !isFields(draft.status)) return;
    draft.status = { ...draft.status, loadBalancer: {} };
  },
  allocate(server, draft, current) {
    const before = specOf(current);
    const { name = '' } = draft.metadata;
    const addressed = withClusterIp(server, { name, spec: specOf(draft), before });
    const ported = withNodePorts(server, { name, spec: addressed, before });
    const spec = withHealthCheckPort(server, { name, spec: ported, before });
    draft.spec = spec;
    server.serviceAllocator.release(lost(heldBy(before), heldBy(spec)));
  },
  releaseDryRun({ serviceAllocator }, draft, current) {
    const [made, before] = [heldBy(specOf(draft)), heldBy(specOf(current))];
    serviceAllocator.release(lost(made, before));
    const { ips, ports } = lost(before, made);
    for (const ip of ips) serviceAllocator.allocateIp(ip);
    for (const port of ports) serviceAllocator.allocatePort(port);
  },
  beforeStore(server, draft, current) {
    const { name = '', namespace = '' } = draft.metadata;
    const [held, kept] = [ownIps(specOf(current)), ownIps(specOf(draft))];
    keepAddresses(server, { name, namespace, ips: kept.filter((ip) => !held.includes(ip)) });
    dropAddresses(
      server,
      held.filter((ip) => !kept.includes(ip)),
    );
  },
  afterDelete(server, last) {
    const held = heldByService(last);
    server.serviceAllocator.release(held);
    if (last.metadata.resourceVersion !== undefined) dropAddresses(server, ownIps(specOf(last)));
  },
};

import type { FieldError } from '../field-error.ts';
import type { Machinery } from '../machinery.ts';
import { type ApiObject, type Draft, equal, type Fields, isFields } from '../objects/object.ts';
import { invalid } from '../status.ts';
import type { Strategy } from './strategy.ts';

interface Port {
  readonly nodePort?: number;
}

const specOf = (service: Draft | ApiObject | undefined): Fields => (isFields(service?.spec) ? service.spec : {});
const portsOf = (spec: Fields): readonly Port[] => (Array.isArray(spec.ports) ? (spec.ports as Port[]) : []);

/** A spec on its way, with the one it replaces. */
interface Specs {
  readonly name: string;
  readonly spec: Fields;
  readonly before: Fields;
}

const refusal = (name: string, error: Omit<FieldError, 'type'>) =>
  invalid({ group: '', kind: 'Service' }, name, [{ type: 'Invalid', ...error }]);

const ipsOf = ({ clusterIPs }: Fields): readonly unknown[] => (Array.isArray(clusterIPs) ? clusterIPs : []);

/** The spec with both fields of its addresses in step: who changes one of them only means both, and who says nothing keeps what there is. */
function inStep(spec: Fields, before: Fields): Fields {
  const isAddressed = spec.type !== 'ExternalName' && before.type !== 'ExternalName';
  const clusterIP = spec.clusterIP || (isAddressed ? before.clusterIP : undefined);
  const clusterIPs = ipsOf(spec).length > 0 || !isAddressed ? ipsOf(spec) : ipsOf(before);
  if (!clusterIP) return spec;
  const isMoved = clusterIP !== before.clusterIP && equal(clusterIPs, ipsOf(before));
  return { ...spec, clusterIP, clusterIPs: isMoved ? [clusterIP] : clusterIPs };
}

function withClusterIp({ addresses }: Machinery, { name, spec, before }: Specs): Fields {
  if (spec.type === 'ExternalName') {
    const { clusterIP: _ip, clusterIPs: _ips, ...others } = spec;
    return others;
  }
  const wanted = (spec.clusterIP as string | undefined) || (before.clusterIP as string | undefined);
  if (wanted === 'None' || (wanted !== undefined && wanted === before.clusterIP)) {
    return { ...spec, clusterIP: wanted, clusterIPs: before.clusterIPs ?? [wanted] };
  }
  const ip = addresses.takeIp(wanted);
  if (ip !== undefined) return { ...spec, clusterIP: ip, clusterIPs: [ip] };
  const why = addresses.isOurs(String(wanted))
    ? 'provided IP is already allocated'
    : 'the provided network does not match the current range';
  const detail = `failed to allocate IP ${wanted}: ${why}`;
  throw refusal(name, { field: 'spec.clusterIPs', value: [wanted], detail });
}

const hasNodePorts = ({ type, allocateLoadBalancerNodePorts }: Fields): boolean =>
  type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);

function withNodePorts({ addresses }: Machinery, { name, spec, before }: Specs): Fields {
  if (!hasNodePorts(spec)) return spec;
  const known = portsOf(before);
  const held = new Set(known.map(({ nodePort }) => nodePort));
  const ports = portsOf(spec).map((port, index) => {
    const wanted = port.nodePort ?? known[index]?.nodePort;
    if (wanted !== undefined && held.has(wanted)) return { ...port, nodePort: wanted };
    const nodePort = addresses.takePort(port.nodePort);
    if (nodePort !== undefined) return { ...port, nodePort };
    const field = `spec.ports[${index}].nodePort`;
    throw refusal(name, { field, value: port.nodePort, detail: 'provided port is already allocated' });
  });
  return { ...spec, ports };
}

/** Where load balancers ask whether a node has pods, when only such are to be asked. */
function withHealthCheckPort({ addresses }: Machinery, { name, spec, before }: Specs): Fields {
  const { healthCheckNodePort: asked, ...others } = spec;
  if (spec.type !== 'LoadBalancer' || spec.externalTrafficPolicy !== 'Local') return others;
  const wanted = (asked || before.healthCheckNodePort) as number | undefined;
  if (wanted !== undefined && wanted === before.healthCheckNodePort) return { ...spec, healthCheckNodePort: wanted };
  const port = addresses.takePort(wanted);
  if (port !== undefined) return { ...spec, healthCheckNodePort: port };
  const detail = `failed to allocate requested HealthCheck NodePort ${wanted}: provided port is already allocated`;
  throw refusal(name, { field: 'spec.healthCheckNodePort', value: wanted, detail });
}

/** What a spec holds of what the cluster hands out. */
const heldBy = (spec: Fields): { ips: string[]; ports: number[] } => ({
  ips: Array.isArray(spec.clusterIPs) ? (spec.clusterIPs as string[]) : [],
  ports: [...portsOf(spec).map(({ nodePort }) => nodePort), spec.healthCheckNodePort].filter(
    (port): port is number => typeof port === 'number',
  ),
});

/** What a Service holds of what the cluster hands out. */
export const heldByService = (service: ApiObject): ReturnType<typeof heldBy> => heldBy(specOf(service));

/** Services: addresses and node ports are theirs until they are gone. */
export const serviceStrategy: Strategy = {
  filledLate: [
    ['spec', 'ipFamilies'],
    ['spec', 'ipFamilyPolicy'],
  ],
  prepareForUpdate(draft, current) {
    draft.spec = inStep(specOf(draft), specOf(current));
  },
  allocate(machinery, draft, current) {
    const before = specOf(current);
    const { name = '' } = draft.metadata;
    const addressed = withClusterIp(machinery, { name, spec: specOf(draft), before });
    const ported = withNodePorts(machinery, { name, spec: addressed, before });
    const spec = withHealthCheckPort(machinery, { name, spec: ported, before });
    draft.spec = spec;
    const [held, kept] = [heldBy(before), heldBy(spec)];
    machinery.addresses.release({
      ips: held.ips.filter((ip) => !kept.ips.includes(ip)),
      ports: held.ports.filter((port) => !kept.ports.includes(port)),
    });
  },
  released: ({ addresses }, last) => addresses.release(heldByService(last)),
};

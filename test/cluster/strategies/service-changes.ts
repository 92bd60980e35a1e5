import { equal, type Fields } from '../objects/object.ts';
import { unexpected } from '../status.ts';

/** A port as far as it is about what the cluster hands out. */
export interface Port {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
  readonly nodePort?: number | undefined;
}

/** The ports of a service. */
export const portsOf = (spec: Fields): readonly Port[] => (Array.isArray(spec.ports) ? (spec.ports as Port[]) : []);
const ipsOf = ({ clusterIPs }: Fields): readonly unknown[] => (Array.isArray(clusterIPs) ? clusterIPs : []);

/** The spec with both fields of its addresses in step: who changes one of them only means both, and who says nothing keeps what there is. */
export function inStep(spec: Fields, before: Fields): Fields {
  const isAddressed = spec.type !== 'ExternalName' && before.type !== 'ExternalName';
  const clusterIP = spec.clusterIP || (isAddressed ? before.clusterIP : undefined);
  const clusterIPs = ipsOf(spec).length > 0 || !isAddressed ? ipsOf(spec) : ipsOf(before);
  if (!clusterIP) return spec;
  const isMoved = clusterIP !== before.clusterIP && equal(clusterIPs, ipsOf(before));
  return { ...spec, clusterIP, clusterIPs: isMoved ? [clusterIP] : clusterIPs };
}

/** Whether a service is reached by ports of nodes. */
export const isOutside = ({ type }: Fields): boolean => type === 'NodePort' || type === 'LoadBalancer';

/** Whether balancers have to ask nodes whether they have pods. */
export const needsHealthPort = ({ type, externalTrafficPolicy }: Fields): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** What type a service is of. */
export const typeOf = ({ type }: Fields): unknown => type ?? 'ClusterIP';
const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : []);

/** What a client leaves out of what it was given stays. */
function carried(spec: Fields, before: Fields): Fields {
  const made: Fields = { ...inStep(spec, before) };
  if (typeOf(spec) === 'ExternalName' || before.type === 'ExternalName') return made;
  if (made.ipFamilyPolicy === undefined && before.ipFamilyPolicy !== undefined)
    made.ipFamilyPolicy = before.ipFamilyPolicy;
  if (isOutside(spec) && isOutside(before)) made.ports = withKnownPorts(portsOf(spec), portsOf(before));
  if (needsHealthPort(spec) && needsHealthPort(before)) made.healthCheckNodePort ||= before.healthCheckNodePort;
  return made;
}

function withKnownPorts(ports: readonly Port[], former: readonly Port[]): readonly Port[] {
  const nodePorts = (list: readonly Port[]): readonly unknown[] => list.map(({ nodePort }) => nodePort).filter(Boolean);
  const used = nodePorts(former).filter((port) => nodePorts(ports).includes(port));
  const named = new Map(former.map(({ name = '', nodePort }) => [name, nodePort]));
  const made = ports.map((port) => {
    const known = named.get(port.name ?? '');
    return port.nodePort || !known || used.includes(known) ? port : { ...port, nodePort: known };
  });
  const seen = new Set<string>();
  for (const { protocol = 'TCP', nodePort } of made) {
    const id = `${protocol} ${nodePort}`;
    if (nodePort && seen.has(id)) throw unexpected(`duplicate nodePort: {${id}}`);
    seen.add(id);
  }
  return made;
}

const without = (spec: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(spec).filter(([name]) => !names.includes(name)));

/** What goes by itself with a change of the type, unless somebody has changed that, too. */
function withoutOthers(spec: Fields, before: Fields): Fields {
  const [now, then] = [typeOf(spec), before.type];
  const isSame = (name: string): boolean => equal(spec[name], before[name]);
  const isExternal = (one: Fields): boolean =>
    isOutside(one) || (typeOf(one) === 'ClusterIP' && textsOf(one.externalIPs).length > 0);
  const gone = [
    ...(now === 'ExternalName' && then !== 'ExternalName'
      ? [
          ...(isSame('clusterIP') && isSame('clusterIPs') ? ['clusterIP', 'clusterIPs'] : []),
          ...['ipFamilies', 'ipFamilyPolicy'].filter(isSame),
        ]
      : []),
    ...(needsHealthPort(before) && !needsHealthPort(spec) ? ['healthCheckNodePort'].filter(isSame) : []),
    ...(then === 'LoadBalancer' && now !== 'LoadBalancer'
      ? ['allocateLoadBalancerNodePorts', 'loadBalancerClass'].filter(isSame)
      : []),
    ...(isExternal(before) && !isExternal(spec) ? ['externalTrafficPolicy'].filter(isSame) : []),
  ];
  const rest = without(spec, gone);
  const known = portsOf(before).map(({ nodePort }) => nodePort);
  const isFree = isOutside(before) && !isOutside(spec);
  if (!isFree || portsOf(spec).some(({ nodePort }) => nodePort && !known.includes(nodePort))) return rest;
  return { ...rest, ports: portsOf(spec).map((port) => without(port as Fields, ['nodePort'])) };
}

/** A new spec as it is meant: with what a client has left out of what it was given, without what has gone by itself. */
export const asMeant = (spec: Fields, before: Fields): Fields => withoutOthers(carried(spec, before), before);

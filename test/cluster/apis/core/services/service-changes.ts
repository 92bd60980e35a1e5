/** Changes of Services' types, addresses and ports. */

import { equal, type Fields } from '../../../apimachinery/object.ts';
import { unexpected } from '../../../apimachinery/status.ts';

/** Port, with the fields that matter for allocation. */
export interface Port {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
  readonly nodePort?: number | undefined;
}

/** Returns the ports of a Service. */
export const portsOf = (spec: Fields): readonly Port[] => (Array.isArray(spec.ports) ? (spec.ports as Port[]) : []);
const ipsOf = ({ clusterIPs }: Fields): readonly unknown[] => (Array.isArray(clusterIPs) ? clusterIPs : []);

/** Synchronizes `clusterIP` and `clusterIPs`: a change of one applies to both, and absent values are kept. */
export function inStep(spec: Fields, before: Fields): Fields {
  const isAddressed = spec.type !== 'ExternalName' && before.type !== 'ExternalName';
  const clusterIP = spec.clusterIP || (isAddressed ? before.clusterIP : undefined);
  const clusterIPs = ipsOf(spec).length > 0 || !isAddressed ? ipsOf(spec) : ipsOf(before);
  if (!clusterIP) return spec;
  const isMoved = clusterIP !== before.clusterIP && equal(clusterIPs, ipsOf(before));
  return { ...spec, clusterIP, clusterIPs: isMoved ? [clusterIP] : clusterIPs };
}

/** Reports whether a Service needs node ports. */
export const isOutside = ({ type }: Fields): boolean => type === 'NodePort' || type === 'LoadBalancer';

/** Reports whether a Service needs a health check node port. */
export const needsHealthPort = ({ type, externalTrafficPolicy }: Fields): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** Returns the type of a Service. */
export const typeOf = ({ type }: Fields): unknown => type ?? 'ClusterIP';
const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : []);

/** Restores allocated fields that an update leaves out. */
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
  const wanted = new Set(nodePorts(ports));
  const used = new Set(nodePorts(former).filter((port) => wanted.has(port)));
  const named = new Map(former.map(({ name = '', nodePort }) => [name, nodePort]));
  const made = ports.map((port) => {
    const known = named.get(port.name ?? '');
    return port.nodePort || !known || used.has(known) ? port : { ...port, nodePort: known };
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

/** Removes fields that a change of type clears, unless the update changes them too. */
function withoutOthers(spec: Fields, before: Fields): Fields {
  const [now, then] = [typeOf(spec), before.type];
  const isSame = (name: string): boolean => equal(spec[name], before[name]);
  const isExternal = (one: Fields): boolean =>
    isOutside(one) || (typeOf(one) === 'ClusterIP' && textsOf(one.externalIPs).length > 0);
  const addresses = isSame('clusterIP') && isSame('clusterIPs') ? ['clusterIP', 'clusterIPs'] : [];
  const clearing: readonly (readonly [applies: boolean, names: readonly string[]])[] = [
    [now === 'ExternalName' && then !== 'ExternalName', [...addresses, 'ipFamilies', 'ipFamilyPolicy']],
    [needsHealthPort(before) && !needsHealthPort(spec), ['healthCheckNodePort']],
    [then === 'LoadBalancer' && now !== 'LoadBalancer', ['allocateLoadBalancerNodePorts', 'loadBalancerClass']],
    [isExternal(before) && !isExternal(spec), ['externalTrafficPolicy']],
  ];
  const gone = clearing.flatMap(([applies, names]) => (applies ? names.filter(isSame) : []));
  const rest = without(spec, gone);
  const known = portsOf(before).map(({ nodePort }) => nodePort);
  const isFree = isOutside(before) && !isOutside(spec);
  if (!isFree || portsOf(spec).some(({ nodePort }) => nodePort && !known.includes(nodePort))) return rest;
  return { ...rest, ports: portsOf(spec).map((port) => without(port as Fields, ['nodePort'])) };
}

/** Returns an updated spec with omitted allocations restored and obsolete ones removed. */
export const asMeant = (spec: Fields, before: Fields): Fields => withoutOthers(carried(spec, before), before);

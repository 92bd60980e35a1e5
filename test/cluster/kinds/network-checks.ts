import type { FieldError } from '../field-error.ts';
import type { Fields } from '../objects/object.ts';
import { addressRange, ipAddress, portNumberOrName } from './address-rules.ts';
import {
  badPort,
  type Check,
  duplicates,
  fieldsOf,
  forbidden,
  invalid,
  listOf,
  required,
  unsupported,
} from './checks.ts';
import { isLabel, isQualifiedName, isSubdomain } from './names.ts';
import { each, fields, filled, given, inRange, labels, named, oneOf } from './rules.ts';

function* servicePortErrors(ports: readonly Fields[]): Generator<FieldError> {
  const seen = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = `spec.ports[${index}]`;
    if (!port.name && ports.length > 1) yield required(`${at}.name`);
    else if (port.name) for (const detail of isLabel(String(port.name))) yield invalid(`${at}.name`, port.name, detail);
    yield* badPort(`${at}.port`, port.port ?? 0);
    yield* unsupported(`${at}.protocol`, port.protocol, ['SCTP', 'TCP', 'UDP']);
    yield* given(portNumberOrName)(port.targetPort, `${at}.targetPort`);
    yield* given(named(isQualifiedName))(port.appProtocol, `${at}.appProtocol`);
    const id = `${port.protocol}/${port.port}`;
    if (seen.has(id)) {
      const value = { protocol: port.protocol, port: port.port, targetPort: 0 };
      yield { type: 'Duplicate', field: at, value };
    }
    seen.add(id);
  }
  yield* duplicates(ports, (index) => `spec.ports[${index}]`, 'name');
}

const serviceTypes = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

const seconds = inRange(1, 86_400, 'must be greater than 0 and less than 86400');
const trafficPolicy = oneOf('Cluster', 'Local');

const moreRules = fields({
  selector: labels,
  sessionAffinity: oneOf('ClientIP', 'None'),
  sessionAffinityConfig: fields({ clientIP: fields({ timeoutSeconds: seconds }) }),
  externalIPs: each(ipAddress),
  ipFamilies: each(oneOf('IPv4', 'IPv6')),
  ipFamilyPolicy: oneOf('PreferDualStack', 'RequireDualStack', 'SingleStack'),
  internalTrafficPolicy: trafficPolicy,
  externalTrafficPolicy: filled(trafficPolicy),
  trafficDistribution: oneOf('PreferClose', 'PreferSameZone', 'PreferSameNode'),
});

const onlyBalanced = "may only be used when `type` is 'LoadBalancer'";

/** What only load balancers have. */
function* balancerErrors(spec: Fields): Generator<FieldError> {
  const { loadBalancerSourceRanges: ranges, loadBalancerClass: name, type } = spec;
  if (type === 'LoadBalancer') {
    yield* each(addressRange)(ranges, 'spec.LoadBalancerSourceRanges');
    yield* given(named(isQualifiedName))(name, 'spec.loadBalancerClass');
  } else {
    if (Array.isArray(ranges) && ranges.length > 0) yield forbidden('spec.LoadBalancerSourceRanges', onlyBalanced);
    if (name !== undefined) yield forbidden('spec.loadBalancerClass', onlyBalanced);
  }
}

const service: Check = function* ({ spec: value }, old) {
  const spec = fieldsOf(value);
  const ports = listOf(spec.ports);
  const isHeadless = spec.clusterIP === 'None';
  if (ports.length === 0 && !isHeadless && spec.type !== 'ExternalName') yield required('spec.ports');
  yield* servicePortErrors(ports);
  yield* unsupported('spec.type', spec.type, serviceTypes);
  yield* moreRules(spec, 'spec');
  yield* balancerErrors(spec);
  if (spec.type === 'ExternalName') {
    for (const detail of isSubdomain(String(spec.externalName ?? '').replace(/\.$/, ''))) {
      yield invalid('spec.externalName', spec.externalName ?? '', detail);
    }
  }
  const before = fieldsOf(old?.spec);
  const [held] = Array.isArray(before.clusterIPs) ? before.clusterIPs : [];
  const [wanted] = Array.isArray(spec.clusterIPs) ? spec.clusterIPs : [];
  const keepsIp = before.type !== 'ExternalName' && spec.type !== 'ExternalName';
  if (keepsIp && held !== undefined && wanted !== undefined && held !== wanted) {
    yield invalid('spec.clusterIPs[0]', spec.clusterIPs, 'may not change once set');
  }
};

/** Rules of services and what routes to them, by type. */
export const networkChecks: Readonly<Record<string, Check>> = {
  'core.Service': service,
};

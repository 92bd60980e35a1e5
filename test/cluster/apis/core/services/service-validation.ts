/** Validates Services. */

import type { FieldError } from '../../../apimachinery/field-error.ts';
import { isLabel, isQualifiedName, isSubdomain } from '../../../apimachinery/name-validation.ts';
import { equal, type Fields } from '../../../apimachinery/object.ts';
import {
  addressRange,
  endpointAddress,
  ipAddress,
  portNumber,
  portNumberOrName,
} from '../../../apimachinery/validation/address-rules.ts';
import {
  each,
  fields,
  inRange,
  labels,
  named,
  oneOf,
  optional,
  requiredValue,
} from '../../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, forbidden, invalid, listOf, required } from '../../../apimachinery/validation/errors.ts';
import { asGo } from '../../../resources/go-form.ts';
import { assignmentErrors, clusterIpErrors, isHeadless } from './cluster-ip-validation.ts';

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : []);
const isBalanced = ({ type }: Fields): boolean => type === 'LoadBalancer';

const portRules = fields({
  port: portNumber,
  protocol: requiredValue('', oneOf('SCTP', 'TCP', 'UDP')),
  targetPort: optional(portNumberOrName),
  appProtocol: optional(named(isQualifiedName)),
});

function* portErrors(ports: readonly Fields[]): Generator<FieldError> {
  const names = new Set<unknown>();
  for (const [index, port] of ports.entries()) {
    const at = `spec.ports[${index}]`;
    const { name } = port;
    if (!name && ports.length > 1) yield required(`${at}.name`);
    else if (name) {
      yield* named(isLabel)(name, `${at}.name`);
      if (names.has(name)) yield { type: 'Duplicate', field: `${at}.name`, value: name };
      names.add(name);
    }
    yield* portRules(port, at);
  }
}

/** Reports duplicate ports: node ports first, then ports of the Service. */
function* twiceErrors(ports: readonly Fields[]): Generator<FieldError> {
  const seen = new Set<string>();
  for (const [index, { protocol, nodePort }] of ports.entries()) {
    const id = `${protocol} ${nodePort}`;
    if (nodePort && seen.has(id)) yield { type: 'Duplicate', field: `spec.ports[${index}].nodePort`, value: nodePort };
    seen.add(id);
  }
  const known = new Set<string>();
  for (const [index, { protocol, port }] of ports.entries()) {
    const value = asGo('core.ServicePort', { protocol, port });
    if (known.has(`${protocol} ${port}`)) yield { type: 'Duplicate', field: `spec.ports[${index}]`, value };
    known.add(`${protocol} ${port}`);
  }
}

const notOfNames = 'may not be set for ExternalName services';

function* typeErrors(spec: Fields): Generator<FieldError> {
  const { type, externalName } = spec;
  const isOutside = type === 'LoadBalancer' || type === 'NodePort';
  if (isOutside && isHeadless(spec)) {
    yield invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`);
  }
  if (type !== 'ExternalName') return;
  for (const name of ['clusterIPs', 'ipFamilies']) {
    if (textsOf(spec[name]).length > 0) yield forbidden(`spec.${name}`, notOfNames);
  }
  if (spec.ipFamilyPolicy !== undefined) yield forbidden('spec.ipFamilyPolicy', notOfNames);
  const name = String(externalName ?? '').replace(/\.$/, '');
  yield* requiredValue('', named(isSubdomain))(name, 'spec.externalName');
}

const maxLength = inRange(1, 86_400, 'must be greater than 0 and less than 86400');

function* affinityErrors({ sessionAffinity, sessionAffinityConfig: config }: Fields): Generator<FieldError> {
  yield* requiredValue('', oneOf('ClientIP', 'None'))(sessionAffinity, 'spec.sessionAffinity');
  if (sessionAffinity !== 'ClientIP') return;
  const { timeoutSeconds } = fieldsOf(fieldsOf(config).clientIP);
  yield* maxLength(timeoutSeconds, 'spec.sessionAffinityConfig.clientIP.timeoutSeconds');
}

const onlyBalanced = "may only be used when `type` is 'LoadBalancer'";
const rangesNote = 'service.beta.kubernetes.io/load-balancer-source-ranges';

function* sourceErrors({ metadata, spec: value }: Fields, old: Fields | undefined): Generator<FieldError> {
  const spec = fieldsOf(value);
  const ranges = textsOf(spec.loadBalancerSourceRanges);
  const at = 'spec.LoadBalancerSourceRanges';
  if (ranges.length > 0) {
    if (!isBalanced(spec)) yield forbidden(at, onlyBalanced);
    yield* each(addressRange)(
      ranges.map((range) => range.trim()),
      at,
    );
    return;
  }
  const note = fieldsOf(fieldsOf(metadata).annotations)[rangesNote];
  if (note === undefined) return;
  const noteAt = `metadata.annotations[${rangesNote}]`;
  if (!isBalanced(spec)) yield forbidden(noteAt, onlyBalanced);
  const isKnown = old !== undefined && fieldsOf(fieldsOf(old.metadata).annotations)[rangesNote] === note;
  if (isKnown || String(note).trim() === '') return;
  for (const range of String(note).trim().split(',')) yield* addressRange(range.trim(), noteAt);
}

function* classErrors({ type, loadBalancerClass: name }: Fields): Generator<FieldError> {
  if (name === undefined) return;
  if (type === 'LoadBalancer') yield* named(isQualifiedName)(name, 'spec.loadBalancerClass');
  else yield forbidden('spec.loadBalancerClass', onlyBalanced);
}

const isExternal = ({ type, externalIPs }: Fields): boolean =>
  type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && textsOf(externalIPs).length > 0);

const needsHealthPort = ({ type, externalTrafficPolicy }: Fields): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

const policies = oneOf('Cluster', 'Local');
const healthOnly = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";

function* trafficErrors(spec: Fields): Generator<FieldError> {
  const { externalTrafficPolicy: policy, healthCheckNodePort: port } = spec;
  const at = 'spec.externalTrafficPolicy';
  if (isExternal(spec)) yield* requiredValue('', policies)(policy, at);
  else if (policy) yield invalid(at, policy, 'may only be set for externally-accessible services');
  if (!needsHealthPort(spec) && port) yield invalid('spec.healthCheckNodePort', port, healthOnly);
  else if (port) yield* portNumber(port, 'spec.healthCheckNodePort');
  yield* policies(spec.internalTrafficPolicy, 'spec.internalTrafficPolicy');
  yield* oneOf('PreferClose', 'PreferSameZone', 'PreferSameNode')(spec.trafficDistribution, 'spec.trafficDistribution');
}

const hints = 'service.kubernetes.io/topology-aware-hints';
const mode = 'service.kubernetes.io/topology-mode';

function* noteErrors({ metadata }: Fields): Generator<FieldError> {
  const { [hints]: hint, [mode]: value } = fieldsOf(fieldsOf(metadata).annotations);
  if (hint === undefined || value === undefined || hint === value) return;
  yield invalid(`metadata.annotations[${mode}]`, value, `must match annotations[${hints}] when both are specified`);
}

function* externalAddressErrors(spec: Fields, before: Fields): Generator<FieldError> {
  const held = textsOf(before.externalIPs);
  for (const [index, ip] of textsOf(spec.externalIPs).entries()) {
    const at = `spec.externalIPs[${index}]`;
    const problems = held.includes(ip) ? [] : [...ipAddress(ip, at)];
    yield* problems.length > 0 ? problems : endpointAddress(ip, at);
  }
}

function* serviceErrors(object: Fields, old: Fields | undefined): Generator<FieldError> {
  const [spec, before] = [fieldsOf(object.spec), fieldsOf(old?.spec)];
  const ports = listOf(spec.ports);
  yield* noteErrors(object);
  if (ports.length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName') yield required('spec.ports');
  yield* typeErrors(spec);
  yield* portErrors(ports);
  yield* labels(spec.selector, 'spec.selector');
  yield* affinityErrors(spec);
  yield* clusterIpErrors(spec, textsOf(before.clusterIPs));
  yield* externalAddressErrors(spec, before);
  yield* requiredValue('', oneOf('ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'))(spec.type, 'spec.type');
  if (spec.type === 'ClusterIP') {
    for (const [index, { nodePort }] of ports.entries()) {
      const detail = "may not be used when `type` is 'ClusterIP'";
      if (nodePort) yield forbidden(`spec.ports[${index}].nodePort`, detail);
    }
  }
  yield* twiceErrors(ports);
  yield* sourceErrors(object, old);
  if (spec.allocateLoadBalancerNodePorts !== undefined && !isBalanced(spec)) {
    yield forbidden('spec.allocateLoadBalancerNodePorts', onlyBalanced);
  }
  yield* classErrors(spec);
  yield* trafficErrors(spec);
}

const once = 'may not change once set';

/** Validates that cluster IPs stay. */
function* heldErrors(ips: readonly string[], held: readonly string[]): Generator<FieldError> {
  for (const [index, ip] of held.entries()) {
    if (ips.length > 0 && ip !== ips[index]) yield invalid(`spec.clusterIPs[${index}]`, ips, once);
  }
  if (ips.length === 0 && held.length > 0)
    yield invalid('spec.clusterIPs[0]', ips, 'primary clusterIP can not be unset');
}

function* changeErrors(spec: Fields, before: Fields): Generator<FieldError> {
  const both = (holds: (spec: Fields) => boolean): boolean => holds(spec) && holds(before);
  if (both(({ type }) => type !== 'ExternalName') && !both(isHeadless))
    yield* heldErrors(textsOf(spec.clusterIPs), textsOf(before.clusterIPs));
  if (both(isBalanced) && !equal(spec.loadBalancerClass, before.loadBalancerClass)) {
    yield invalid('spec.loadBalancerClass', spec.loadBalancerClass, once);
  }
  yield* classErrors(spec);
  if (both(needsHealthPort) && spec.healthCheckNodePort !== before.healthCheckNodePort) {
    yield forbidden('spec.healthCheckNodePort', 'field is immutable');
  }
}

/** Validates Services: whether the type allows cluster addresses at all is checked before anything else. */
export const service: Check = function* (object, old) {
  const [spec, before] = [fieldsOf(object.spec), fieldsOf(old?.spec)];
  const early = [...assignmentErrors(spec, textsOf(before.clusterIPs))];
  yield* early;
  if (early.length > 0) return;
  if (old !== undefined) yield* changeErrors(spec, before);
  yield* serviceErrors(object, old);
};

function* ingressErrors(one: Fields, at: string): Generator<FieldError> {
  const { ip, ipMode, hostname } = one;
  if (ip) yield* ipAddress(ip, `${at}.ip`);
  if (ipMode === undefined) {
    if (ip) yield required(`${at}.ipMode`, 'must be specified when `ip` is set');
  } else if (!ip) yield forbidden(`${at}.ipMode`, 'may not be specified when `ip` is not set');
  else yield* oneOf('Proxy', 'VIP')(ipMode, `${at}.ipMode`);
  if (hostname) yield* hostErrors(hostname, `${at}.hostname`);
}

/** Validates the host name of a load balancer, which must not be an address. */
export function* hostErrors(hostname: unknown, at: string): Generator<FieldError> {
  yield* named(isSubdomain)(hostname, at);
  if ([...ipAddress(hostname, at)].length === 0) yield invalid(at, hostname, 'must be a DNS name, not an IP address');
}

/** Validates the status of Services: the addresses of their load balancers. */
export const serviceStatus: Check = function* ({ spec, status }) {
  const at = 'status.loadBalancer.ingress';
  const ingress = listOf(fieldsOf(fieldsOf(status).loadBalancer).ingress);
  if (!isBalanced(fieldsOf(spec)) && ingress.length > 0) {
    yield forbidden(at, "may only be used when `spec.type` is 'LoadBalancer'");
  } else for (const [index, one] of ingress.entries()) yield* ingressErrors(one, `${at}[${index}]`);
};

/** Validates Ingresses, IngressClasses and NetworkPolicies. */

import { addressFamily } from '../../apimachinery/formats/canonical-ip.ts';
import { isLabel, isLabel1035, isSubdomain, isWildcard } from '../../apimachinery/name-validation.ts';
import {
  addressRange,
  ipAddress,
  isWithin,
  namedPort,
  portNumber,
  portNumberOrName,
} from '../../apimachinery/validation/address-rules.ts';
import {
  each,
  fields,
  labelSelector,
  named,
  oneOf,
  optional,
  optionalOrEmpty,
  type Rule,
  requiredValue,
  some,
} from '../../apimachinery/validation/combinators.ts';
import { memberAsSent } from '../../apimachinery/validation/empty-members.ts';
import {
  type Check,
  fieldsOf,
  forbidden,
  immutable,
  invalid,
  listOf,
  required,
} from '../../apimachinery/validation/errors.ts';
import { hostErrors } from '../core/services/service-validation.ts';

const reference = fields({ apiGroup: optional(named(isSubdomain)), kind: requiredValue(), name: requiredValue() });

const target: Rule = function* (value, path) {
  const { name, port } = fieldsOf(value);
  const { name: portName, number } = fieldsOf(port);
  yield* requiredValue('', named(isLabel1035))(name, `${path}.service.name`);
  if (portName && number) yield invalid(path, '', 'cannot set both port name & port number');
  else if (portName) yield* namedPort(portName, `${path}.service.port.name`);
  else if (number) yield* portNumber(number, `${path}.service.port.number`);
  else yield required(path, 'port name or number is required');
};

const backend: Rule = function* (value, path) {
  const { service, resource } = fieldsOf(value);
  if (service !== undefined && resource !== undefined) {
    yield invalid(path, '', 'cannot set both resource and service backends');
  } else if (resource !== undefined) yield* reference(resource, `${path}.resource`);
  else if (service !== undefined) yield* target(service, path);
  else yield invalid(path, '', 'resource or service backend is required');
};

const absolute: Rule = function* (value, path) {
  if (!String(value ?? '').startsWith('/')) yield invalid(path, value ?? '', 'must be an absolute path');
};

const forbiddenParts = ['//', '/./', '/../', '%2f', '%2F'];
const forbiddenEnds = ['/..', '/.'];

/** Rule of paths in normal form, for exact matches and prefixes. */
const plainPath: Rule = function* (value, path) {
  const text = String(value ?? '');
  yield* absolute(text, path);
  for (const part of forbiddenParts) if (text.includes(part)) yield invalid(path, text, `must not contain '${part}'`);
  for (const end of forbiddenEnds) if (text.endsWith(end)) yield invalid(path, text, `cannot end with '${end}'`);
};

const pathTypes = oneOf('Exact', 'ImplementationSpecific', 'Prefix');

const httpPath: Rule = function* (value, path) {
  const { pathType, path: text } = fieldsOf(value);
  if (pathType === undefined || pathType === null) {
    yield required(`${path}.pathType`, 'pathType must be specified');
    return;
  }
  if (pathType === 'Exact' || pathType === 'Prefix') yield* plainPath(text, `${path}.path`);
  else if (pathType === 'ImplementationSpecific') yield* optionalOrEmpty(absolute)(text, `${path}.path`);
  else yield* pathTypes(pathType, `${path}.pathType`);
  yield* backend(fieldsOf(value).backend, `${path}.backend`);
};

const tlsHost: Rule = (value, path) => named(String(value).includes('*') ? isWildcard : isSubdomain)(value, path);

const host: Rule = function* (value, path) {
  if (addressFamily(String(value)) !== 0) yield invalid(path, value, 'must be a DNS name, not an IP address');
  yield* tlsHost(value, path);
};

const ingressRules = fields({
  defaultBackend: optional(backend),
  rules: each(fields({ host: optionalOrEmpty(host), http: optional(fields({ paths: some('', httpPath) })) })),
  tls: each(fields({ hosts: each(tlsHost), secretName: optionalOrEmpty(named(isSubdomain)) })),
  ingressClassName: optional(named(isSubdomain)),
});

const classNote = 'kubernetes.io/ingress.class';

/** Validates an Ingress. */
export const ingress: Check = function* ({ metadata, spec: value }, old) {
  const spec = fieldsOf(value);
  if (listOf(spec.rules).length === 0 && spec.defaultBackend === undefined) {
    yield invalid('spec', memberAsSent(spec, 'rules'), 'either `defaultBackend` or `rules` must be specified');
  }
  yield* ingressRules(spec, 'spec');
  const note = fieldsOf(fieldsOf(metadata).annotations)[classNote];
  const { ingressClassName: name } = spec;
  if (old === undefined && note !== undefined && name !== undefined && note !== name) {
    yield invalid(`annotations.${classNote}`, note, 'must match `ingressClassName` when both are specified');
  }
};

/** Validates the status of Ingresses: the addresses of their load balancers. */
export const ingressStatus: Check = function* ({ status }) {
  const { ingress: list } = fieldsOf(fieldsOf(status).loadBalancer);
  for (const [index, { ip, hostname }] of listOf(list).entries()) {
    const at = `status.loadBalancer.ingress[${index}]`;
    yield* optionalOrEmpty(ipAddress)(ip, `${at}.ip`);
    if (hostname) yield* hostErrors(hostname, `${at}.hostname`);
  }
};

const ingressController: Rule = function* (value, path) {
  const [domain = '', name = ''] = String(value).split(/\/(.*)/s);
  if (isSubdomain(domain).length > 0 || name === '') {
    yield invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")');
  }
};

const classParameters: Rule = function* (value, path) {
  const { scope, namespace } = fieldsOf(value);
  yield* reference(value, path);
  yield* oneOf('Cluster', 'Namespace')(scope ?? 'Cluster', `${path}.scope`);
  if (scope === 'Namespace') {
    if (namespace === undefined) yield required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'");
    else yield* named(isLabel)(namespace, `${path}.namespace`);
  } else if ((scope === 'Cluster' || scope === undefined) && namespace !== undefined) {
    yield forbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'");
  }
};

const classRules = fields({ controller: requiredValue('', ingressController), parameters: optional(classParameters) });

/** Validates an IngressClass. */
export const ingressClass: Check = function* ({ spec }, old) {
  if (old !== undefined) {
    yield* immutable('spec.controller', fieldsOf(spec).controller ?? '', fieldsOf(old.spec).controller);
  }
  yield* classRules(spec, 'spec');
};

const policyPort: Rule = function* (value, path) {
  const { protocol, port, endPort } = fieldsOf(value);
  yield* optional(oneOf('TCP', 'UDP', 'SCTP'))(protocol, `${path}.protocol`);
  const at = `${path}.endPort`;
  if (port !== undefined) {
    yield* portNumberOrName(port, `${path}.port`);
    if (typeof endPort !== 'number') return;
    if (typeof port !== 'number') yield invalid(at, endPort, 'may not be specified when `port` is non-numeric');
    else {
      if (endPort < port) yield invalid(at, port, 'must be greater than or equal to `port`');
      yield* portNumber(endPort, at);
    }
  } else if (endPort !== undefined) yield invalid(at, endPort, 'may not be specified when `port` is not specified');
};

const block: Rule = function* (value, path) {
  const { cidr, except } = fieldsOf(value);
  const problems = [...requiredValue('', addressRange)(cidr, `${path}.cidr`)];
  yield* problems;
  if (problems.length > 0) return;
  for (const [index, range] of (Array.isArray(except) ? (except as string[]) : []).entries()) {
    const at = `${path}.except[${index}]`;
    const wrong = [...addressRange(range, at)];
    yield* wrong;
    if (wrong.length === 0 && !isWithin(range, String(cidr))) {
      yield invalid(at, range, 'must be a strict subset of `cidr`');
    }
  }
};

const peer: Rule = function* (value, path) {
  const { podSelector, namespaceSelector, ipBlock } = fieldsOf(value);
  if ([podSelector, namespaceSelector, ipBlock].every((one) => one === undefined)) {
    yield required(path, 'must specify a peer');
  }
  yield* optional(labelSelector)(podSelector, `${path}.podSelector`);
  yield* optional(labelSelector)(namespaceSelector, `${path}.namespaceSelector`);
  yield* optional(block)(ipBlock, `${path}.ipBlock`);
  if (ipBlock !== undefined && (podSelector !== undefined || namespaceSelector !== undefined)) {
    yield forbidden(path, 'may not specify both ipBlock and another peer');
  }
};

const policyRules = fields({
  podSelector: optional(labelSelector),
  ingress: each(fields({ ports: each(policyPort), from: each(peer) })),
  egress: each(fields({ ports: each(policyPort), to: each(peer) })),
});

/** Validates a NetworkPolicy. */
export const networkPolicy: Check = function* ({ spec }) {
  yield* policyRules(spec, 'spec');
  const { policyTypes } = fieldsOf(spec);
  if (Array.isArray(policyTypes) && policyTypes.length > 2) {
    yield invalid('spec.policyTypes', policyTypes, 'may not specify more than two policyTypes');
  } else yield* each(oneOf('Ingress', 'Egress'))(policyTypes, 'spec.policyTypes');
};

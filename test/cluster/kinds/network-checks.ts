import type { FieldError } from '../field-error.ts';
import { equal, type Fields } from '../objects/object.ts';
import { badPort, type Check, duplicates, fieldsOf, invalid, listOf, required, unsupported } from './checks.ts';
import { isLabel, isSubdomain } from './names.ts';

function* servicePortErrors(ports: readonly Fields[]): Generator<FieldError> {
  const seen = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = `spec.ports[${index}]`;
    if (!port.name && ports.length > 1) yield required(`${at}.name`);
    else if (port.name) for (const detail of isLabel(String(port.name))) yield invalid(`${at}.name`, port.name, detail);
    if (typeof port.port !== 'number') yield required(`${at}.port`);
    else yield* badPort(`${at}.port`, port.port);
    yield* unsupported(`${at}.protocol`, port.protocol, ['SCTP', 'TCP', 'UDP']);
    if (typeof port.targetPort === 'number') yield* badPort(`${at}.targetPort`, port.targetPort);
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

const service: Check = function* ({ spec: value }, old) {
  const spec = fieldsOf(value);
  const ports = listOf(spec.ports);
  const isHeadless = spec.clusterIP === 'None';
  if (ports.length === 0 && !isHeadless && spec.type !== 'ExternalName') yield required('spec.ports');
  yield* servicePortErrors(ports);
  yield* unsupported('spec.type', spec.type, serviceTypes);
  yield* unsupported('spec.sessionAffinity', spec.sessionAffinity, ['ClientIP', 'None']);
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

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

function* backendErrors(backend: Fields, path: string): Generator<FieldError> {
  const { service: target, resource } = backend;
  if (target === undefined && resource === undefined) yield required(path, 'must specify a backend');
  const { name, port } = fieldsOf(target);
  if (target !== undefined && !name) yield required(`${path}.service.name`);
  if (target !== undefined && Object.keys(fieldsOf(port)).length === 0) {
    yield required(`${path}.service.port`, 'port name or number is required');
  }
}

const ingress: Check = function* ({ spec: value }) {
  const { rules, defaultBackend } = fieldsOf(value);
  if (listOf(rules).length === 0 && defaultBackend === undefined) {
    yield invalid('spec', value, 'either `defaultBackend` or `rules` must be specified');
  }
  if (defaultBackend !== undefined) yield* backendErrors(fieldsOf(defaultBackend), 'spec.defaultBackend');
  for (const [index, rule] of listOf(rules).entries()) {
    const http = fieldsOf(rule.http);
    for (const [at, path] of listOf(http.paths).entries()) {
      const field = `spec.rules[${index}].http.paths[${at}]`;
      if (path.pathType === undefined) yield required(`${field}.pathType`, 'pathType must be specified');
      else yield* unsupported(`${field}.pathType`, path.pathType, pathTypes);
      const text = String(path.path ?? '');
      if (path.pathType !== 'ImplementationSpecific' && !text.startsWith('/')) {
        yield invalid(`${field}.path`, text, 'must be an absolute path');
      }
      yield* backendErrors(fieldsOf(path.backend), `${field}.backend`);
    }
  }
};

function* policyPortErrors({ port, endPort, protocol }: Fields, field: string): Generator<FieldError> {
  if (protocol !== undefined) yield* unsupported(`${field}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']);
  if (typeof port === 'number') yield* badPort(`${field}.port`, port);
  if (typeof endPort !== 'number') return;
  const at = `${field}.endPort`;
  if (port === undefined) yield invalid(at, endPort, 'may not be specified when `port` is not specified');
  else if (typeof port !== 'number') yield invalid(at, endPort, 'may not be specified when `port` is non-numeric');
  else if (endPort < port) yield invalid(at, port, 'must be greater than or equal to `port`');
  if (typeof port === 'number') yield* badPort(at, endPort);
}

const networkPolicy: Check = function* ({ spec }) {
  const { policyTypes } = fieldsOf(spec);
  for (const direction of ['ingress', 'egress'])
    for (const [index, rule] of listOf(fieldsOf(spec)[direction]).entries())
      for (const [place, port] of listOf(rule.ports).entries())
        yield* policyPortErrors(port, `spec.${direction}[${index}].ports[${place}]`);
  if (!Array.isArray(policyTypes)) return;
  for (const [index, type] of policyTypes.entries()) {
    yield* unsupported(`spec.policyTypes[${index}]`, type, ['Egress', 'Ingress']);
  }
};

const endpointSlice: Check = function* ({ addressType }, old) {
  if (!addressType) yield required('addressType');
  else yield* unsupported('addressType', addressType, ['FQDN', 'IPv4', 'IPv6']);
  if (old !== undefined && !equal(addressType, old.addressType)) {
    yield invalid('addressType', addressType, 'field is immutable');
  }
};

/** Rules of services and what routes to them, by type. */
export const networkChecks: Readonly<Record<string, Check>> = {
  'core.Service': service,
  'networking.Ingress': ingress,
  'networking.NetworkPolicy': networkPolicy,
  'discovery.EndpointSlice': endpointSlice,
};

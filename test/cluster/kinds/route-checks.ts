import type { FieldError } from '../field-error.ts';
import { equal, type Fields } from '../objects/object.ts';
import { addressRange, ipAddress, namedPort, portNumber, portNumberOrName } from './address-rules.ts';
import { type Check, duplicates, fieldsOf, forbidden, invalid, listOf, required } from './checks.ts';
import { isLabel, isLabel1035, isQualifiedName, isSubdomain } from './names.ts';
import {
  all,
  each,
  fields,
  filled,
  given,
  labelSelector,
  labelText,
  named,
  needed,
  oneOf,
  type Rule,
  some,
} from './rules.ts';

const reference = fields({ apiGroup: given(named(isSubdomain)), kind: needed(), name: needed() });

const target: Rule = function* (value, path) {
  const { name, port } = fieldsOf(value);
  const { name: portName, number } = fieldsOf(port);
  yield* needed('', named(isLabel1035))(name, `${path}.service.name`);
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

const pathTypes = oneOf('Exact', 'ImplementationSpecific', 'Prefix');

const httpPath: Rule = function* (value, path) {
  const { pathType, path: text } = fieldsOf(value);
  if (pathType === undefined || pathType === null) {
    yield required(`${path}.pathType`, 'pathType must be specified');
    return;
  }
  if (pathType === 'Exact' || pathType === 'Prefix') yield* absolute(text, `${path}.path`);
  else if (pathType === 'ImplementationSpecific') yield* filled(absolute)(text, `${path}.path`);
  else yield* pathTypes(pathType, `${path}.pathType`);
  yield* backend(fieldsOf(value).backend, `${path}.backend`);
};

const host: Rule = (value, path) => (String(value).startsWith('*.') ? [] : named(isSubdomain)(value, path));

const ingressRules = fields({
  tls: each(fields({ hosts: each(host), secretName: filled(named(isSubdomain)) })),
  rules: each(fields({ host: filled(host), http: given(fields({ paths: some('', httpPath) })) })),
  defaultBackend: given(backend),
  ingressClassName: given(named(isSubdomain)),
});

const ingress: Check = function* ({ spec: value }) {
  const { rules, defaultBackend } = fieldsOf(value);
  if (listOf(rules).length === 0 && defaultBackend === undefined) {
    yield invalid('spec', value, 'either `defaultBackend` or `rules` must be specified');
  }
  yield* ingressRules(value, 'spec');
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
  yield* needed('', oneOf('Cluster', 'Namespace'))(scope ?? 'Cluster', `${path}.scope`);
  if (scope === 'Namespace') {
    if (namespace === undefined) yield required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'");
    else yield* named(isLabel)(namespace, `${path}.namespace`);
  } else if (scope === 'Cluster' && namespace !== undefined) {
    yield forbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'");
  }
};

const ingressClass = fields({
  spec: fields({ controller: needed('', ingressController), parameters: given(classParameters) }),
});

const policyPort: Rule = function* (value, path) {
  const { protocol, port, endPort } = fieldsOf(value);
  yield* given(oneOf('TCP', 'UDP', 'SCTP'))(protocol, `${path}.protocol`);
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

const peer: Rule = function* (value, path) {
  const { podSelector, namespaceSelector, ipBlock } = fieldsOf(value);
  if ([podSelector, namespaceSelector, ipBlock].every((one) => one === undefined)) {
    yield required(path, 'must specify a peer');
  }
  yield* given(labelSelector)(podSelector, `${path}.podSelector`);
  yield* given(labelSelector)(namespaceSelector, `${path}.namespaceSelector`);
  const block = fields({ cidr: needed('', addressRange), except: each(addressRange) });
  yield* given(block)(ipBlock, `${path}.ipBlock`);
};

const policyRules = fields({
  podSelector: given(labelSelector),
  ingress: each(fields({ ports: each(policyPort), from: each(peer) })),
  egress: each(fields({ ports: each(policyPort), to: each(peer) })),
});

const networkPolicy: Check = function* ({ spec }) {
  yield* policyRules(spec, 'spec');
  const { policyTypes } = fieldsOf(spec);
  if (Array.isArray(policyTypes) && policyTypes.length > 2) {
    yield invalid('spec.policyTypes', policyTypes, 'may not specify more than two policyTypes');
  } else yield* each(oneOf('Ingress', 'Egress'))(policyTypes, 'spec.policyTypes');
};

const protocol = oneOf('SCTP', 'TCP', 'UDP');

const endpointAddress = all(
  fields({ ip: ipAddress, hostname: filled(named(isLabel)), nodeName: given(named(isSubdomain)) }),
  function* (value, path) {
    const { ip = '' } = fieldsOf(value);
    if ([...ipAddress(ip, path)].length > 0) yield invalid(`${path}.ip`, ip, 'must be a valid IP address');
  },
);

function* subset(value: Fields, path: string): Generator<FieldError> {
  const { addresses, notReadyAddresses, ports } = value;
  if (listOf(addresses).length + listOf(notReadyAddresses).length === 0) {
    yield required(path, 'must specify `addresses` or `notReadyAddresses`');
  }
  yield* each(endpointAddress)(addresses, `${path}.addresses`);
  yield* each(endpointAddress)(notReadyAddresses, `${path}.notReadyAddresses`);
  const name = listOf(ports).length > 1 ? needed('', named(isLabel)) : filled(named(isLabel));
  yield* each(fields({ name, port: portNumber, protocol: needed('', protocol) }))(ports, `${path}.ports`);
}

const endpoints: Check = function* ({ subsets }) {
  for (const [index, one] of listOf(subsets).entries()) yield* subset(one, `subsets[${index}]`);
};

const sliceAddress: Readonly<Record<string, Rule>> = {
  IPv4: ipAddress,
  IPv6: ipAddress,
  FQDN: named(isSubdomain),
};

const slicePort = fields({
  name: filled(named(isLabel)),
  protocol: (value, path) => protocol(value ?? '', path),
  appProtocol: given(named(isQualifiedName)),
});

const endpointSlice: Check = function* (object, old) {
  const { addressType, endpoints: list, ports } = object;
  const known = sliceAddress[String(addressType)];
  if (!addressType) yield required('addressType');
  else if (known === undefined) yield* oneOf('FQDN', 'IPv4', 'IPv6')(addressType, 'addressType');
  else {
    const one = fields({
      addresses: some('must contain at least 1 address', known),
      nodeName: given(named(isSubdomain)),
      hostname: given(named(isLabel)),
      hints: fields({ forZones: each(fields({ name: labelText })) }),
    });
    yield* each(one)(list, 'endpoints');
    yield* each(slicePort)(ports, 'ports');
    yield* duplicates(listOf(ports), (index) => `ports[${index}]`, 'name');
  }
  if (old !== undefined && !equal(addressType, old.addressType)) {
    yield invalid('addressType', addressType, 'field is immutable');
  }
};

/** Rules of what leads to services, by type. */
export const routeChecks: Readonly<Record<string, Check>> = {
  'core.Endpoints': endpoints,
  'networking.Ingress': ingress,
  'networking.IngressClass': (object) => ingressClass(object, ''),
  'networking.NetworkPolicy': networkPolicy,
  'discovery.EndpointSlice': endpointSlice,
};

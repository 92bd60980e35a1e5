/** Columns of the kinds of the group, and their descriptions. */

import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/errors.ts';
import {
  ageOf,
  firstFew,
  labelSelectorText,
  labelsText,
  nameOf,
  orNone,
  type Printer,
  simple,
} from '../printing/printer.ts';

const addressesOf = (status: unknown): readonly string[] =>
  listOf(fieldsOf(fieldsOf(status).loadBalancer).ingress).map(({ ip, hostname }) => String(ip || hostname || ''));

function externalIpOf({ spec, status }: Fields): string {
  const { type, externalIPs, externalName } = fieldsOf(spec);
  const own = Array.isArray(externalIPs) ? externalIPs.map(String) : [];
  if (type === 'ExternalName') return String(externalName ?? '');
  if (type !== 'LoadBalancer') return own.length > 0 ? own.join(',') : '<none>';
  const all = [...addressesOf(status), ...own];
  return all.length > 0 ? all.join(',') : '<pending>';
}

const portText = ({ port, nodePort, protocol }: Fields): string =>
  nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;

const services: Printer = {
  columns: 'Name|Type|Cluster-IP|External-IP|Port(s)|Age|Selector+',
  cells(object, ago) {
    const { type, clusterIPs, ports, selector } = fieldsOf(object.spec);
    return [
      nameOf(object),
      String(type ?? ''),
      orNone(Array.isArray(clusterIPs) ? clusterIPs[0] : undefined),
      externalIpOf(object),
      orNone(listOf(ports).map(portText).join(',')),
      ageOf(object, ago),
      labelsText(selector),
    ];
  },
};

const ingresses: Printer = {
  columns: 'Name|Class|Hosts|Address|Ports|Age',
  cells(object, ago) {
    const { ingressClassName, rules, tls } = fieldsOf(object.spec);
    const hosts = listOf(rules).flatMap(({ host }) => (host ? [String(host)] : []));
    return [
      nameOf(object),
      orNone(ingressClassName),
      hosts.length === 0 ? '*' : firstFew(hosts, Math.max(hosts.length, listOf(rules).length)),
      addressesOf(object.status).join(','),
      listOf(tls).length > 0 ? '80, 443' : '80',
      ageOf(object, ago),
    ];
  },
};

const ingressClasses: Printer = {
  columns: 'Name|Controller|Parameters|Age',
  cells(object, ago) {
    const { controller, parameters } = fieldsOf(object.spec);
    const { apiGroup, kind, name } = fieldsOf(parameters);
    const group = apiGroup === undefined ? '' : `.${apiGroup}`;
    const reference = parameters === undefined ? '<none>' : `${kind}${group}/${name}`;
    return [nameOf(object), String(controller ?? ''), reference, ageOf(object, ago)];
  },
};

const hostPort = (ip: unknown, port: unknown): string =>
  String(ip).includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;

const endpoints: Printer = {
  columns: 'Name|Endpoints|Age',
  cells(object, ago) {
    const all = listOf(object.subsets).flatMap(({ addresses, ports }) => {
      const ips = listOf(addresses).map(({ ip }) => ip);
      const open = listOf(ports);
      return open.length === 0 ? ips.map(String) : open.flatMap(({ port }) => ips.map((ip) => hostPort(ip, port)));
    });
    return [nameOf(object), all.length === 0 ? '<none>' : firstFew(all), ageOf(object, ago)];
  },
};

const networkPolicies: Printer = {
  columns: 'Name|Pod-Selector|Age',
  cells: (object, ago) => [nameOf(object), labelSelectorText(fieldsOf(object.spec).podSelector), ageOf(object, ago)],
};

/** Formats the parent of an address: `services/namespace/name`. */
function parentText(value: unknown): string {
  if (value === undefined) return '<none>';
  const { group, resource, namespace, name } = fieldsOf(value);
  const kind = `${resource}${group ? `.${group}` : ''}`.toLowerCase();
  return [kind, ...(namespace ? [namespace] : []), name].join('/');
}

/** Printers of Services and networking kinds, by plural. */
export const networkPrinters: Readonly<Record<string, Printer>> = {
  ipaddresses: {
    columns: 'Name|ParentRef',
    cells: (object, ago) => [nameOf(object), parentText(fieldsOf(object.spec).parentRef), ageOf(object, ago)],
  },
  servicecidrs: simple('CIDRs', ({ spec }) => {
    const { cidrs } = fieldsOf(spec);
    return [Array.isArray(cidrs) ? cidrs.join(',') : ''];
  }),
  services,
  ingresses,
  ingressclasses: ingressClasses,
  endpoints,
  networkpolicies: networkPolicies,
};

/** Descriptions of the columns, by `plural Column`. */
export const networkingColumnTexts: Readonly<Record<string, string>> = {
  'ingressclasses Controller': 'Controller that is responsible for handling this class',
  'ingressclasses Parameters': 'A reference to a resource with additional parameters',
  'ingresses Address': 'Address is a list containing ingress points for the load-balancer',
  'ingresses Class': 'The name of the IngressClass resource that should be used for additional configuration',
  'ingresses Hosts': 'Hosts that incoming requests are matched against before the ingress rule',
  'ingresses Ports': 'Ports of TLS configurations that open',
  'ipaddresses ParentRef':
    'ParentRef references the resource that an IPAddress is attached to. An IPAddress must reference a parent object.',
  'networkpolicies Pod-Selector':
    'Selects the pods to which this NetworkPolicy object applies.  The array of ingress rules is applied to any pods selected by this field. Multiple network policies can select the same set of pods.  In this case, the ingress rules for each are combined additively. This field is NOT optional and follows standard label selector semantics. An empty podSelector matches all pods in this namespace.',
  'servicecidrs CIDRs':
    'CIDRs defines the IP blocks in CIDR notation (e.g. "192.168.0.0/24" or "2001:db8::/64") from which to assign service cluster IPs. Max of two CIDRs is allowed, one of each IP family. This field is immutable.',
};

/** Handler of connections to containers, Services and nodes, such as exec and proxy. */

import { type ApiObject, type Fields, isFields } from '../../apimachinery/object.ts';
import { badRequest, failure, notFound, type StatusError, unexpected } from '../../apimachinery/status.ts';
import { storeKeyOf } from '../../resources/registry.ts';
import { admitSubresource } from '../admit-and-store.ts';
import { type Call, currentOf, type Verb } from '../resource-call.ts';

/** Returns the error of a connection. The cluster has no network: after admission each connection fails as with an unreachable target. */
type ConnectError = (call: Call) => StatusError;

const listIn = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const fieldsIn = (value: unknown): Fields => (isFields(value) ? value : {});

/** Parses the target of a proxy path: `name`, `name:port` or `scheme:name:port`. */
function targetOf(name: string): { readonly name: string; readonly port: string } {
  const parts = name.split(':');
  const [own = '', port = ''] = parts.length === 3 ? parts.slice(1) : parts;
  return { name: own, port };
}

function coreObject({ server: { registry, store } }: Call, plural: string, key: string): ApiObject | undefined {
  const resource = registry.find('v1', plural);
  return resource && store.get(resource.collection, key);
}

const unreachable = (address: string): StatusError =>
  failure('ServiceUnavailable', `error trying to reach service: dial tcp ${address}: connect: connection refused`);

/** Returns the address of a node's kubelet. Throws the server's 404 for an unknown node and 500 for one without addresses. */
function kubeletOf(call: Call, name: string): string {
  const node = coreObject(call, 'nodes', name);
  if (node === undefined) throw notFound({ group: '', plural: 'nodes' }, name);
  const { addresses, daemonEndpoints } = fieldsIn(node.status);
  const [first] = listIn(addresses);
  if (first === undefined) throw unexpected('no preferred addresses found; known addresses: []');
  const { Port } = fieldsIn(fieldsIn(daemonEndpoints).kubeletEndpoint);
  return `${first.address}:${Port || 10_250}`;
}

const namesOf = (containers: unknown): readonly string[] => listIn(containers).map(({ name }) => String(name));

/** Checks the name of a container. Throws the server's 400 when it is ambiguous or unknown. */
function checkContainer({ metadata, spec }: ApiObject, wanted: string): void {
  const { containers, initContainers, ephemeralContainers } = fieldsIn(spec);
  const own = namesOf(containers);
  const all = [...namesOf(initContainers), ...own, ...namesOf(ephemeralContainers)];
  if (wanted === '' && own.length > 1) {
    throw badRequest(`a container name must be specified for pod ${metadata.name}, choose one of: [${all.join(' ')}]`);
  }
  if (wanted !== '' && !all.includes(wanted)) {
    throw badRequest(`container ${wanted} is not valid for pod ${metadata.name}`);
  }
}

const podStreamError =
  (hasContainer: boolean): ConnectError =>
  (call) => {
    const pod = currentOf(call);
    if (hasContainer) checkContainer(pod, call.query.get('container') ?? '');
    const { nodeName } = fieldsIn(pod.spec);
    if (!nodeName) return badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
    const address = kubeletOf(call, String(nodeName));
    if (call.request.headers.upgrade === undefined) return badRequest('Upgrade request required');
    return unexpected(`error dialing backend: dial tcp ${address}: connect: connection refused`);
  };

function podProxyError(call: Call): StatusError {
  const { name, port } = targetOf(call.path.name ?? '');
  const { status } = currentOf({ ...call, path: { ...call.path, name } });
  const { podIP } = fieldsIn(status);
  return podIP ? unreachable(`${podIP}:${port || 80}`) : badRequest('address not allowed');
}

function serviceProxyError(call: Call): StatusError {
  const { name, port } = targetOf(call.path.name ?? '');
  const endpoints = coreObject(call, 'endpoints', storeKeyOf(call.path.namespace, name));
  if (endpoints === undefined) return notFound({ group: '', plural: 'services' }, name);
  const subset = listIn(endpoints.subsets).find(({ addresses }) => listIn(addresses).length > 0);
  const [address] = listIn(subset?.addresses);
  const [first] = listIn(subset?.ports);
  if (address === undefined) {
    return failure('ServiceUnavailable', `no endpoints available for service ${JSON.stringify(call.path.name)}`);
  }
  return unreachable(`${address.ip}:${first?.port ?? (port || 80)}`);
}

const nodeProxyError: ConnectError = (call) => unreachable(kubeletOf(call, targetOf(call.path.name ?? '').name));

const textsOf = (query: URLSearchParams, names: readonly string[]): Fields =>
  Object.fromEntries(names.filter((name) => query.get(name)).map((name) => [name, query.get(name)]));
const flagsOf = (query: URLSearchParams, names: readonly string[]): Fields =>
  Object.fromEntries(
    names.filter((name) => !['', '0', 'false'].includes(query.get(name) ?? 'false')).map((name) => [name, true]),
  );
const listOf = (name: string, values: readonly unknown[]): Fields => (values.length > 0 ? { [name]: values } : {});

const streams = ['stdin', 'stdout', 'stderr', 'tty'];

/** Converters of a query to its options object for admission, by subresource. */
const optionsByName: Readonly<Record<string, (query: URLSearchParams, behind: string) => Fields>> = {
  exec: (query) => ({
    ...flagsOf(query, streams),
    ...textsOf(query, ['container']),
    ...{ command: query.has('command') ? query.getAll('command') : null },
  }),
  attach: (query) => ({ ...flagsOf(query, streams), ...textsOf(query, ['container']) }),
  portforward: (query) =>
    listOf(
      'ports',
      query.getAll('ports').flatMap((text) => text.split(',').map(Number)),
    ),
  proxy: (query, behind) => (behind === '' ? textsOf(query, ['path']) : { path: behind }),
};

/** Returns the options object of a connection and its kind. */
function optionsOf({ resource: { info }, path: { subresource = '' }, query, request }: Call) {
  const [, behind = ''] = /\/proxy(\/[^?]*)?/.exec(request.url) ?? [];
  const { kind = '' } = info.subresources.find(({ name }) => name === subresource) ?? {};
  return {
    kind: { group: '', version: 'v1', kind },
    object: { kind, apiVersion: 'v1', ...optionsByName[subresource]?.(query, behind) },
  };
}

const connectErrors: Readonly<Record<string, ConnectError>> = {
  'pods/exec': podStreamError(true),
  'pods/attach': podStreamError(true),
  'pods/portforward': podStreamError(false),
  'pods/proxy': podProxyError,
  'services/proxy': serviceProxyError,
  'nodes/proxy': nodeProxyError,
};

/** Serves connections to containers, Services and nodes: admits and refuses them, as no target is reachable. Always throws. */
export const connect: Verb = (call) => {
  const { resource, path, query } = call;
  if (path.subresource === 'proxy' && query.has('dryRun')) throw badRequest('dryRun is not supported');
  const refused = (): never => {
    throw connectErrors[`${resource.info.plural}/${path.subresource}`]!(call);
  };
  const asked = admitSubresource(call, { ...optionsOf(call), operation: 'CONNECT', dryRun: false });
  return asked === undefined ? refused() : asked.then(refused);
};

import type { ApiRequest, ApiResponse } from './http/message.ts';
import { jsonResponse, textResponse } from './http/represent.ts';
import type { Route } from './http/routes.ts';
import type { ResourceInfo } from './kinds/resource-info.ts';
import type { Machinery } from './machinery.ts';
import type { Fields } from './objects/object.ts';
import type { Resource } from './registry.ts';

type Other = Exclude<Route, { readonly to: 'resource' }>;

const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);

const entryOf = (info: ResourceInfo): Fields => ({
  name: info.plural,
  singularName: info.singular,
  namespaced: info.namespaced,
  kind: info.kind,
  verbs: info.verbs,
  ...(info.shortNames.length > 0 && { shortNames: info.shortNames }),
  ...(info.categories.length > 0 && { categories: info.categories }),
  ...(info.storageVersionHash !== undefined && { storageVersionHash: info.storageVersionHash }),
});

const subresourceEntries = (info: ResourceInfo): Fields[] =>
  info.subresources.map(({ name, kind, group, version, verbs }) => ({
    name: `${info.plural}/${name}`,
    singularName: '',
    namespaced: info.namespaced,
    ...(group !== undefined && { group }),
    ...(version !== undefined && { version }),
    kind,
    verbs,
  }));

const resourceList = (apiVersion: string, resources: readonly Resource[]): Fields => ({
  kind: 'APIResourceList',
  ...(groupOf(apiVersion) !== '' && { apiVersion: 'v1' }),
  groupVersion: apiVersion,
  resources: resources
    .filter((resource) => resource.apiVersion === apiVersion)
    .flatMap(({ info }) => [entryOf(info), ...subresourceEntries(info)]),
});

interface Group {
  readonly name: string;
  readonly versions: readonly string[];
}

function groupsOf(resources: readonly Resource[]): Group[] {
  const groups = new Map<string, Set<string>>();
  for (const { apiVersion } of resources) {
    const name = groupOf(apiVersion);
    groups.set(name, (groups.get(name) ?? new Set()).add(versionOf(apiVersion)));
  }
  return [...groups].map(([name, versions]) => ({ name, versions: [...versions] }));
}

const groupFields = ({ name, versions }: Group): Fields => {
  const entries = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: entries, preferredVersion: entries[0] };
};

function versionInfo(version: string): Fields {
  const [, major = '1', minor = '0'] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
  return {
    major,
    minor,
    gitVersion: version,
    gitCommit: '0000000000000000000000000000000000000000',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: 'none',
    compiler: 'none',
    platform: 'in-memory',
  };
}

/** Everything that is not a resource: versions, groups, health. Undefined where the server has no such page. */
export function discovery(
  { registry, version }: Machinery,
  request: ApiRequest,
  route: Other,
): ApiResponse | undefined {
  const resources = registry.all();
  if (route.to === 'version') {
    return registry.serves(route.apiVersion) ? jsonResponse(200, resourceList(route.apiVersion, resources)) : undefined;
  }
  if (route.to === 'group') {
    const group = groupsOf(resources).find(({ name }) => name === route.group);
    return group && jsonResponse(200, { kind: 'APIGroup', apiVersion: 'v1', ...groupFields(group) });
  }
  if (/^\/(healthz|livez|readyz)(\/|$)/.test(route.path)) return textResponse(200, 'ok');
  if (route.path === '/version') return jsonResponse(200, versionInfo(version));
  if (route.path === '/api') {
    const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress: request.headers.host ?? '' }];
    return jsonResponse(200, { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs });
  }
  if (route.path === '/apis') {
    const groups = groupsOf(resources).filter(({ name }) => name !== '');
    return jsonResponse(200, { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupFields) });
  }
  return undefined;
}

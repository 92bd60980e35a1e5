import type { ApiRequest, ApiResponse } from '../http/message.ts';
import { checkDiscoveryPage, checkJsonPage } from '../http/negotiation.ts';
import { jsonResponse } from '../http/represent.ts';
import type { Route } from '../http/routes.ts';
import type { Machinery } from '../machinery.ts';
import type { Fields } from '../objects/object.ts';
import { noSuchResource } from '../status.ts';
import { aggregated, aggregatedForm } from './aggregated.ts';
import { groupsOf } from './groups.ts';
import { health } from './health.ts';
import { groupFields, resourceList } from './legacy.ts';
import { openApi } from './openapi.ts';

type Other = Exclude<Route, { readonly to: 'resource' }>;
type Page = (machinery: Machinery, request: ApiRequest) => ApiResponse;

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

const core: Page = ({ registry, profile }, request) => {
  const form = aggregatedForm(request.headers.accept, profile.aggregatedDiscovery);
  if (form !== undefined) return aggregated(request, registry.all(), { form, isCore: true });
  checkDiscoveryPage(request, false);
  const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress: request.headers.host ?? '' }];
  return jsonResponse(200, { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs });
};

const groups: Page = ({ registry, profile }, request) => {
  const form = aggregatedForm(request.headers.accept, profile.aggregatedDiscovery);
  if (form !== undefined) return aggregated(request, registry.all(), { form, isCore: false });
  checkDiscoveryPage(request, true);
  const named = groupsOf(registry.all()).filter(({ name }) => name !== '');
  return jsonResponse(200, { kind: 'APIGroupList', apiVersion: 'v1', groups: named.map(groupFields) });
};

const root: Page = ({ registry }) => {
  const versions = registry.all().map(({ apiVersion }) => apiVersion);
  const named = versions.filter((apiVersion) => apiVersion.includes('/'));
  const paths = new Set([
    '/api',
    '/api/v1',
    '/apis',
    '/apis/',
    ...named.flatMap((one) => [`/apis/${one.split('/')[0]}`, `/apis/${one}`]),
  ]);
  const others = ['/healthz', '/livez', '/readyz', '/version', '/openapi/v2', '/openapi/v3', '/openapi/v3/'];
  return jsonResponse(200, { paths: [...paths, ...others].sort() });
};

const version: Page = ({ profile }, request) => {
  checkJsonPage(request);
  return jsonResponse(200, versionInfo(profile.gitVersion));
};

const pages: Readonly<Record<string, Page>> = {
  '/': root,
  '/api': core,
  '/apis': groups,
  '/version': version,
  // As clients that were generated from OpenAPI ask for it.
  '/version/': version,
};

/** Everything that is not a resource: versions, groups, health. Undefined where the server has no such page. */
export function discovery(
  machinery: Machinery,
  request: ApiRequest,
  route: Other,
): ApiResponse | undefined | Promise<ApiResponse | undefined> {
  const { registry } = machinery;
  if (route.to === 'version') {
    if (registry.serves(route.apiVersion)) {
      checkDiscoveryPage(request, false);
      return jsonResponse(200, resourceList(route.apiVersion, registry.all()));
    }
    const [group = ''] = route.apiVersion.split('/');
    const isBuiltin = registry.all().some(({ info }) => info.custom === undefined && info.group === group);
    if (!route.apiVersion.includes('/') || isBuiltin) throw noSuchResource();
    return undefined;
  }
  if (route.to === 'group') {
    const group = groupsOf(registry.all()).find(({ name }) => name === route.group);
    if (group !== undefined) checkDiscoveryPage(request, true);
    return group && jsonResponse(200, { kind: 'APIGroup', apiVersion: 'v1', ...groupFields(group) });
  }
  if (route.path.startsWith('/openapi/')) return openApi(machinery, request, route.path);
  return pages[route.path]?.(machinery, request) ?? health(route.path, request);
}

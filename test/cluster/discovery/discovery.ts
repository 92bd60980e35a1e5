import { type Asked, written } from '../http/finish.ts';
import type { ApiResponse } from '../http/message.ts';
import { checkJsonPage, discoveryChoice } from '../http/negotiation.ts';
import { indentedResponse, jsonResponse } from '../http/represent.ts';
import type { Route } from '../http/routes.ts';
import type { Fields } from '../objects/object.ts';
import { noSuchResource } from '../status.ts';
import { aggregated, aggregatedChoice } from './aggregated.ts';
import { groupsOf } from './groups.ts';
import { health } from './health.ts';
import { groupFields, resourceList } from './legacy.ts';
import { metricsPage } from './metrics.ts';
import { openApi } from './openapi.ts';

type Other = Exclude<Route, { readonly to: 'resource' }>;
type Answer = ApiResponse | Promise<ApiResponse>;
type Page = (asked: Asked) => Answer;

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

/** A page of legacy discovery. `ofGroups` are those that are not routes of their own. Throws the server's 406. */
function legacy(asked: Asked, page: Fields, ofGroups: boolean): Answer {
  return written(asked, discoveryChoice(asked.request.headers.accept, ofGroups), jsonResponse(200, page));
}

/** The aggregated page where that is wanted, else the legacy one. */
function coreOrGroups(asked: Asked, isCore: boolean, page: () => Fields): Answer {
  const { machinery, request } = asked;
  const { registry, profile } = machinery;
  const choice = aggregatedChoice(request.headers.accept, profile.aggregatedDiscovery);
  if (choice === undefined) return legacy(asked, page(), !isCore);
  return written(asked, choice, aggregated(request, registry.all(), { form: choice.form, isCore }));
}

const core: Page = (asked) =>
  coreOrGroups(asked, true, () => {
    const serverAddress = asked.request.headers.host ?? '';
    const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress }];
    return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs };
  });

const groups: Page = (asked) =>
  coreOrGroups(asked, false, () => {
    const named = groupsOf(asked.machinery.registry.all()).filter(({ name }) => name !== '');
    return { kind: 'APIGroupList', apiVersion: 'v1', groups: named.map(groupFields) };
  });

const root: Page = ({ machinery: { registry } }) => {
  const versions = registry.all().map(({ apiVersion }) => apiVersion);
  const named = versions.filter((apiVersion) => apiVersion.includes('/'));
  const paths = new Set([
    '/api',
    '/api/v1',
    '/apis',
    '/apis/',
    ...named.flatMap((one) => [`/apis/${one.split('/')[0]}`, `/apis/${one}`]),
  ]);
  const others = [
    '/healthz',
    '/livez',
    '/metrics',
    '/readyz',
    '/version',
    '/openapi/v2',
    '/openapi/v3',
    '/openapi/v3/',
  ];
  return indentedResponse(200, { paths: [...paths, ...others].sort() });
};

const version: Page = ({ machinery: { profile }, request }) => {
  checkJsonPage(request.headers.accept);
  return indentedResponse(200, versionInfo(profile.gitVersion));
};

const pages: Readonly<Record<string, Page>> = {
  '/': root,
  '/api': core,
  '/apis': groups,
  '/metrics': ({ machinery }) => metricsPage(machinery),
  '/version': version,
  // As clients that were generated from OpenAPI ask for it.
  '/version/': version,
};

function versionPage(asked: Asked, apiVersion: string): Answer | undefined {
  const { registry } = asked.machinery;
  const [group = ''] = apiVersion.split('/');
  const ofGroup = registry.all().filter(({ info }) => info.group === group);
  const isBuiltin = !apiVersion.includes('/') || ofGroup.some(({ info }) => info.custom === undefined);
  if (registry.serves(apiVersion)) return legacy(asked, resourceList(apiVersion, registry.all()), !isBuiltin);
  if (isBuiltin) throw noSuchResource();
  return undefined;
}

function groupPage(asked: Asked, name: string): Answer | undefined {
  const group = groupsOf(asked.machinery.registry.all()).find((one) => one.name === name);
  return group && legacy(asked, { kind: 'APIGroup', apiVersion: 'v1', ...groupFields(group) }, true);
}

/** Everything that is not a resource: versions, groups, health. Undefined where the server has no such page. */
export function discovery(asked: Asked, route: Other): Answer | undefined | Promise<ApiResponse | undefined> {
  const { machinery, request } = asked;
  if (route.to === 'version') return versionPage(asked, route.apiVersion);
  if (route.to === 'group') return groupPage(asked, route.group);
  if (route.path.startsWith('/openapi/')) return openApi(machinery, request, route.path);
  return pages[route.path]?.(asked) ?? health(route.path, request);
}

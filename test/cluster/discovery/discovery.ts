/** Serves the non-resource paths: discovery, OpenAPI, health and metrics. */

import type { Fields } from '../apimachinery/object.ts';
import { methodNotAllowed, noSuchResource } from '../apimachinery/status.ts';
import { encodeBody, type ResponseRequest } from '../encoding/encode-response.ts';
import { checkPage, discoveryChoice } from '../encoding/negotiation.ts';
import { indentedResponse, jsonResponse } from '../encoding/representation.ts';
import type { ApiResponse } from '../requests/message.ts';
import type { Route } from '../requests/routes.ts';
import type { Profile } from '../resources/profiles.ts';
import { aggregatedChoice, aggregatedDiscovery } from './aggregated.ts';
import { groupsOf } from './groups.ts';
import { health, healthPaths } from './health.ts';
import { groupFields, resourceList } from './legacy.ts';
import { indicatorsPage, metricsPage } from './metrics.ts';
import { openApi } from './openapi.ts';
import { openIdConfiguration, openIdKeys } from './openid.ts';

type Other = Extract<Route, { readonly to: 'version' | 'group' | 'other' }>;
type Answer = ApiResponse | Promise<ApiResponse>;
type Page = (asked: ResponseRequest) => Answer;

/** Returns the emulation version, reported from 1.33 on. */
const emulationVersion = (major: string, minor: number): Fields => ({
  emulationMajor: major,
  emulationMinor: String(minor),
  minCompatibilityMajor: major,
  minCompatibilityMinor: String(minor - 1),
});

function versionInfo({ gitVersion, minor }: Profile): Fields {
  return {
    major: '1',
    minor: String(minor),
    ...(minor >= 33 && emulationVersion('1', minor)),
    gitVersion,
    gitCommit: '0000000000000000000000000000000000000000',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: 'none',
    compiler: 'none',
    platform: 'in-memory',
  };
}

/** Answers with a legacy page; `ofGroups` marks pages that are not routes of their own. Throws the server's 406. */
function legacy(asked: ResponseRequest, page: Fields, ofGroups: boolean): Answer {
  return encodeBody(asked, discoveryChoice(asked.request.headers.accept, ofGroups), jsonResponse(200, page));
}

/** Answers with the aggregated page if it is accepted, else with the legacy one. */
function coreOrGroups(asked: ResponseRequest, isCore: boolean, page: () => Fields): Answer {
  const { server, request } = asked;
  const { registry, profile } = server;
  const choice = aggregatedChoice(request.headers.accept, profile.aggregatedDiscovery);
  if (choice === undefined) return legacy(asked, page(), !isCore);
  return encodeBody(asked, choice, aggregatedDiscovery(request, registry.all(), { form: choice.form, isCore }));
}

const core: Page = (asked) =>
  coreOrGroups(asked, true, () => {
    const serverAddress = asked.request.headers.host ?? '';
    const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress }];
    return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs };
  });

const groups: Page = (asked) =>
  coreOrGroups(asked, false, () => {
    const named = groupsOf(asked.server.registry.all()).filter(({ name }) => name !== '');
    return { kind: 'APIGroupList', apiVersion: 'v1', groups: named.map(groupFields) };
  });

/** Restricts a page to GET. Throws the server's 405. */
const readOnly =
  (page: Page): Page =>
  (asked) => {
    if (asked.request.method !== 'GET') throw methodNotAllowed();
    return page(asked);
  };

const configurationPath = '/.well-known/openid-configuration';
const keysPath = '/openid/v1/jwks';

const root: Page = ({ server }) => {
  const versions = server.registry.all().map(({ apiVersion }) => apiVersion);
  const named = versions.filter((apiVersion) => apiVersion.includes('/'));
  const paths = new Set([
    '/api',
    '/api/v1',
    '/apis',
    '/apis/',
    ...named.flatMap((one) => [`/apis/${one.split('/')[0]}`, `/apis/${one}`]),
  ]);
  const others = [
    '/metrics',
    '/metrics/slis',
    '/version',
    '/openapi/v2',
    '/openapi/v3',
    '/openapi/v3/',
    configurationPath,
    keysPath,
  ];
  const all = [...paths, ...others, ...healthPaths(server)];
  return indentedResponse(200, { paths: all.sort() });
};

const version: Page = ({ server: { profile }, request }) => {
  checkPage(request.headers.accept);
  return indentedResponse(200, versionInfo(profile));
};

const pages: Readonly<Record<string, Page>> = {
  '/': root,
  '/index.html': root,
  [configurationPath]: readOnly(openIdConfiguration),
  [keysPath]: readOnly(openIdKeys),
  '/api': readOnly(core),
  '/apis': groups,
  '/metrics': ({ server }) => metricsPage(server),
  '/metrics/slis': ({ server }) => indicatorsPage(server),
  '/version': readOnly(version),
  // Paths that clients generated from OpenAPI request.
  '/version/': readOnly(version),
  [`${configurationPath}/`]: readOnly(openIdConfiguration),
  [`${keysPath}/`]: readOnly(openIdKeys),
};

function versionPage(asked: ResponseRequest, apiVersion: string): Answer | undefined {
  const { registry } = asked.server;
  const [group = ''] = apiVersion.split('/');
  const ofGroup = registry.all().filter(({ info }) => info.group === group);
  const isBuiltin =
    !apiVersion.includes('/') || (group !== '' && ofGroup.some(({ info }) => info.custom === undefined));
  if (registry.serves(apiVersion)) {
    const page: Page = () => legacy(asked, resourceList(apiVersion, registry.all()), !isBuiltin);
    return isBuiltin ? readOnly(page)(asked) : page(asked);
  }
  if (isBuiltin) throw noSuchResource();
  return undefined;
}

function groupPage(asked: ResponseRequest, name: string): Answer | undefined {
  const group = groupsOf(asked.server.registry.all()).find((one) => one.name === name);
  return group && legacy(asked, { kind: 'APIGroup', apiVersion: 'v1', ...groupFields(group) }, true);
}

/** Answers non-resource paths: versions, groups, OpenAPI, health, metrics; undefined for an unknown path. */
export function discovery(asked: ResponseRequest, route: Other): Answer | undefined | Promise<ApiResponse | undefined> {
  if (route.to === 'version') return versionPage(asked, route.apiVersion);
  if (route.to === 'group') return groupPage(asked, route.group);
  if (route.path.startsWith('/openapi/')) return openApi(asked, route.path);
  if (/^\/version\/./.test(route.path)) throw noSuchResource();
  return pages[route.path]?.(asked) ?? health(route.path, asked);
}

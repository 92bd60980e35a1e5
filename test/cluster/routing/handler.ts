/** Request handler of the API server: authentication, authorization and routing. */

import { isFields } from '../apimachinery/object.ts';
import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import {
  badRequest,
  failure,
  methodNotAllowed,
  noSuchResource,
  notFound,
  StatusError,
} from '../apimachinery/status.ts';
import { authorizeRequest, isResponse } from '../authz/authorize-request.ts';
import { discovery } from '../discovery/discovery.ts';
import { commonHeaders, encodeBody, encodeResponse } from '../encoding/encode-response.ts';
import { type Form, formOf } from '../encoding/negotiation.ts';
import { createRepresentations, jsonResponse, type Representations, textResponse } from '../encoding/representation.ts';
import type { Call, Verb } from '../handlers/resource-call.ts';
import { virtualResources } from '../handlers/reviews/virtual-resources.ts';
import { create } from '../handlers/write.ts';
import type { ApiRequest, ApiResponse, Handler } from '../requests/message.ts';
import { type ResourcePath, type Route, routeOf } from '../requests/routes.ts';
import type { Resource } from '../resources/registry.ts';
import type { ServerContext } from '../server/server-context.ts';
import { methodNotSupported } from './method-not-supported.ts';
import { hasExtraSegments, hasSubresource, isAcrossNamespaces, isInScope, isServedPath } from './path-checks.ts';
import { checkPathSegmentName } from './path-segment-name.ts';
import { timeoutAnswer } from './timeout.ts';
import { responseContentOf, type VerbEntry, verbEntryOf } from './verb-table.ts';

/** Adds the header that disables content sniffing in browsers. */
const withNoSniff = (response: ApiResponse): ApiResponse => ({
  ...response,
  headers: { ...response.headers, 'x-content-type-options': 'nosniff' },
});

const pageNotFound = (): ApiResponse => withNoSniff(textResponse(404, '404 page not found\n'));

type InvalidRoute = Extract<Route, { readonly to: 'malformed' | 'incomplete' }>;

/** Returns the answer to a malformed path, which is given before authentication. */
function invalidRouteResponse({ to }: InvalidRoute, pathname: string): ApiResponse {
  if (to === 'malformed') return textResponse(400, '400 Bad Request');
  const why = `failed to create RequestInfo: unable to determine kind and namespace from url, ${pathname}`;
  return withNoSniff(textResponse(500, `Internal Server Error: ${JSON.stringify(pathname)}: ${why}\n`));
}

/** Returns the plain 404 page of a missing custom resource. Throws the server's 404 for paths in built-in groups. */
function missingResource({ registry }: ServerContext, path: ResourcePath): ApiResponse {
  const [group] = path.apiVersion.split('/');
  const resources = registry.all().filter(({ info }) => info.group === group);
  const isOfGroup = group !== '' && resources.some(({ info }) => info.custom === undefined);
  const isBuiltin = isOfGroup || !path.apiVersion.includes('/');
  if (isBuiltin) throw noSuchResource();
  return pageNotFound();
}

const reviewOf = ({ group, plural }: ResourceInfo, { subresource }: ResourcePath): Verb | undefined =>
  virtualResources[`${group}/${plural}${subresource === undefined ? '' : `/${subresource}`}`];

/** Returns the verb that only custom resources have: POST to a name is a create. Throws the server's 400 for PATCH and PUT without a name. */
function customResourceVerb(
  { custom }: ResourceInfo,
  { name, subresource }: ResourcePath,
  method: string,
): VerbEntry | undefined {
  if (custom === undefined || subresource !== undefined) return undefined;
  if ((method === 'PATCH' || method === 'PUT') && name === undefined) throw badRequest('name must be provided');
  return method === 'POST' && name !== undefined ? ['create', create] : undefined;
}

/** Returns the verb of a request, as served by its resource or subresource. Throws the server's 405. */
function servedVerb(
  { info }: Resource,
  path: ResourcePath,
  { method, query }: { method: string; query: URLSearchParams },
) {
  const entry = verbEntryOf(path, method, query);
  const subresource = info.subresources.find(({ name }) => name === path.subresource);
  const known: readonly string[] = subresource?.verbs ?? info.verbs;
  if (entry === undefined || !known.includes(entry[0])) throw methodNotSupported(info, path, method);
  const isOfOneNamespace = ['create', 'deletecollection'].includes(entry[0]) && info.namespaced;
  if (isOfOneNamespace && path.namespace === undefined) throw methodNotAllowed();
  return entry;
}

/** Returns the verb of a request. */
function verbFor(resource: Resource, path: ResourcePath, { request, query }: Request): VerbEntry {
  const { info } = resource;
  const method = info.custom !== undefined && request.method === 'HEAD' ? 'GET' : request.method;
  if (!isServedPath(info, path)) throw noSuchResource();
  const review = method === 'POST' ? reviewOf(info, path) : undefined;
  if (review !== undefined) return ['create', review];
  // The segments after the subresource of a custom resource are ignored.
  if (hasExtraSegments(path) && info.custom === undefined) throw noSuchResource();
  return customResourceVerb(info, path, method) ?? servedVerb(resource, path, { method, query });
}

/** Runs a verb and converts its error into an answer, so that warnings are sent with both. */
function runVerb(verb: Verb, call: Call): ApiResponse | Promise<ApiResponse> {
  try {
    const answer = verb(call);
    return answer instanceof Promise ? answer.catch(errorResponse) : answer;
  } catch (error) {
    return errorResponse(error);
  }
}

interface Request {
  readonly request: ApiRequest;
  readonly query: URLSearchParams;
  readonly representations: Representations;
}

/** Limit of all warnings together in characters, and of each when they exceed it. */
const [mostOfAll, mostOfEach] = [4096, 256];

/** Truncates warnings that are too long together. */
function truncateWarnings(texts: readonly string[]): readonly string[] {
  let left = mostOfAll;
  for (const text of texts) left -= [...text].length;
  if (left >= 0) return texts;
  left = mostOfAll;
  return texts
    .map((text) => [...text].slice(0, mostOfEach))
    .filter((cut) => {
      const isKept = left > 0;
      left -= cut.length;
      return isKept;
    })
    .map((cut) => cut.join(''));
}

function withWarnings(response: ApiResponse, warnings: readonly string[]): ApiResponse {
  if (warnings.length === 0) return response;
  const warning = truncateWarnings([...new Set(warnings)].filter(Boolean)).map(
    (text) => `299 - ${JSON.stringify(text)}`,
  );
  if (warning.length === 0) return response;
  return { ...response, headers: { ...response.headers, warning } };
}

/** Returns the warnings that each answer about a resource has. */
function deprecationWarningsOf({ custom, deprecationWarning }: ResourceInfo): string[] {
  const deprecation = custom?.deprecationWarning ?? deprecationWarning;
  return deprecation === undefined ? [] : [deprecation];
}

/** Returns the answer to a path or method that a resource does not have; undefined where it may have the verb. */
function unservedPathResponse(
  server: ServerContext,
  { info }: Resource,
  { path, method }: { readonly path: ResourcePath; readonly method: string },
): ApiResponse | undefined {
  if (isAcrossNamespaces(info, path) && !['GET', 'HEAD'].includes(method)) return pageNotFound();
  return hasSubresource(info, path) ? undefined : missingSubresource(server, info, path);
}

const missingSubresource = (server: ServerContext, info: ResourceInfo, path: ResourcePath): ApiResponse =>
  info.custom === undefined ? missingResource(server, path) : errorResponse(notFound(info, path.name ?? ''));

async function answerResource(
  server: ServerContext,
  path: ResourcePath,
  { request, query, representations }: Request,
): Promise<ApiResponse> {
  const resource = server.registry.find(path.apiVersion, path.plural);
  if (resource === undefined || !isInScope(resource, path)) return missingResource(server, path);
  const refused = unservedPathResponse(server, resource, { path, method: request.method });
  if (refused !== undefined) return refused;
  const { info } = resource;
  const isCustom = info.custom !== undefined;
  const warnings = deprecationWarningsOf(info);
  let verb: Verb;
  let form: Form;
  try {
    const [word, known] = verbFor(resource, path, { request, query, representations });
    verb = known;
    checkPathSegmentName(path);
    const of = responseContentOf[word] ?? 'object';
    form = formOf(request.headers.accept, { isCustom, hasTable: info.verbs.includes('get'), of });
  } catch (error) {
    return isCustom ? withWarnings(errorResponse(error), warnings) : errorResponse(error);
  }
  const loading = resource.load();
  if (loading !== undefined) await loading;
  const shown = representations(form, query);
  const representation = shown instanceof Promise ? await shown : shown;
  const call: Call = { server, request, query, path, resource, form, representation, warnings };
  const answer = runVerb(verb, call);
  const response = withWarnings(answer instanceof Promise ? await answer : answer, warnings);
  return response.status < 400 ? encodeBody({ server, request, query }, form, response) : response;
}

function errorResponse(error: unknown): ApiResponse {
  const { status, code } =
    error instanceof StatusError
      ? error
      : failure('InternalError', `Internal error occurred: ${error instanceof Error ? error.stack : error}`);
  const retry = isFields(status.details) ? status.details.retryAfterSeconds : undefined;
  return jsonResponse(code, status, retry === undefined ? {} : { 'retry-after': String(retry) });
}

const noQuery = new URLSearchParams();

const discoveryResponse = async (...asked: Parameters<typeof discovery>): Promise<ApiResponse> =>
  (await discovery(...asked)) ?? pageNotFound();

/** Returns the authenticated and authorized request, or the answer that refuses it, with sniffing disabled. */
function authorizedRequest(server: ServerContext, request: ApiRequest): ApiRequest | ApiResponse {
  try {
    return authorizeRequest(server, request);
  } catch (error) {
    return withNoSniff(errorResponse(error));
  }
}

/** Creates the request handler of the API server. */
export function createHandler(server: ServerContext): Handler {
  const representations = createRepresentations(server);
  const headers = commonHeaders(server);
  const answer = (given: ApiRequest, pathname: string, query: URLSearchParams): Promise<ApiResponse> | ApiResponse => {
    const route = routeOf(pathname);
    if (route.to === 'malformed' || route.to === 'incomplete') return invalidRouteResponse(route, pathname);
    const request = authorizedRequest(server, given);
    if (isResponse(request)) return request;
    const late = query.has('timeout') ? timeoutAnswer(route, query) : undefined;
    if (late !== undefined) return late;
    if (route.to === 'resource') return answerResource(server, route.path, { request, query, representations });
    return discoveryResponse({ server, request, query }, route);
  };
  const plainAnswer = async (request: ApiRequest, query: URLSearchParams, mark: number): Promise<ApiResponse> => {
    try {
      return await answer(request, mark === -1 ? request.url : request.url.slice(0, mark), query);
    } catch (error) {
      return errorResponse(error);
    }
  };
  return async (request) => {
    const mark = request.url.indexOf('?');
    const query = mark === -1 ? noQuery : new URLSearchParams(request.url.slice(mark + 1));
    const done = encodeResponse({ server, request, query }, await plainAnswer(request, query, mark));
    const response = done instanceof Promise ? await done : done;
    return { ...response, headers: { ...headers(), ...response.headers } };
  };
}

import { randomUUID } from 'node:crypto';
import { discovery } from '../discovery.ts';
import type { Machinery } from '../machinery.ts';
import { isFields } from '../objects/object.ts';
import { failure, methodNotAllowed, noSuchResource, StatusError } from '../status.ts';
import type { Call, Verb } from '../verbs/call.ts';
import { flagOf } from '../verbs/parameters.ts';
import { patch } from '../verbs/patch.ts';
import { get, list } from '../verbs/read.ts';
import { remove, removeCollection } from '../verbs/remove.ts';
import { watch } from '../verbs/watch.ts';
import { create, update } from '../verbs/write.ts';
import type { ApiRequest, ApiResponse, Handler } from './message.ts';
import { type Form, formOf } from './negotiation.ts';
import { createRepresentations, jsonResponse, type Representation, textResponse } from './represent.ts';
import { type ResourcePath, routeOf } from './routes.ts';

/** Verbs by method, for objects and for collections, each with the word that discovery has for it. */
const objectVerbs: Readonly<Record<string, readonly [string, Verb]>> = {
  GET: ['get', get],
  PUT: ['update', update],
  PATCH: ['patch', patch],
  DELETE: ['delete', remove],
};
const collectionVerbs: Readonly<Record<string, readonly [string, Verb]>> = {
  GET: ['list', list],
  POST: ['create', create],
  DELETE: ['deletecollection', removeCollection],
};

const pageNotFound = (): ApiResponse => ({
  ...textResponse(404, '404 page not found\n'),
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
});

function verbOf(path: ResourcePath, method: string, query: URLSearchParams): readonly [string, Verb] | undefined {
  if (path.legacyWatch) return method === 'GET' ? ['watch', watch] : undefined;
  if (path.name !== undefined) return objectVerbs[method];
  return method === 'GET' && flagOf(query, 'watch') ? ['watch', watch] : collectionVerbs[method];
}

/** Names of subresources that the verbs handle like the object itself. */
const plainSubresources = new Set(['status', 'finalize', 'ephemeralcontainers', 'resize']);

async function answerResource(
  machinery: Machinery,
  request: ApiRequest,
  path: ResourcePath,
  query: URLSearchParams,
  representations: (form: Form) => Representation,
): Promise<ApiResponse> {
  const resource = machinery.registry.find(path.apiVersion, path.plural);
  if (resource === undefined) {
    if (!machinery.registry.serves(path.apiVersion)) return pageNotFound();
    throw noSuchResource();
  }
  const { info } = resource;
  const subresource = info.subresources.find(({ name }) => name === path.subresource);
  if (path.subresource !== undefined && (subresource === undefined || !plainSubresources.has(path.subresource)))
    throw noSuchResource();
  const entry = verbOf(path, request.method, query);
  const known: readonly string[] = subresource?.verbs ?? info.verbs;
  if (entry === undefined || !known.includes(entry[0])) throw methodNotAllowed();
  const form = formOf(request.headers.accept, query.get('pretty') === 'true');
  const call: Call = {
    machinery,
    request,
    query,
    path,
    resource,
    form,
    representation: representations(form),
    warnings: [],
  };
  const response = await entry[1](call);
  return call.warnings.length === 0
    ? response
    : {
        ...response,
        headers: { ...response.headers, warning: call.warnings.map((text) => `299 - ${JSON.stringify(text)}`) },
      };
}

function refusal(error: unknown): ApiResponse {
  const { status, code } =
    error instanceof StatusError
      ? error
      : failure(500, 'InternalError', `Internal error occurred: ${(error as Error)?.stack ?? error}`);
  const retry = isFields(status.details) ? status.details.retryAfterSeconds : undefined;
  return jsonResponse(code, status, retry === undefined ? {} : { 'retry-after': String(retry) });
}

/** The API server itself: a request in, an answer out. */
export function createHandler(machinery: Machinery): Handler {
  const representations = createRepresentations(machinery);
  const answer = async (request: ApiRequest): Promise<ApiResponse> => {
    const mark = request.url.indexOf('?');
    const query = new URLSearchParams(mark === -1 ? '' : request.url.slice(mark + 1));
    const route = routeOf(mark === -1 ? request.url : request.url.slice(0, mark));
    if (route.to === 'resource') return answerResource(machinery, request, route.path, query, representations);
    return discovery(machinery, request, route) ?? pageNotFound();
  };
  return async (request) => {
    const response = await answer(request).catch(refusal);
    return {
      ...response,
      headers: { 'audit-id': randomUUID(), 'cache-control': 'no-cache, private', ...response.headers },
    };
  };
}

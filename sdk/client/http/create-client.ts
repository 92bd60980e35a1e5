/** Creates the client of an API server: CRUD, watches and raw calls over HTTP. */

import { apiVersionOf, type Kind } from '../../api/kind.ts';
import { type KubeObject, type ObjectKey, objectKeyOf } from '../../api/object.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { NotFoundError, UnreachableError } from '../../errors.ts';
import type { Client, DeleteOptions, NewObject, Patch, WriteOptions } from '../client.ts';
import { type ClientNodeKubeConfig, clientNodeConnection } from '../config/client-node-connection.ts';
import type { KubeconfigData } from '../config/connection.ts';
import { kubeconfigConnection } from '../config/kubeconfig-connection.ts';
import { decodeObject, parseResponse } from './decode-object.ts';
import { listAll } from './list.ts';
import { textDepth } from './managed-fields.ts';
import type { ClientObserver, ClientRequest } from './observer.ts';
import { collectionPath, creationPath, objectPath, withQuery } from './paths.ts';
import { requestBody } from './request-body.ts';
import { type ApiCall, createTransport, type Target, type Transport } from './transport.ts';
import { watchEvents } from './watch.ts';

/** Target by a kubeconfig, whose current context applies: a loaded `KubeConfig` of @kubernetes/client-node, or a kubeconfig as data. */
export interface KubeConfigTarget {
  readonly kubeConfig: ClientNodeKubeConfig | KubeconfigData;
  /** @default 16 */
  readonly connections?: number;
}

const isClientNodeConfig = (kubeConfig: ClientNodeKubeConfig | KubeconfigData): kubeConfig is ClientNodeKubeConfig =>
  typeof (kubeConfig as Partial<ClientNodeKubeConfig> | undefined)?.getCurrentContext === 'function';

const targetOf = (target: Target | KubeConfigTarget, clock: Clock): Target => {
  if (!('kubeConfig' in target)) return target;
  const { kubeConfig, connections = 16 } = target;
  const connection = isClientNodeConfig(kubeConfig)
    ? clientNodeConnection(kubeConfig)
    : kubeconfigConnection(kubeConfig, clock);
  return { connection, connections };
};

/** Options of {@link createClient}: a {@link Target} or a kubeconfig, and the identity of requests. */
export type ClientOptions = (Target | KubeConfigTarget) & {
  /** @default 'workspace-sequencer' */
  readonly userAgent?: string;
  /** Field manager of writes, unless a call names one. @default 'workspace-sequencer' */
  readonly fieldManager?: string;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Observer of all requests, for metrics and traces. @default none */
  readonly observer?: ClientObserver;
};

const defaultName = 'workspace-sequencer';
const asJson = 'application/json';
const asMetadata = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';
const patchTypes: Readonly<Record<Patch['type'], string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

const withTypeMeta = <T extends KubeObject>(kind: Kind<T>, object: object): object => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  ...object,
});

const patchBodyOf = (kind: Kind, patch: Patch): unknown => {
  if (patch.type === 'json') return patch.operations;
  return patch.type === 'apply' ? withTypeMeta(kind, patch.value) : patch.value;
};

/** Reports whether the object in a delete's response still exists: kept by finalizers, a grace period or a namespace's contents. */
function isStillPresent(response: unknown): boolean {
  const { metadata, spec } = response as {
    metadata?: Partial<KubeObject['metadata']>;
    spec?: { finalizers?: unknown[] };
  };
  if (metadata?.deletionTimestamp === undefined) return false;
  const finalizers = (metadata.finalizers?.length ?? 0) + (spec?.finalizers?.length ?? 0);
  return finalizers > 0 || metadata.deletionGracePeriodSeconds !== 0;
}

/** Verb, kind and subresource that observers get; for a raw call, derived from its method. */
type RequestAttributes = Pick<ClientRequest, 'verb' | 'kind' | 'subresource'>;

const verbs: Readonly<Record<string, ClientRequest['verb']>> = {
  POST: 'CREATE',
  PUT: 'UPDATE',
  PATCH: 'PATCH',
  DELETE: 'DELETE',
};

const attributesOf = (verb: ClientRequest['verb'], { plural }: Kind, subresource = 'spec'): RequestAttributes => ({
  verb,
  kind: plural,
  subresource,
});

const rawAttributes = (method: string): RequestAttributes => ({
  verb: verbs[method] ?? 'GET',
  kind: '',
  subresource: '',
});

/** Sends calls and parses their responses as JSON. */
function createCaller(
  transport: Transport,
  { userAgent, observer }: { userAgent: string; observer: ClientObserver | undefined },
) {
  const headers = { accept: asJson, 'user-agent': userAgent };
  return {
    headers,
    async json(
      call: Omit<ApiCall, 'headers' | 'body'> & {
        headers?: ApiCall['headers'];
        body?: unknown;
        depth?: number;
        /** Absent for a raw call, which may be answered by anything. */
        attributes?: RequestAttributes;
      },
      options?: WriteOptions,
    ) {
      const { method, path, body, depth } = call;
      const request = {
        method,
        path,
        headers: {
          ...headers,
          ...(options?.answer === 'metadata' && { accept: asMetadata }),
          ...(body !== undefined && { 'content-type': asJson }),
          ...call.headers,
        },
        body: body === undefined ? undefined : requestBody(body, call.headers?.['content-type']),
      };
      const send = () => transport.call(request, options);
      const answer = await (observer?.request?.(
        { ...(call.attributes ?? rawAttributes(method)), method, url: transport.server + path },
        send,
      ) ?? send());
      try {
        return parseResponse(answer, { depth, isRaw: call.attributes === undefined });
      } catch (cause) {
        throw new UnreachableError({ method, path, server: transport.server }, cause, false);
      }
    },
  };
}

/** Appends the query parameters of a write. */
const withWriteQuery = (
  path: string,
  { fieldManager, dryRun, fieldValidation }: WriteOptions,
  force?: boolean,
): string => withQuery(path, { fieldManager, dryRun: dryRun ? 'All' : undefined, fieldValidation, force });

/**
 * Creates a client of one API server; it connects with its first request.
 *
 * @throws UserError E#1002, E#1003, E#1004 or E#1009 for a `kubeConfig` that names no server
 * @example
 * ```ts
 * import { createClient, loadConnection, Workspace } from 'workspace-sequencer/sdk';
 *
 * const client = createClient({ connection: await loadConnection() });
 * for await (const event of client.watch(Workspace)) console.log(event.type);
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const { userAgent = defaultName, clock = systemClock, random = Math.random, observer } = options;
  const transport = createTransport({ target: targetOf(options, clock), clock, random });
  const { json, headers } = createCaller(transport, { userAgent, observer });
  const writePath = (path: string, call: WriteOptions, force?: boolean): string =>
    withWriteQuery(path, { ...call, fieldManager: call.fieldManager ?? options.fieldManager ?? defaultName }, force);

  const read = async <T extends KubeObject>(kind: Kind<T>, call: Parameters<typeof json>[0], options: WriteOptions) => {
    const attributes = attributesOf(verbs[call.method] ?? 'GET', kind, options.subresource);
    return decodeObject(kind, (await json({ ...call, attributes, depth: textDepth.object }, options)) as T);
  };

  return {
    server: transport.server,

    get: async (kind, key, call = {}) => read(kind, { method: 'GET', path: objectPath(kind, key) }, call),

    list: (kind, call = {}) => {
      const attributes = attributesOf('LIST', kind);
      const listPage: typeof json = (page, options) => json({ ...page, attributes }, options);
      return listAll({ kind, collection: collectionPath(kind, call.namespace), json: listPage }, call);
    },

    async create<T extends KubeObject>(kind: Kind<T>, object: NewObject<T>, call: WriteOptions = {}) {
      const path = writePath(creationPath(kind, object.metadata.namespace), call);
      return read(kind, { method: 'POST', path, body: withTypeMeta(kind, object) }, call);
    },

    async update(kind, object, call = {}) {
      const path = writePath(objectPath(kind, objectKeyOf(object), call.subresource), call);
      return read(kind, { method: 'PUT', path, body: object }, call);
    },

    async patch<T extends KubeObject>(...args: [Kind<T>, ObjectKey, Patch, WriteOptions?]) {
      const [kind, key, patch, call = {}] = args;
      const force = patch.type === 'apply' && patch.force;
      const path = writePath(objectPath(kind, key, call.subresource), call, force);
      const headers = { 'content-type': patchTypes[patch.type] };
      return read(kind, { method: 'PATCH', path, headers, body: patchBodyOf(kind, patch) }, call);
    },

    async delete(kind, key, call: DeleteOptions = {}) {
      const { propagation: propagationPolicy, gracePeriodSeconds, preconditions } = call;
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy, gracePeriodSeconds, preconditions };
      try {
        const attributes = attributesOf('DELETE', kind);
        const deleteResponse = await json({ method: 'DELETE', path: objectPath(kind, key), body, attributes }, call);
        return isStillPresent(deleteResponse) ? 'deleting' : 'gone';
      } catch (error) {
        if (error instanceof NotFoundError) return 'gone';
        throw error;
      }
    },

    watch: (kind, call = {}) => watchEvents({ kind, transport, headers, observer }, call),
    raw: (...[method, path, body, call]) => json({ method, path, body }, call),
    close: () => transport.close(),
  };
}

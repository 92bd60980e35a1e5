/** Client of an API server over HTTP. */

import { apiVersionOf, type Kind } from '../../api/kind.ts';
import { type KubeObject, type ObjectKey, objectKeyOf } from '../../api/object.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { NotFoundError, UnreachableError } from '../../errors.ts';
import type { CallOptions, Client, DeleteOptions, NewObject, Patch, WriteOptions } from '../client.ts';
import { clientNodeConnection, type GivenKubeConfig } from '../config/client-node-connection.ts';
import type { KubeconfigData } from '../config/connection.ts';
import { kubeconfigConnection } from '../config/kubeconfig-connection.ts';
import { decodeObject } from './decode-object.ts';
import { listAll } from './list.ts';
import { textDepth, withoutManagedFields } from './managed-fields.ts';
import type { ClientObserver, ClientRequest } from './observer.ts';
import { collectionPath, creationPath, objectPath, withQuery } from './paths.ts';
import { requestBody } from './request-body.ts';
import { type ApiCall, createTransport, type Target, type Transport } from './transport.ts';
import { watchEvents } from './watch.ts';

/** Server and user of the current context of a kubeconfig: a `KubeConfig` of @kubernetes/client-node, loaded in whatever way, or the data of a file. */
export interface KubeConfigTarget {
  readonly kubeConfig: GivenKubeConfig | KubeconfigData;
  /** @default 16 */
  readonly connections?: number;
}

const isClientNodes = (kubeConfig: GivenKubeConfig | KubeconfigData): kubeConfig is GivenKubeConfig =>
  typeof (kubeConfig as Partial<GivenKubeConfig> | undefined)?.getCurrentContext === 'function';

const targetOf = (target: Target | KubeConfigTarget, clock: Clock): Target => {
  if (!('kubeConfig' in target)) return target;
  const { kubeConfig, connections = 16 } = target;
  const connection = isClientNodes(kubeConfig)
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

const ourName = 'workspace-sequencer';
const asJson = 'application/json';
const asMetadata = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';
const patchTypes: Readonly<Record<Patch['type'], string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

const named = <T extends KubeObject>(kind: Kind<T>, object: object): object => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  ...object,
});

const patchBodyOf = (kind: Kind, patch: Patch): unknown => {
  if (patch.type === 'json') return patch.operations;
  return patch.type === 'apply' ? named(kind, patch.value) : patch.value;
};

/** Reports whether the object in a delete's response still exists: kept by finalizers, a grace period or a namespace's contents. */
function isStillPresent(answered: unknown): boolean {
  const { metadata, spec } = answered as {
    metadata?: Partial<KubeObject['metadata']>;
    spec?: { finalizers?: unknown[] };
  };
  if (metadata?.deletionTimestamp === undefined) return false;
  const finalizers = (metadata.finalizers?.length ?? 0) + (spec?.finalizers?.length ?? 0);
  return finalizers > 0 || metadata.deletionGracePeriodSeconds !== 0;
}

/** Parts of a call that observers are reported; for a raw call, derived from its method. */
type About = Pick<ClientRequest, 'verb' | 'kind' | 'subresource'>;

const verbs: Readonly<Record<string, ClientRequest['verb']>> = {
  POST: 'CREATE',
  PUT: 'UPDATE',
  PATCH: 'PATCH',
  DELETE: 'DELETE',
};

const aboutOf = (verb: ClientRequest['verb'], { plural }: Kind, subresource = 'spec'): About => ({
  verb,
  kind: plural,
  subresource,
});

const rawAbout = (method: string): About => ({ verb: verbs[method] ?? 'GET', kind: '', subresource: '' });

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
        about?: About;
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
        { ...(call.about ?? rawAbout(method)), method, url: transport.server + path },
        send,
      ) ?? send());
      const text = answer.body.toString();
      try {
        return JSON.parse(depth === undefined ? text : withoutManagedFields(text, depth)) as unknown;
      } catch (cause) {
        if (String(answer.headers['content-type']).startsWith('text/plain')) return text;
        throw new UnreachableError({ method, path, server: transport.server }, cause, false);
      }
    },
  };
}

/** Returns the query parameters that say how a write is carried out. */
const clientOf = ({ dryRun, fieldValidation }: WriteOptions) => ({
  dryRun: dryRun ? 'All' : undefined,
  fieldValidation,
});

/** Creates a client of one API server; it connects with its first request. @throws UserError E#1002, E#1003, E#1004 or E#1009 for a `kubeConfig` that names no server */
export function createClient(options: ClientOptions): Client {
  const { userAgent = ourName, fieldManager = ourName, clock = systemClock, random = Math.random, observer } = options;
  const transport = createTransport({ target: targetOf(options, clock), clock, random });
  const { json, headers } = createCaller(transport, { userAgent, observer });
  const written = (path: string, { fieldManager: manager = fieldManager, ...options }: WriteOptions, force?: boolean) =>
    withQuery(path, { fieldManager: manager, ...clientOf(options), force });

  const read = async <T extends KubeObject>(kind: Kind<T>, call: Parameters<typeof json>[0], options: WriteOptions) => {
    const about = aboutOf(verbs[call.method] ?? 'GET', kind, options.subresource);
    return decodeObject(kind, (await json({ ...call, about, depth: textDepth.object }, options)) as T);
  };

  return {
    server: transport.server,

    get: async (kind, key, call = {}) => read(kind, { method: 'GET', path: objectPath(kind, key) }, call),

    list: (kind, call = {}) => {
      const about = aboutOf('LIST', kind);
      const listed = (page: Parameters<typeof json>[0], options: CallOptions) => json({ ...page, about }, options);
      return listAll({ kind, collection: collectionPath(kind, call.namespace), json: listed }, call);
    },

    async create<T extends KubeObject>(kind: Kind<T>, object: NewObject<T>, call: WriteOptions = {}) {
      const path = written(creationPath(kind, object.metadata.namespace), call);
      return read(kind, { method: 'POST', path, body: named(kind, object) }, call);
    },

    async update(kind, object, call = {}) {
      const path = written(objectPath(kind, objectKeyOf(object), call.subresource), call);
      return read(kind, { method: 'PUT', path, body: object }, call);
    },

    async patch<T extends KubeObject>(...args: [Kind<T>, ObjectKey, Patch, WriteOptions?]) {
      const [kind, key, patch, call = {}] = args;
      const force = patch.type === 'apply' && patch.force;
      const path = written(objectPath(kind, key, call.subresource), call, force);
      const headers = { 'content-type': patchTypes[patch.type] };
      return read(kind, { method: 'PATCH', path, headers, body: patchBodyOf(kind, patch) }, call);
    },

    async delete(kind, key, call: DeleteOptions = {}) {
      const { propagation: propagationPolicy, gracePeriodSeconds, preconditions } = call;
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy, gracePeriodSeconds, preconditions };
      try {
        const about = aboutOf('DELETE', kind);
        const answered = await json({ method: 'DELETE', path: objectPath(kind, key), body, about }, call);
        return isStillPresent(answered) ? 'deleting' : 'gone';
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

/** Interface of the client: readers, writers, watches and their options. */

import type { Kind } from '../api/kind.ts';
import type { KubeObject, ObjectKey } from '../api/object.ts';
import type { JsonPatchOperation } from '../api/patch.ts';

/** Defaults of the options of calls, as each option says. */
export const callDefaults = { deadline: 30_000, pageSize: 500, idleTimeout: 90_000 } as const;

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call: it rejects with the signal's reason. A write may have been carried out. */
  readonly signal?: AbortSignal;
  /** ms until the call fails with an UnreachableError, retries included; for a list, of each page. @default 30 000 */
  readonly deadline?: number;
}

/** Server-side selection of a list or watch. */
export interface Selection {
  /** Absent: all namespaces (or the kind is cluster-scoped). */
  readonly namespace?: string;
  /** Label selector such as `a=b,c in (d,e)`. */
  readonly labels?: string;
  /** Field selector such as `metadata.name=a`. */
  readonly fields?: string;
}

/** Options of {@link Reader.list}. */
export interface ListOptions extends CallOptions, Selection {
  /** Page size; all pages are read. @default 500 */
  readonly pageSize?: number;
  /** `'any'`: served from the server's watch cache (cheaper). @default 'latest' */
  readonly consistency?: 'latest' | 'any';
  /** `'metadata'`: the items are PartialObjectMetadata, for callers that need no more. @default 'object' */
  readonly answer?: 'object' | 'metadata';
}

/** Objects of a list and the resourceVersion at which they were read. */
export interface ObjectList<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
}

/** Reads from the server, never from a cache. Objects are frozen. */
export interface Reader {
  /** @throws NotFoundError, ForbiddenError, UnreachableError */
  get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: CallOptions): Promise<T>;
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<ObjectList<T>>;
}

/** Options of creates, updates and patches. */
export interface WriteOptions extends CallOptions {
  /** @default the client's */
  readonly fieldManager?: string;
  /** `true`: dry run; the request is admitted and validated but not stored. */
  readonly dryRun?: boolean;
  /** Handling of unknown and duplicate fields: dropped, dropped with a warning, or the write is refused (400). @default the server's, `Warn` */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  readonly subresource?: 'status' | 'scale';
  /** `'metadata'`: the response is a PartialObjectMetadata, for callers that need no more than the new version. @default 'object' */
  readonly answer?: 'object' | 'metadata';
}

/** JSON patch, merge patch or server-side apply. */
export type Patch =
  | { readonly type: 'json'; readonly operations: readonly JsonPatchOperation[] }
  | { readonly type: 'merge'; readonly value: object }
  | { readonly type: 'apply'; readonly value: object; readonly force?: boolean };

/** Options of {@link Writer.delete}. */
export interface DeleteOptions extends CallOptions {
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  /** Preconditions of the deletion; else ConflictError. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** Object to create: `apiVersion` and `kind` may be omitted, as may the name if `generateName` is set. */
export type NewObject<T extends KubeObject> = Omit<T, 'apiVersion' | 'kind' | 'metadata'> &
  Partial<Pick<T, 'apiVersion' | 'kind'>> & {
    readonly metadata: Omit<T['metadata'], 'name'> & { readonly name?: string };
  };

/** Writes to the server. Retries only requests that the server says it has not carried out (429, 503 with Retry-After). */
export interface Writer {
  /** @throws AlreadyExistsError, InvalidError, ForbiddenError, UnreachableError */
  create<T extends KubeObject>(kind: Kind<T>, object: NewObject<T>, options?: WriteOptions): Promise<T>;
  /** Replaces the whole object (or its `subresource`). @throws ConflictError if the object's resourceVersion is not the latest */
  update<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<T>;
  /** @throws InvalidError if a JSON patch's `test` or path does not hold */
  patch<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<T>;
  /** Resolves `'gone'` when the object is removed or did not exist, `'deleting'` when finalizers or the grace period delay its removal. */
  delete<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: DeleteOptions): Promise<'gone' | 'deleting'>;
}

/** Event of a watch. */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

/** Options of {@link Client.watch}. */
export interface WatchOptions extends Selection {
  /** Ends the iteration at once, without an error. */
  readonly signal?: AbortSignal;
  /** Version to watch from. Absent: all existing objects come first, as ADDED. */
  readonly resourceVersion?: string;
  /** Requests a streaming list: existing objects, then a bookmark with `initialEventsEnd`. */
  readonly sendInitialEvents?: boolean;
  /** Seconds after which the server ends the watch. */
  readonly timeoutSeconds?: number;
  /** ms without any byte after which the connection counts as dead (UnreachableError). @default 90 000 */
  readonly idleTimeout?: number;
  /** Called with each line before it is parsed; returns true to skip it (echoes of own writes, for instance). */
  readonly skip?: (line: Buffer | string) => boolean;
}

/** Client of one API server. */
export interface Client extends Reader, Writer {
  /** Address of the server, for messages. */
  readonly server: string;
  /** Iterates over the events until the server ends the watch; throws ExpiredError when the version is too old. */
  watch<T extends KubeObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** Requests any path and parses the response as JSON: version, discovery, resources without a Kind. */
  raw(method: string, path: string, body?: unknown, options?: CallOptions): Promise<unknown>;
  /** Closes all connections without waiting for requests. */
  close(): Promise<void>;
}

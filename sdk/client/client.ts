import type { Kind } from '../api/kind.ts';
import type { KubeObject, ObjectKey } from '../api/object.ts';
import type { JsonPatchOperation } from '../api/patch.ts';

/** Options every call takes. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason. A write may have happened by then. */
  readonly signal?: AbortSignal;
  /** ms until the call fails with an UnreachableError, retries included; of a list, each page. @default 30 000 */
  readonly deadline?: number;
}

/** Narrows a list or watch, in the server. */
export interface Selection {
  /** Absent: all namespaces (or the kind is cluster-scoped). */
  readonly namespace?: string;
  /** Label selector such as `a=b,c in (d,e)`. */
  readonly labels?: string;
  /** Field selector such as `metadata.name=a`. */
  readonly fields?: string;
}

export interface ListOptions extends CallOptions, Selection {
  /** Objects per page asked for; all pages are read. @default 500 */
  readonly pageSize?: number;
  /** `'any'`: whatever the server has cached (cheaper). @default 'latest' */
  readonly consistency?: 'latest' | 'any';
}

/** All objects of a list and the version of the store they were read at. */
export interface ObjectList<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
}

/** Reads live, never from a cache. Objects come frozen. */
export interface Reader {
  /** @throws NotFoundError, ForbiddenError, UnreachableError */
  get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: CallOptions): Promise<T>;
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<ObjectList<T>>;
}

export interface WriteOptions extends CallOptions {
  /** @default the client's */
  readonly fieldManager?: string;
  /** `true`: the server goes through everything and stores nothing. */
  readonly dryRun?: boolean;
  /** Fields that the kind does not have: dropped in silence, dropped with a warning, or the whole write is refused (400). @default the server's, `Warn` */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  readonly subresource?: 'status' | 'scale';
  /** `'metadata'`: the answer holds metadata only (PartialObjectMetadata): for callers that need no more than the new version. @default 'object' */
  readonly answer?: 'object' | 'metadata';
}

/** The three kinds of change sent as a patch. */
export type Patch =
  | { readonly type: 'json'; readonly operations: readonly JsonPatchOperation[] }
  | { readonly type: 'merge'; readonly value: object }
  | { readonly type: 'apply'; readonly value: object; readonly force?: boolean };

export interface DeleteOptions extends CallOptions {
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  /** Only if these still hold, else ConflictError. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** An object to be created: `apiVersion` and `kind` may be left out, the name too if `generateName` is there. */
export type NewObject<T extends KubeObject> = Omit<T, 'apiVersion' | 'kind' | 'metadata'> &
  Partial<Pick<T, 'apiVersion' | 'kind'>> & {
    readonly metadata: Omit<T['metadata'], 'name'> & { readonly name?: string };
  };

/** Writes. Nothing is retried but what the server says it has not carried out (429, 503 with Retry-After). */
export interface Writer {
  /** @throws AlreadyExistsError, InvalidError, ForbiddenError, UnreachableError */
  create<T extends KubeObject>(kind: Kind<T>, object: NewObject<T>, options?: WriteOptions): Promise<T>;
  /** Replaces the whole object (or its `subresource`). @throws ConflictError if the object's resourceVersion is not the latest */
  update<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<T>;
  /** @throws InvalidError if a JSON patch's `test` or path does not hold */
  patch<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<T>;
  /** Resolves `'gone'` when the object is away or was never there, `'deleting'` when finalizers or grace keep it for now. */
  delete<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: DeleteOptions): Promise<'gone' | 'deleting'>;
}

/** One thing a watch says. */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

export interface WatchOptions extends Selection {
  /** Ends the iteration at once, without an error. */
  readonly signal?: AbortSignal;
  /** Absent: everything that exists comes first, as ADDED. */
  readonly resourceVersion?: string;
  /** Ask for a streaming list: existing objects, then a bookmark with `initialEventsEnd`. */
  readonly sendInitialEvents?: boolean;
  /** Seconds after which the server ends the watch. */
  readonly timeoutSeconds?: number;
  /** ms without any byte after which the connection counts as dead (UnreachableError). @default 90 000 */
  readonly idleTimeout?: number;
  /** Called with every line before it is parsed; return true to skip it (our own echoes, for instance). */
  readonly skip?: (line: Buffer | string) => boolean;
}

export interface Client extends Reader, Writer {
  /** The server's address, for messages. */
  readonly server: string;
  /** Ends when the server ends the watch; throws ExpiredError when the version asked for is too old. */
  watch<T extends KubeObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** Any path, answered as JSON: version, discovery, what has no Kind. */
  raw(method: string, path: string, body?: unknown, options?: CallOptions): Promise<unknown>;
  /** Waits for nothing: ends all connections. */
  close(): Promise<void>;
}

/** Watches one kind and decodes the events. */

import type { Kind } from '../../api/kind.ts';
import type { KubeObject } from '../../api/object.ts';
import { type RequestInfo, type Status, UnreachableError } from '../../errors.ts';
import { callDefaults, type WatchEvent, type WatchOptions } from '../client.ts';
import { apiErrorOf } from './api-errors.ts';
import type { ByteStream } from './byte-stream.ts';
import { decodeObject } from './decode-object.ts';
import { createLineSplitter, type LineSplitter } from './line-splitter.ts';
import { textDepth, withoutManagedFields } from './managed-fields.ts';
import type { ClientObserver } from './observer.ts';
import { collectionPath, withQuery } from './paths.ts';
import type { ApiCall, Transport } from './transport.ts';

/** Decoded line of a watch. */
type WatchLine =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: KubeObject }
  | { readonly type: 'ERROR'; readonly object: Status };

/** Longest line in bytes: an object of 1.5 MiB, and what escapes in its texts add. */
const maxLineLength = 2 ** 25;
const initialEventsEnd = 'k8s.io/initial-events-end';

const pathOf = (kind: Kind, options: WatchOptions): string =>
  withQuery(collectionPath(kind, options.namespace), {
    watch: true,
    allowWatchBookmarks: true,
    resourceVersion: options.resourceVersion,
    ...(options.sendInitialEvents && { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }),
    labelSelector: options.labels,
    fieldSelector: options.fields,
    timeoutSeconds: options.timeoutSeconds,
  });

function eventOf<T extends KubeObject>(kind: Kind<T>, line: Buffer, request: RequestInfo): WatchEvent<T> {
  const { type, object } = parse(line, request);
  if (type === 'ERROR') throw apiErrorOf(object, request);
  if (type !== 'BOOKMARK') return { type, object: decodeObject(kind, object as T) };
  const { resourceVersion = '', annotations } = object.metadata;
  return { type, resourceVersion, initialEventsEnd: annotations?.[initialEventsEnd] === 'true' };
}

function parse(line: Buffer, request: RequestInfo): WatchLine {
  try {
    return JSON.parse(withoutManagedFields(line.toString(), textDepth.event)) as WatchLine;
  } catch (cause) {
    throw new UnreachableError(request, cause, false);
  }
}

async function chunksOf(stream: ByteStream, request: RequestInfo): Promise<readonly Buffer[] | undefined> {
  try {
    return await stream.next();
  } catch (cause) {
    throw new UnreachableError(request, cause, false);
  }
}

/** Splits chunks into lines without the empty ones. @throws UnreachableError when an unfinished line is too long */
function linesOf(chunks: readonly Buffer[], splitter: LineSplitter, request: RequestInfo): readonly Buffer[] {
  const lines = chunks.flatMap((chunk) => splitter.split(chunk)).filter((line) => line.length > 0);
  if (splitter.pending <= maxLineLength) return lines;
  throw new UnreachableError(request, new Error(`a line of more than ${maxLineLength} bytes`), false);
}

/** Kind, transport and headers of {@link watchEvents}. */
export interface WatchSource<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly transport: Transport;
  readonly headers: ApiCall['headers'];
  readonly observer?: ClientObserver | undefined;
}

/** Implements `Client.watch`. */
export async function* watchEvents<T extends KubeObject>(
  { kind, transport, headers, observer }: WatchSource<T>,
  options: WatchOptions,
): AsyncGenerator<WatchEvent<T>, void, void> {
  const { skip, signal = new AbortController().signal, idleTimeout = callDefaults.idleTimeout } = options;
  if (signal.aborted) return;
  const call = { method: 'GET', path: pathOf(kind, options), headers };
  const request = { method: call.method, path: call.path, server: transport.server };
  const attributes = { verb: 'WATCH', kind: kind.plural, subresource: 'spec', method: 'GET' } as const;
  const watchObserver = observer?.watch?.({ ...attributes, url: transport.server + call.path });
  const splitter = createLineSplitter();
  let stream: ByteStream | undefined;
  let failure: unknown;
  try {
    stream = await transport.open(call, { signal, idleTimeout });
    watchObserver?.opened?.();
    for (let chunks = await chunksOf(stream, request); chunks; chunks = await chunksOf(stream, request))
      for (const line of linesOf(chunks, splitter, request)) {
        if (signal.aborted) return;
        watchObserver?.event?.();
        if (!skip?.(line)) yield eventOf(kind, line, request);
      }
    if (splitter.pending > 0) throw new UnreachableError(request, new Error('the watch ended in mid-line'), false);
  } catch (error) {
    if (signal.aborted) return;
    failure = error;
    throw error;
  } finally {
    stream?.close();
    watchObserver?.ended?.(failure);
  }
}

/** Records the exchanges of a cluster. */

import { gunzipSync } from 'node:zlib';
import { mediaTypes } from '../encoding/negotiation.ts';
import { attributesOf } from '../requests/attributes.ts';
import type { ApiRequest, ApiResponse, Handler, Sink, User } from '../requests/message.ts';
import type { Framing } from '../requests/watch-framing.ts';
import type { TypeTable } from '../resources/type-table.ts';
import type { ProtobufReader } from './read-protobuf.ts';
import { type RecordedRequest, type RecordedResponse, type RecordedStep, withoutSecrets } from './recording.ts';

/** Receives the lines of a recording, each without its line break. */
export type WriteLine = (line: string) => void;

const recordedHeaders = ['accept', 'content-type', 'user-agent', 'if-none-match'];
const superusers = 'system:masters';

/** Returns the headers that impersonate the user on replay, which runs as an administrator. */
function identityOf({ name, groups }: User): RecordedRequest['headers'] {
  if (name === 'system:anonymous') return { authorization: null };
  if (groups.includes(superusers)) return {};
  return {
    'impersonate-user': name,
    ...(groups.length > 0 && { 'impersonate-group': groups.length === 1 ? groups[0]! : groups }),
  };
}

const decoder = new TextDecoder();

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Protobuf reader; undefined when nothing is encoded in protobuf. */
type Reader = ProtobufReader | undefined;

/** Options of recording an exchange. */
interface RecordingContext {
  readonly inSecrets: boolean;
  readonly reader: Reader;
}

function readable(reader: Reader, bytes: Uint8Array): unknown {
  try {
    return reader?.object(bytes);
  } catch {
    return undefined;
  }
}

function bodyOf(
  { body }: ApiRequest,
  { inSecrets, reader }: RecordingContext,
): Pick<RecordedRequest, 'body' | 'bodyBase64'> {
  if (body === undefined || body.byteLength === 0) return {};
  const value = readable(reader, body) ?? jsonOf(decoder.decode(body));
  if (value !== undefined) return { body: withoutSecrets(value, inSecrets) };
  // Bytes that cannot be parsed cannot be redacted.
  return inSecrets ? {} : { bodyBase64: Buffer.from(body).toString('base64') };
}

/** Replaces protobuf by JSON in a header, as replays use JSON. */
const inJson = (header: string): string => header.replaceAll(mediaTypes.protobuf, mediaTypes.json);

function requestOf(request: ApiRequest, noting: RecordingContext): RecordedRequest {
  const { method, url, headers, user } = request;
  const sent = recordedHeaders.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, noting.reader === undefined ? value : inJson(value)] as const];
  });
  return {
    method,
    path: url,
    headers: { ...Object.fromEntries(sent), ...identityOf(user) },
    ...bodyOf(request, noting),
  };
}

/** Returns the body of an answer, decompressed. */
function plainBody({ headers, body }: ApiResponse): Buffer {
  const bytes = Buffer.from(body as string);
  return headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
}

function responseOf(response: ApiResponse, { inSecrets, reader }: RecordingContext): RecordedResponse {
  const { status, headers } = response;
  const { 'content-type': given, warning } = headers;
  const plain = plainBody(response);
  const read = isProtobuf(given) ? readable(reader, plain) : undefined;
  const type = read === undefined ? given : inJson(String(given));
  const text = plain.toString();
  const value = read ?? (String(type).includes('json') ? jsonOf(text) : undefined);
  const content = value === undefined ? { text: inSecrets ? '' : text } : { body: withoutSecrets(value, inSecrets) };
  return {
    status,
    headers: { ...(type !== undefined && { 'content-type': type }), ...(warning !== undefined && { warning }) },
    ...(text === '' ? {} : content),
  };
}

const isProtobuf = (type: unknown): boolean => String(type).startsWith(mediaTypes.protobuf);

/** Returns the events in a chunk of a watch. */
function eventsIn(chunk: Uint8Array, framing: Framing | undefined, reader: Reader): readonly unknown[] {
  const frames = framing?.framesOf(chunk) ?? [];
  return frames.map((frame) => {
    const { kind, payload } = framing!.messageOf(frame);
    return kind === 'text' ? jsonOf(decoder.decode(payload)) : reader?.event(payload);
  });
}

/** Callbacks for the events of a watch and for its end or disconnection. */
interface Listener {
  readonly note: (event: unknown) => void;
  readonly done: () => void;
}

/** Wraps a stream to record its events. */
function recordStream({ stream, framing }: ApiResponse, reader: Reader, { note, done }: Listener) {
  return (sink: Sink) => {
    const stop = stream!({
      ...sink,
      write(chunk) {
        for (const event of eventsIn(chunk, framing, reader)) note(event);
        sink.write(chunk);
      },
      end() {
        done();
        sink.end();
      },
    });
    return () => {
      done();
      stop();
    };
  };
}

/**
 * Records requests and answers without secrets; a watch when it opens, its events when it ends.
 * Protobuf is read by `types`. Pass the returned function to a cluster's `intercept`.
 */
export function recorder(
  version: string,
  types: () => Promise<TypeTable>,
  writeLine: WriteLine,
): (request: ApiRequest, next: Handler) => Promise<ApiResponse> {
  const write = (step: RecordedStep): void => writeLine(JSON.stringify(step));
  let watches = 0;
  write({ kind: 'ClusterRecording', formatVersion: 1, version });
  const readerFor = async (request: ApiRequest, response: ApiResponse): Promise<Reader> => {
    const spoken = [request.headers['content-type'], request.headers.accept, response.headers['content-type']];
    if (!spoken.some((type) => String(type).includes(mediaTypes.protobuf))) return undefined;
    const { createProtobufReader } = await import('./read-protobuf.ts');
    return createProtobufReader(await types());
  };

  const follow = (
    asked: RecordedRequest,
    response: ApiResponse,
    { inSecrets, reader }: RecordingContext,
  ): ApiResponse => {
    watches += 1;
    const id = `watch-${watches}`;
    write({ watch: { id, ...asked }, response: { status: response.status, headers: {} } });
    const events: unknown[] = [];
    let isOpen = true;
    const done = (): void => {
      if (isOpen) write({ collect: id, events });
      isOpen = false;
    };
    const note = (event: unknown) => events.push(withoutSecrets(event, inSecrets));
    return { ...response, stream: recordStream(response, reader, { note, done }) };
  };

  return async (request, next) => {
    const response = await next(request);
    const inSecrets = attributesOf(request.method, request.url).resource?.plural === 'secrets';
    const noting = { inSecrets, reader: await readerFor(request, response) };
    const asked = requestOf(request, noting);
    if (response.stream !== undefined) return follow(asked, response, noting);
    write({ request: asked, response: responseOf(response, noting) });
    return response;
  };
}

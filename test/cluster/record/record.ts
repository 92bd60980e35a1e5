import { gunzipSync } from 'node:zlib';
import { attributesOf } from '../http/attributes.ts';
import type { ApiRequest, ApiResponse, Handler, Sink, User } from '../http/message.ts';
import { type RecordedRequest, type RecordedResponse, type RecordedStep, withoutSecrets } from './recording.ts';

/** Takes the lines of a recording, each without its end. */
export type WriteLine = (line: string) => void;

const kept = ['accept', 'content-type', 'user-agent', 'if-none-match'];
const superusers = 'system:masters';

/** Somebody else than an administrator is impersonated by whoever replays, who has other credentials. */
function identityOf({ name, groups }: User): Record<string, string | null> {
  if (name === 'system:anonymous') return { authorization: null };
  if (groups.includes(superusers)) return {};
  return { 'impersonate-user': name, ...(groups.length > 0 && { 'impersonate-group': groups.join(',') }) };
}

const decoder = new TextDecoder();

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function bodyOf({ body }: ApiRequest, inSecrets: boolean): Pick<RecordedRequest, 'body' | 'bodyBase64'> {
  if (body === undefined || body.byteLength === 0) return {};
  const value = jsonOf(decoder.decode(body));
  if (value !== undefined) return { body: withoutSecrets(value, inSecrets) };
  // What cannot be read cannot be redacted.
  return inSecrets ? {} : { bodyBase64: Buffer.from(body).toString('base64') };
}

function requestOf(request: ApiRequest, inSecrets: boolean): RecordedRequest {
  const { method, url, headers, user } = request;
  const sent = kept.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]));
  return {
    method,
    path: url,
    headers: { ...Object.fromEntries(sent), ...identityOf(user) },
    ...bodyOf(request, inSecrets),
  };
}

function responseOf({ status, headers, body }: ApiResponse, inSecrets: boolean): RecordedResponse {
  const { 'content-type': type, warning } = headers;
  const text =
    headers['content-encoding'] === 'gzip'
      ? gunzipSync(body as Uint8Array).toString()
      : Buffer.from(body as string).toString();
  const value = String(type).includes('json') ? jsonOf(text) : undefined;
  const content = value === undefined ? { text: inSecrets ? '' : text } : { body: withoutSecrets(value, inSecrets) };
  return {
    status,
    headers: { ...(type !== undefined && { 'content-type': type }), ...(warning !== undefined && { warning }) },
    ...(text === '' ? {} : content),
  };
}

/** A stream that notes what goes through it; `done` is called when it has ended or its reader has gone. */
function noted(stream: NonNullable<ApiResponse['stream']>, note: (event: unknown) => void, done: () => void) {
  return (sink: Sink) => {
    const stop = stream({
      ...sink,
      write(chunk) {
        for (const line of decoder.decode(chunk).split('\n')) if (line !== '') note(jsonOf(line));
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

/** Writes down requests and answers, without secrets; a watch when it opens, and its events when it ends. To be put around a cluster by `intercept`. */
export function recorder(
  version: string,
  writeLine: WriteLine,
): (request: ApiRequest, next: Handler) => Promise<ApiResponse> {
  const write = (step: RecordedStep): void => writeLine(JSON.stringify(step));
  let watches = 0;
  write({ kind: 'ClusterRecording', formatVersion: 1, version });

  const follow = (asked: RecordedRequest, response: ApiResponse, inSecrets: boolean): ApiResponse => {
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
    return { ...response, stream: noted(response.stream!, note, done) };
  };

  return async (request, next) => {
    const response = await next(request);
    const inSecrets = attributesOf(request.method, request.url).resource?.plural === 'secrets';
    const asked = requestOf(request, inSecrets);
    if (response.stream !== undefined) return follow(asked, response, inSecrets);
    write({ request: asked, response: responseOf(response, inSecrets) });
    return response;
  };
}

/** Finishes answers: media type, indentation, compression and common headers. */

import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { uuidFrom } from '../apimachinery/generated-metadata.ts';
import { escapeHtml, maxYamlLevels } from '../apimachinery/go/go-json.ts';
import { isTooDeep } from '../apimachinery/go/go-json-syntax.ts';
import type { Fields } from '../apimachinery/object.ts';
import type { ApiRequest, ApiResponse } from '../requests/message.ts';
import type { ServerContext } from '../server/server-context.ts';
import { type Choice, choosePlain, type Media, mediaTypes } from './negotiation.ts';
import { indentedResponse } from './representation.ts';

/** Size from which bodies are compressed for clients that accept it, in bytes (`defaultGzipThresholdBytes`). */
const compressionThreshold = 128 * 1024;

/** Options that write YAML 1.1 as Go does. */
const yamlOptions = { version: '1.1', sortMapEntries: true, indentSeq: false, singleQuote: null } as const;

const textOf = ({ body }: ApiResponse): string => (typeof body === 'string' ? body : Buffer.from(body).toString());

type Rewrite = (server: ServerContext, response: ApiResponse) => Promise<ApiResponse['body']>;

const rewrites: Readonly<Record<Exclude<Media, 'json'>, Rewrite>> = {
  async yaml(_server, response) {
    const { stringify } = await import('yaml');
    const json = textOf(response);
    return isTooDeep(json, maxYamlLevels) ? `${json}\n` : stringify(JSON.parse(json), yamlOptions);
  },
  async protobuf({ protobufEncoder }, response) {
    const { object } = await protobufEncoder();
    return object(JSON.parse(textOf(response)) as Fields);
  },
};

const withIndentation = (response: ApiResponse): ApiResponse => ({
  ...response,
  body: escapeHtml(JSON.stringify(JSON.parse(textOf(response)), undefined, 2)),
});

/** Reports whether JSON is indented: as the query asks, by default for browsers, curl and wget. */
function wantsPretty({ headers }: ApiRequest, query: URLSearchParams): boolean {
  const asked = query.get('pretty') ?? '';
  if (asked !== '') return /^(?:1|t|T|true|TRUE|True)$/.test(asked);
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '');
}

/** Request, as answers are finished for it. */
export interface ResponseRequest {
  readonly server: ServerContext;
  readonly request: ApiRequest;
  readonly query: URLSearchParams;
}

/** Reports whether an answer is JSON that can be converted to another media type. */
const isJson = ({ headers, stream, body }: ApiResponse): boolean =>
  stream === undefined && body.length > 0 && String(headers['content-type']).startsWith(mediaTypes.json);

/** Converts a JSON answer to the chosen media type; other answers are returned unchanged. */
export function encodeBody(
  { server, request, query }: ResponseRequest,
  { media, isPretty }: Pick<Choice, 'media' | 'isPretty'>,
  response: ApiResponse,
): ApiResponse | Promise<ApiResponse> {
  if (!isJson(response)) return response;
  if (media === 'json') return isPretty || wantsPretty(request, query) ? withIndentation(response) : response;
  const contentType = String(response.headers['content-type']).replace(mediaTypes.json, mediaTypes[media]);
  const headers = { ...response.headers, 'content-type': contentType };
  return rewrites[media](server, response).then((body) => ({ ...response, headers, body }));
}

/** Converts an error to an acceptable media type; indented JSON when none is acceptable. */
function encodeError(asked: ResponseRequest, response: ApiResponse): ApiResponse | Promise<ApiResponse> {
  if (!isJson(response)) return response;
  const choice = choosePlain(asked.request.headers.accept);
  if (choice !== undefined) return encodeBody(asked, choice, response);
  return indentedResponse(response.status, JSON.parse(textOf(response)), response.headers);
}

const withCompression = (response: ApiResponse): ApiResponse => ({
  ...response,
  headers: { vary: 'Accept-Encoding', ...response.headers, 'content-encoding': 'gzip' },
  body: response.gzipped ? response.gzipped() : gzipSync(response.body, { level: 1 }),
});

const acceptsGzip = ({ headers }: ApiRequest): boolean =>
  headers['accept-encoding']?.split(',').some((coding) => coding.trim() === 'gzip') ?? false;

const compressedFor = (request: ApiRequest, response: ApiResponse): ApiResponse =>
  response.body.length > compressionThreshold && response.gzipped !== false && acceptsGzip(request)
    ? withCompression(response)
    : response;

/** Finishes an answer: negotiates the media type of errors and compresses large bodies. */
export function encodeResponse(asked: ResponseRequest, response: ApiResponse): ApiResponse | Promise<ApiResponse> {
  const done = response.status < 400 ? response : encodeError(asked, response);
  return done instanceof Promise
    ? done.then((late) => compressedFor(asked.request, late))
    : compressedFor(asked.request, done);
}

/** Returns the headers that all answers carry. */
export function commonHeaders({ random }: ServerContext): () => Readonly<Record<string, string>> {
  const flow = uuidFrom(random);
  const level = uuidFrom(random);
  return () => ({
    'audit-id': randomUUID(),
    'cache-control': 'no-cache, private',
    'x-kubernetes-pf-flowschema-uid': flow,
    'x-kubernetes-pf-prioritylevel-uid': level,
  });
}

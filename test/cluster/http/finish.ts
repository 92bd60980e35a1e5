import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { escaped } from '../go-json.ts';
import { type Machinery, uuidFrom } from '../machinery.ts';
import type { Fields } from '../objects/object.ts';
import type { ApiRequest, ApiResponse } from './message.ts';
import { type Choice, choosePlain, type Media, mediaTypes } from './negotiation.ts';
import { indentedResponse } from './represent.ts';

/** Bodies from this size on are compressed for those who understand it. */
const worthCompressing = 128 * 1024;

/** As Go writes it: for readers of YAML 1.1. */
const yamlOptions = { version: '1.1', sortMapEntries: true, indentSeq: false, singleQuote: null } as const;

const textOf = ({ body }: ApiResponse): string => (typeof body === 'string' ? body : Buffer.from(body).toString());

type Rewrite = (machinery: Machinery, response: ApiResponse) => Promise<ApiResponse['body']>;

const rewrites: Readonly<Record<Exclude<Media, 'json'>, Rewrite>> = {
  async yaml(_machinery, response) {
    const { stringify } = await import('yaml');
    return stringify(JSON.parse(textOf(response)), yamlOptions);
  },
  async protobuf({ messages }, response) {
    const { object } = await messages();
    return object(JSON.parse(textOf(response)) as Fields);
  },
};

const indented = (response: ApiResponse): ApiResponse => ({
  ...response,
  body: escaped(JSON.stringify(JSON.parse(textOf(response)), undefined, 2)),
});

/** Whether JSON is to be indented: when asked for, or else for people at browsers and shells. */
function wantsPretty({ headers }: ApiRequest, query: URLSearchParams): boolean {
  const asked = query.get('pretty') ?? '';
  if (asked !== '') return /^(?:1|t|T|true|TRUE|True)$/.test(asked);
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '');
}

/** Who asks, and what for. */
export interface Asked {
  readonly machinery: Machinery;
  readonly request: ApiRequest;
  readonly query: URLSearchParams;
}

/** Whether an answer is JSON that may be written in another way. */
const isJson = ({ headers, stream, body }: ApiResponse): boolean =>
  stream === undefined && body.length > 0 && String(headers['content-type']).startsWith(mediaTypes.json);

/** Puts a JSON answer into what has been chosen for it; others stay as they are. */
export function written(
  { machinery, request, query }: Asked,
  { media, isPretty }: Pick<Choice, 'media' | 'isPretty'>,
  response: ApiResponse,
): ApiResponse | Promise<ApiResponse> {
  if (!isJson(response)) return response;
  if (media === 'json') return isPretty || wantsPretty(request, query) ? indented(response) : response;
  const contentType = String(response.headers['content-type']).replace(mediaTypes.json, mediaTypes[media]);
  const headers = { ...response.headers, 'content-type': contentType };
  return rewrites[media](machinery, response).then((body) => ({ ...response, headers, body }));
}

/** Puts a refusal into what can be had without conditions; who wants none of that gets indented JSON. */
function refusalWritten(asked: Asked, response: ApiResponse): ApiResponse | Promise<ApiResponse> {
  if (!isJson(response)) return response;
  const choice = choosePlain(asked.request.headers.accept);
  if (choice !== undefined) return written(asked, choice, response);
  return indentedResponse(response.status, JSON.parse(textOf(response)), response.headers);
}

const compressed = (response: ApiResponse): ApiResponse => ({
  ...response,
  headers: { vary: 'Accept-Encoding', ...response.headers, 'content-encoding': 'gzip' },
  body: response.gzipped ? response.gzipped() : gzipSync(response.body, { level: 1 }),
});

const acceptsGzip = ({ headers }: ApiRequest): boolean =>
  headers['accept-encoding']?.split(',').some((coding) => coding.trim() === 'gzip') ?? false;

const compressedFor = (request: ApiRequest, response: ApiResponse): ApiResponse =>
  response.body.length > worthCompressing && response.gzipped !== false && acceptsGzip(request)
    ? compressed(response)
    : response;

/** The last touch: refusals as they are wanted, and large answers compressed. */
export function finished(asked: Asked, response: ApiResponse): ApiResponse | Promise<ApiResponse> {
  const done = response.status < 400 ? response : refusalWritten(asked, response);
  return done instanceof Promise
    ? done.then((late) => compressedFor(asked.request, late))
    : compressedFor(asked.request, done);
}

/** Headers that every answer has. */
export function commonHeaders({ random }: Machinery): () => Readonly<Record<string, string>> {
  const flow = uuidFrom(random);
  const level = uuidFrom(random);
  return () => ({
    'audit-id': randomUUID(),
    'cache-control': 'no-cache, private',
    'x-kubernetes-pf-flowschema-uid': flow,
    'x-kubernetes-pf-prioritylevel-uid': level,
  });
}

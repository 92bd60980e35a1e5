import { gzipSync } from 'node:zlib';
import { type Machinery, uuidFrom } from '../machinery.ts';
import type { ApiRequest, ApiResponse } from './message.ts';
import { mediaRangesOf } from './negotiation.ts';

/** Bodies from this size on are compressed for those who understand it. */
const worthCompressing = 128 * 1024;

const isJson = ({ headers }: ApiResponse): boolean => headers['content-type'] === 'application/json';

/** Whether an Accept header asks for YAML before JSON. */
function wantsYaml(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes('yaml')) return false;
  const found = mediaRangesOf(accept).find(({ type }) => type === 'application/json' || type === 'application/yaml');
  return found?.type === 'application/yaml';
}

/** As Go writes it: for readers of YAML 1.1. */
const yamlOptions = { version: '1.1', sortMapEntries: true, indentSeq: false, singleQuote: null } as const;

async function inYaml(response: ApiResponse): Promise<ApiResponse> {
  const { stringify } = await import('yaml');
  const body = stringify(JSON.parse(response.body.toString()), yamlOptions);
  return { ...response, headers: { ...response.headers, 'content-type': 'application/yaml' }, body };
}

const indented = (response: ApiResponse): ApiResponse => ({
  ...response,
  body: `${JSON.stringify(JSON.parse(response.body.toString()), undefined, 2)}\n`,
});

/** Whether JSON is to be indented: when asked for, or else for people at browsers and shells. */
function wantsPretty({ headers }: ApiRequest, query: URLSearchParams): boolean {
  const asked = query.get('pretty') ?? '';
  if (asked !== '') return /^(?:1|t|T|true|TRUE|True)$/.test(asked);
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '');
}

const compressed = (response: ApiResponse): ApiResponse => ({
  ...response,
  headers: { ...response.headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' },
  body: gzipSync(response.body, { level: 1 }),
});

const compressedFor = (request: ApiRequest, response: ApiResponse): ApiResponse =>
  response.body.length > worthCompressing && request.headers['accept-encoding']?.includes('gzip')
    ? compressed(response)
    : response;

/** Puts an answer into the form that was asked for: YAML, indented, compressed. */
export function inWantedForm(
  request: ApiRequest,
  query: URLSearchParams,
  response: ApiResponse,
): ApiResponse | Promise<ApiResponse> {
  if (response.stream !== undefined || response.body.length === 0) return response;
  if (isJson(response)) {
    if (wantsYaml(request.headers.accept)) return inYaml(response).then((yaml) => compressedFor(request, yaml));
    if (wantsPretty(request, query)) return compressedFor(request, indented(response));
  }
  return compressedFor(request, response);
}

/** Headers that every answer has. */
export function commonHeaders({ random }: Machinery): () => Readonly<Record<string, string>> {
  const flow = uuidFrom(random);
  const level = uuidFrom(random);
  return () => ({
    'audit-id': crypto.randomUUID(),
    'cache-control': 'no-cache, private',
    'x-kubernetes-pf-flowschema-uid': flow,
    'x-kubernetes-pf-prioritylevel-uid': level,
  });
}

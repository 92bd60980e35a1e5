/** Serves the OpenAPI documents. */

import { createHash } from 'node:crypto';
import { rootOf } from '../apimachinery/resource-info.ts';
import type { ResponseRequest } from '../encoding/encode-response.ts';
import { mediaRangesOf } from '../encoding/media-ranges.ts';
import { mediaTypes } from '../encoding/negotiation.ts';
import type { ApiRequest, ApiResponse } from '../requests/message.ts';
import type { ServerContext } from '../server/server-context.ts';

const gnostic = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const gnostic3 = gnostic.replace('.v2.', '.v3.');

/** Returns the hash of a document, which changes whenever its resources may have changed. */
const hashOf = ({ registry, profile }: ServerContext, root: string): string => {
  const isCustom =
    root === 'v2' || registry.all().some(({ apiVersion, info }) => info.custom && `apis/${apiVersion}` === root);
  const text = `${profile.gitVersion} ${root} ${isCustom ? registry.revision : ''}`;
  return createHash('sha512').update(text).digest('hex').toUpperCase();
};

/** File response that supports range and conditional requests. */
const fileOf = (body: ApiResponse['body'], headers: ApiResponse['headers']): ApiResponse => ({
  status: 200,
  headers: { 'accept-ranges': 'bytes', ...headers },
  body,
});
const emptyResponse = (status: number, headers: ApiResponse['headers'] = {}): ApiResponse => ({
  status,
  headers,
  body: '',
});

/** Returns the time of the last change of the served resources, for Last-Modified. */
const changedAt = ({ registry, clock }: ServerContext): string =>
  registry.derived('openapi changed', () => new Date(clock.now()).toUTCString());

async function rootsOf({ registry }: ServerContext): Promise<readonly string[]> {
  const { documentRoots } = await import('../openapi/document-cache.ts');
  return registry.derived('openapi/v3', () => documentRoots(registry.all().map(({ info }) => info)));
}

async function index(server: ServerContext): Promise<ApiResponse> {
  const { openApiIndex } = await import('../openapi/document.ts');
  const body = JSON.stringify(openApiIndex(await rootsOf(server), (root) => hashOf(server, root)));
  const modified = new Date(server.clock.now()).toUTCString();
  return fileOf(body, { 'content-type': 'text/plain; charset=utf-8', 'last-modified': modified });
}

const anyJson: ReadonlySet<string> = new Set([mediaTypes.json, '*/*', 'application/*']);

/** Negotiates JSON or protobuf; undefined when neither is accepted. */
function typeFor(accept: string | undefined, protobuf: string): string | undefined {
  if (!accept) return mediaTypes.json;
  const isProtobuf = (type: string) => type === protobuf || type === protobuf.replace('.v1.0', '@v1.0');
  const asked = mediaRangesOf(accept).map(({ type }) => type);
  const first = asked.find((type) => isProtobuf(type) || anyJson.has(type));
  if (first === undefined) return undefined;
  return isProtobuf(first) ? protobuf : mediaTypes.json;
}

/** Reports whether If-None-Match contains the ETag. */
function isKnown({ headers }: ApiRequest, etag: string): boolean {
  const known = headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known !== undefined && (known.includes(etag) || known.includes('*'));
}

/** Lifetime of a document requested by hash, in ms. */
const year = 365 * 24 * 3600 * 1000;

/** Answers with the document of a group version. A request by current hash may be cached forever; one by another hash is redirected. */
async function document(server: ServerContext, request: ApiRequest, root: string): Promise<ApiResponse> {
  if (!(await rootsOf(server)).includes(root)) return emptyResponse(404);
  const hash = hashOf(server, root);
  const vary = { vary: 'Accept' };
  const type = typeFor(request.headers.accept, gnostic3);
  if (type === undefined) return emptyResponse(406, vary);
  const etag = `"${hash}"`;
  const asked = new URLSearchParams(request.url.split('?', 2)[1]).get('hash') ?? '';
  if (asked !== '' && asked !== hash) {
    const location = `/openapi/v3/${root}?hash=${hash}`;
    return emptyResponse(301, { ...vary, etag, location, 'content-type': type });
  }
  const expires = new Date(server.clock.now() + year).toUTCString().replace('GMT', 'UTC');
  const forGood: ApiResponse['headers'] = asked === '' ? {} : { 'cache-control': 'public, immutable', expires };
  const headers = { ...vary, ...forGood, etag, 'last-modified': changedAt(server) };
  if (isKnown(request, etag)) return emptyResponse(304, headers);
  const { registry, scheme } = server;
  const infos = registry.all().flatMap(({ info }) => (rootOf(info) === root ? [info] : []));
  const made = (await scheme.documents()).version3(root, infos);
  const body = type === gnostic3 ? await made.protobuf() : made.json;
  return { ...fileOf(body, { ...headers, 'content-type': type }), gzipped: false };
}

/** OpenAPI v2 document in one format, plain and compressed. */
interface Version2 {
  readonly plain: string | Uint8Array;
  readonly gzipped: () => Uint8Array;
}

async function version2In(type: string, { registry, scheme }: ServerContext): Promise<Version2> {
  const document = await registry.derived('openapi/v2', async () => {
    const documents = await scheme.documents();
    return documents.version2(registry.all().map(({ info }) => info));
  });
  const [{ gzipSync }, { gnosticOf }] = await Promise.all([import('node:zlib'), import('../openapi/gnostic-v2.ts')]);
  const plain = type === gnostic ? gnosticOf(document) : JSON.stringify(document);
  let compressed: Uint8Array | undefined;
  const gzipped = (): Uint8Array => {
    compressed ??= gzipSync(plain, { level: 1 });
    return compressed;
  };
  return { plain, gzipped };
}

/** Answers with the OpenAPI v2 document, generated on demand; 304 when the ETag matches. */
async function version2(server: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const etag = `"${hashOf(server, 'v2')}"`;
  const known = { etag, vary: ['Accept-Encoding', 'Accept'], 'last-modified': changedAt(server) };
  const type = typeFor(request.headers.accept, gnostic);
  if (type === undefined) return emptyResponse(406, known);
  if (isKnown(request, etag)) return emptyResponse(304, known);
  const { plain, gzipped } = await server.registry.derived(`openapi/v2 ${type}`, () => version2In(type, server));
  return { ...fileOf(plain, { ...known, 'content-type': type }), gzipped };
}

/** Answers `/openapi/v2`, `/openapi/v3` and the documents below it; undefined for other paths. */
export async function openApi(asked: ResponseRequest, path: string): Promise<ApiResponse | undefined> {
  const { server, request } = asked;
  if (path === '/openapi/v2') return version2(server, request);
  if (path === '/openapi/v3') return index(server);
  if (path.startsWith('/openapi/v3/')) return document(server, request, path.slice('/openapi/v3/'.length));
  return undefined;
}

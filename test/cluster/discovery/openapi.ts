import { createHash } from 'node:crypto';
import type { Asked } from '../http/finish.ts';
import { mediaRangesOf } from '../http/media-ranges.ts';
import type { ApiRequest, ApiResponse } from '../http/message.ts';
import { mediaTypes } from '../http/negotiation.ts';
import { jsonResponse } from '../http/represent.ts';
import { rootOf } from '../kinds/resource-info.ts';
import type { Machinery } from '../machinery.ts';
import type { Fields } from '../objects/object.ts';
import type { Resource } from '../registry.ts';

const gnostic = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** Rises with every change of what is served, so that clients read again what they keep by it. */
const hashOf = ({ registry, profile }: Machinery, root: string): string => {
  const isCustom =
    root === 'v2' || registry.all().some(({ apiVersion, info }) => info.custom && `apis/${apiVersion}` === root);
  const text = `${profile.gitVersion} ${root} ${isCustom ? registry.revision : ''}`;
  return createHash('sha512').update(text).digest('hex').toUpperCase();
};

async function index(machinery: Machinery): Promise<ApiResponse> {
  const { openApiIndex } = await import('../openapi/document.ts');
  const roots = machinery.registry.all().map(({ info }) => rootOf(info));
  const body = JSON.stringify(openApiIndex(roots, (root) => hashOf(machinery, root)));
  return jsonResponse(200, body, { ...asFile, 'content-type': 'text/plain; charset=utf-8' });
}

async function documentOf({ rules, profile }: Machinery, resources: readonly Resource[]): Promise<Fields> {
  const { openApiDocument } = await import('../openapi/document.ts');
  const infos = resources.map(({ info }) => info);
  return openApiDocument(infos, await rules.types(), profile.gitVersion);
}

/** A file that may be read in parts, or not at all by who has it. */
const asFile = { 'accept-ranges': 'bytes' } as const;
const emptyResponse = (status: number, headers: ApiResponse['headers'] = {}): ApiResponse => ({
  status,
  headers,
  body: '',
});

/** Whether one of some media types is taken. */
const takes = (accept: string | undefined, types: readonly string[]): boolean =>
  !accept ||
  mediaRangesOf(accept).some(({ type }) => type === '*/*' || type === 'application/*' || types.includes(type));

/** ms for which a document is good that was asked for by its hash. */
const year = 365 * 24 * 3600 * 1000;

/** The document of a group version. Who asks by its hash may keep it for good; who has the wrong one is sent to the right one. */
async function document(machinery: Machinery, request: ApiRequest, root: string): Promise<ApiResponse> {
  const resources = machinery.registry.all().filter(({ info }) => rootOf(info) === root);
  if (resources.length === 0) return emptyResponse(404);
  const hash = hashOf(machinery, root);
  const vary = { vary: 'Accept' };
  if (!takes(request.headers.accept, [mediaTypes.json])) return emptyResponse(406, vary);
  const etag = `"${hash}"`;
  const asked = new URLSearchParams(request.url.split('?', 2)[1]).get('hash') ?? '';
  if (asked !== '' && asked !== hash) {
    const location = `/openapi/v3/${root}?hash=${hash}`;
    return emptyResponse(301, { ...vary, etag, location, 'content-type': mediaTypes.json });
  }
  const expires = new Date(machinery.clock.now() + year).toUTCString().replace('GMT', 'UTC');
  const forGood: ApiResponse['headers'] = asked === '' ? {} : { 'cache-control': 'public, immutable', expires };
  const headers = { ...vary, ...forGood, etag };
  if (request.headers['if-none-match'] === etag) return emptyResponse(304, headers);
  return jsonResponse(200, await documentOf(machinery, resources), { ...asFile, ...headers });
}

/** The v2 document in both forms. */
interface Version2 {
  readonly json: string;
  readonly gnostic: Uint8Array;
}

async function madeVersion2(machinery: Machinery): Promise<Version2> {
  const [{ openApiV2 }, { gnosticOf }] = await Promise.all([
    import('../openapi/version2.ts'),
    import('../openapi/gnostic.ts'),
  ]);
  const versions = Map.groupBy(machinery.registry.all(), ({ apiVersion }) => apiVersion);
  const documents = await Promise.all([...versions.values()].map((resources) => documentOf(machinery, resources)));
  const made = openApiV2(documents, machinery.profile.gitVersion);
  return { json: JSON.stringify(made), gnostic: gnosticOf(made) };
}

const gnosticTypes = [gnostic, gnostic.replace('.v1.0', '@v1.0')];

/** Made when it is asked for; clients that have it already are told so. */
async function version2(machinery: Machinery, { headers }: ApiRequest): Promise<ApiResponse> {
  const etag = `"${hashOf(machinery, 'v2')}"`;
  const known = { etag, vary: 'Accept-Encoding, Accept' };
  if (!takes(headers.accept, [mediaTypes.json, ...gnosticTypes])) return emptyResponse(406, known);
  if (headers['if-none-match'] === etag) return emptyResponse(304, known);
  const made = await machinery.registry.derived('openapi/v2', () => madeVersion2(machinery));
  const [first] = mediaRangesOf(headers.accept ?? '').filter(({ type }) =>
    takes(type, [mediaTypes.json, ...gnosticTypes]),
  );
  if (first === undefined || !gnosticTypes.includes(first.type))
    return jsonResponse(200, made.json, { ...asFile, ...known });
  return { status: 200, headers: { ...asFile, ...known, 'content-type': gnostic }, body: made.gnostic };
}

/** `/openapi/v2`, `/openapi/v3` and the documents below it; undefined for other paths. */
export async function openApi(asked: Asked, path: string): Promise<ApiResponse | undefined> {
  const { machinery, request } = asked;
  if (path === '/openapi/v2') return version2(machinery, request);
  if (path === '/openapi/v3') return index(machinery);
  if (path.startsWith('/openapi/v3/')) return document(machinery, request, path.slice('/openapi/v3/'.length));
  return undefined;
}

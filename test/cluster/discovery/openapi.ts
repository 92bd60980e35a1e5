import { createHash } from 'node:crypto';
import type { ApiRequest, ApiResponse } from '../http/message.ts';
import { jsonResponse } from '../http/represent.ts';
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
  const { openApiIndex, rootOf } = await import('../openapi/document.ts');
  const roots = machinery.registry.all().map(({ info }) => rootOf(info));
  const body = JSON.stringify(openApiIndex(roots, (root) => hashOf(machinery, root)));
  return jsonResponse(200, body, { 'content-type': 'text/plain; charset=utf-8' });
}

async function documentOf({ rules, profile }: Machinery, resources: readonly Resource[]): Promise<Fields> {
  const { openApiDocument } = await import('../openapi/document.ts');
  const infos = resources.map(({ info }) => info);
  return openApiDocument(infos, await rules.types(), profile.gitVersion);
}

const document = async (machinery: Machinery, resources: readonly Resource[]): Promise<ApiResponse | undefined> =>
  resources.length === 0 ? undefined : jsonResponse(200, await documentOf(machinery, resources));

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

/** Made when it is asked for; clients that have it already are told so. */
async function version2(machinery: Machinery, { headers }: ApiRequest): Promise<ApiResponse> {
  const etag = `"${hashOf(machinery, 'v2')}"`;
  if (headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: '' };
  const made = await machinery.registry.derived('openapi/v2', () => madeVersion2(machinery));
  if (!headers.accept?.includes('protobuf')) return jsonResponse(200, made.json, { etag });
  return { status: 200, headers: { 'content-type': gnostic, etag }, body: made.gnostic };
}

/** `/openapi/v2`, `/openapi/v3` and the documents below it; undefined for other paths. */
export async function openApi(
  machinery: Machinery,
  request: ApiRequest,
  path: string,
): Promise<ApiResponse | undefined> {
  if (path === '/openapi/v2') return version2(machinery, request);
  if (path === '/openapi/v3' || path === '/openapi/v3/') return index(machinery);
  const [, apiVersion] = /^\/openapi\/v3\/(?:api\/(?=v1$)|apis\/)(.+)$/.exec(path) ?? [];
  if (apiVersion === undefined) return undefined;
  return document(
    machinery,
    machinery.registry.all().filter((resource) => resource.apiVersion === apiVersion),
  );
}

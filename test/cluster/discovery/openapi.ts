import { createHash } from 'node:crypto';
import type { ApiRequest, ApiResponse } from '../http/message.ts';
import { jsonResponse } from '../http/represent.ts';
import type { Machinery } from '../machinery.ts';
import type { Resource } from '../registry.ts';

const gnostic = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** Rises with every change of what is served, so that clients read again what they keep by it. */
const hashOf = ({ registry, profile }: Machinery, root: string): string => {
  const isCustom = registry.all().some(({ apiVersion, info }) => info.custom && `apis/${apiVersion}` === root);
  const text = `${profile.gitVersion} ${root} ${isCustom ? registry.revision : ''}`;
  return createHash('sha512').update(text).digest('hex').toUpperCase();
};

async function index(machinery: Machinery): Promise<ApiResponse> {
  const { openApiIndex, rootOf } = await import('../openapi/document.ts');
  const roots = machinery.registry.all().map(({ info }) => rootOf(info));
  const body = JSON.stringify(openApiIndex(roots, (root) => hashOf(machinery, root)));
  return jsonResponse(200, body, { 'content-type': 'text/plain; charset=utf-8' });
}

async function document({ rules }: Machinery, resources: readonly Resource[]): Promise<ApiResponse | undefined> {
  if (resources.length === 0) return undefined;
  const { openApiDocument } = await import('../openapi/document.ts');
  return jsonResponse(
    200,
    openApiDocument(
      resources.map(({ info }) => info),
      await rules.types(),
    ),
  );
}

/** Clients that read v2 take an empty document for "nothing special"; as JSON it says as much. */
async function version2({ headers }: ApiRequest, etag: string): Promise<ApiResponse> {
  if (headers.accept?.includes('protobuf'))
    return { status: 200, headers: { 'content-type': gnostic, etag }, body: '' };
  const { openApiV2 } = await import('../openapi/document.ts');
  return jsonResponse(200, openApiV2(), { etag });
}

/** `/openapi/v2`, `/openapi/v3` and the documents below it; undefined for other paths. */
export async function openApi(
  machinery: Machinery,
  request: ApiRequest,
  path: string,
): Promise<ApiResponse | undefined> {
  if (path === '/openapi/v2') return version2(request, `"${hashOf(machinery, 'v2')}"`);
  if (path === '/openapi/v3' || path === '/openapi/v3/') return index(machinery);
  const [, apiVersion] = /^\/openapi\/v3\/(?:api\/(?=v1$)|apis\/)(.+)$/.exec(path) ?? [];
  if (apiVersion === undefined) return undefined;
  return document(
    machinery,
    machinery.registry.all().filter((resource) => resource.apiVersion === apiVersion),
  );
}

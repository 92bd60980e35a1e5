/** Finds the served version of a kind, with its schema, by discovery and OpenAPI. */

import type { JsonSchema, Kind } from '../../api/kind.ts';
import { ForbiddenError, NotFoundError } from '../../errors.ts';
import type { CallOptions, Client } from '../client.ts';
import type { CrdVersion } from './crd-gaps.ts';

interface ApiResourceList {
  readonly resources?: readonly { readonly name: string }[];
}

interface OpenApi {
  readonly components?: { readonly schemas?: Readonly<Record<string, JsonSchema>> };
}

interface GroupVersionKind {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

/** Returns the names of the resources of a group and version, subresources included; undefined when it is not served. */
async function resourcesOf(client: Client, { group, version }: Kind, call: CallOptions) {
  try {
    const { resources = [] } = (await client.raw(
      'GET',
      `/apis/${group}/${version}`,
      undefined,
      call,
    )) as ApiResourceList;
    return new Set(resources.map(({ name }) => name));
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

const isSchemaOf = (kind: Kind, schema: JsonSchema): boolean =>
  ((schema['x-kubernetes-group-version-kind'] ?? []) as readonly GroupVersionKind[]).some(
    (named) => named.group === kind.group && named.version === kind.version && named.kind === kind.kind,
  );

/**
 * Returns the served version of a kind from discovery and OpenAPI, for callers without permission to read its definition: all authenticated users
 * may read both. `unknown` without an OpenAPI document of the kind; undefined when the kind is not served.
 */
export async function servedCrdVersion(
  client: Client,
  kind: Kind,
  call: CallOptions,
): Promise<CrdVersion | 'unknown' | undefined> {
  const resources = await resourcesOf(client, kind, call);
  if (!resources?.has(kind.plural)) return undefined;
  try {
    const path = `/openapi/v3/apis/${kind.group}/${kind.version}`;
    const { components } = (await client.raw('GET', path, undefined, call)) as OpenApi;
    const schema = Object.values(components?.schemas ?? {}).find((one) => isSchemaOf(kind, one));
    if (schema === undefined) return 'unknown';
    const subresources = resources.has(`${kind.plural}/status`) ? { status: {} } : {};
    return { name: kind.version, served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources };
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ForbiddenError) return 'unknown';
    throw error;
  }
}

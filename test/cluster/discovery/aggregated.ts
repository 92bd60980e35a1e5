/** Aggregated discovery. */

import { createHash } from 'node:crypto';
import type { Fields } from '../apimachinery/object.ts';
import type { ResourceInfo, SubresourceInfo } from '../apimachinery/resource-info.ts';
import { type Choice, choose } from '../encoding/negotiation.ts';
import { jsonResponse } from '../encoding/representation.ts';
import type { ApiRequest, ApiResponse } from '../requests/message.ts';
import type { Resource } from '../resources/registry.ts';
import { type Group, groupsOf } from './groups.ts';

/** Version of the aggregated format. */
export type AggregatedForm = 'v2' | 'v2beta1';

/** Negotiates the aggregated format among those offered; undefined when the legacy one is preferred. */
export function aggregatedChoice(
  accept: string | undefined,
  offered: readonly AggregatedForm[],
): (Choice & { readonly form: AggregatedForm }) | undefined {
  if (!accept?.includes('apidiscovery')) return undefined;
  const formIn = (conversion: Choice['conversion']) =>
    conversion?.as === 'APIGroupDiscoveryList' && conversion.group === 'apidiscovery.k8s.io'
      ? offered.find((one) => one === conversion.version)
      : undefined;
  const choice = choose(accept, (_media, conversion) => formIn(conversion) !== undefined);
  const form = formIn(choice?.conversion);
  return choice && form && { ...choice, form };
}

/** Returns the response kind of a resource; built-in ones leave group and version empty. */
const kindOf = ({ custom, group, version }: ResourceInfo, kind: string): Fields =>
  custom === undefined ? { group: '', version: '', kind } : { group, version, kind };

const subresourceEntry = (info: ResourceInfo, { name, kind, group, version, verbs }: SubresourceInfo): Fields => ({
  subresource: name,
  responseKind: group === undefined ? kindOf(info, kind) : { group, version, kind },
  verbs,
});

const resourceEntry = (info: ResourceInfo): Fields => ({
  resource: info.plural,
  responseKind: kindOf(info, info.kind),
  scope: info.namespaced ? 'Namespaced' : 'Cluster',
  singularResource: info.singular,
  verbs: info.verbs,
  ...(info.shortNames.length > 0 && { shortNames: info.shortNames }),
  ...(info.categories.length > 0 && { categories: info.categories }),
  ...(info.subresources.length > 0 && {
    subresources: info.subresources.map((subresource) => subresourceEntry(info, subresource)),
  }),
});

/** Orders custom resources by name, and keeps the order of built-in ones. */
const byName = (one: ResourceInfo, other: ResourceInfo): number =>
  one.custom === undefined || one.plural === other.plural ? 0 : one.plural < other.plural ? -1 : 1;

const groupEntry = ({ name, versions }: Group, resources: readonly Resource[]): Fields => ({
  metadata: name === '' ? {} : { name },
  versions: versions.map((version) => ({
    version,
    resources: resources
      .filter(({ info }) => info.group === name && info.version === version)
      .map(({ info }) => info)
      .toSorted(byName)
      .map(resourceEntry),
    freshness: 'Current',
  })),
});

/** Returns the core group, or all other groups, with their resources; 304 when the ETag matches. */
export function aggregatedDiscovery(
  request: ApiRequest,
  resources: readonly Resource[],
  { form, isCore }: { readonly form: AggregatedForm; readonly isCore: boolean },
): ApiResponse {
  const groups = groupsOf(resources).filter(({ name }) => (name === '') === isCore);
  const items = groups.map((group) => groupEntry(group, resources));
  const body = JSON.stringify({
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${form}`,
    metadata: {},
    items,
  });
  const etag = `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`;
  const contentType = `application/json;g=apidiscovery.k8s.io;v=${form};as=APIGroupDiscoveryList`;
  const headers = { 'content-type': contentType, 'cache-control': 'public', etag, vary: 'Accept' };
  if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: '' };
  return jsonResponse(200, body, headers);
}

/** Resource info of subresource kinds, such as Eviction. */

import type { ResourceInfo } from '../apimachinery/resource-info.ts';

/** Returns the resource info of a kind that is only sent to subresources; `type` is its type in the tables. */
export const subresourceInfo = (group: string, kind: string, type: string): ResourceInfo => ({
  group,
  version: 'v1',
  kind,
  type,
  listKind: `${kind}List`,
  plural: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
  namespaced: true,
  verbs: [],
  shortNames: [],
  categories: [],
  subresources: [],
  hasStatus: false,
  hasGeneration: false,
  deleteReturnsObject: false,
  unconditionalUpdate: true,
  createOnUpdate: false,
  statusUpdatesMetadata: false,
});

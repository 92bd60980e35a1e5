/** Compares a path with what its resource serves. */

import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import type { ResourcePath } from '../requests/routes.ts';
import type { Resource } from '../resources/registry.ts';

/** Reports whether a path has a namespace exactly when the kind is namespaced; lists over all namespaces need none. */
export const isInScope = ({ info }: Resource, { namespace, name, legacyWatch }: ResourcePath): boolean =>
  info.namespaced ? namespace !== undefined || name === undefined || legacyWatch : namespace === undefined;

/** Reports whether a path is served; kinds that are only created have neither named objects nor lists. */
export const isServedPath = (
  { verbs, namespaced }: ResourceInfo,
  { name, namespace, subresource }: ResourcePath,
): boolean =>
  subresource !== undefined ||
  verbs.some((verb) => verb !== 'create') ||
  (name === undefined && namespaced === (namespace !== undefined));

/** Reports whether there are segments after the subresource, of which only a proxy takes any. */
export const hasExtraSegments = ({ subresource, rest }: ResourcePath): boolean =>
  subresource !== undefined && rest.length > 0 && subresource !== 'proxy';

/** Reports whether a path leads to a custom resource over all namespaces, which is only read. */
export const isAcrossNamespaces = (
  { custom, namespaced }: ResourceInfo,
  { namespace, legacyWatch }: ResourcePath,
): boolean => custom !== undefined && namespace === undefined && namespaced && !legacyWatch;

/** Reports whether a resource has the subresource of a path, if that names one. */
export const hasSubresource = ({ subresources }: ResourceInfo, { subresource }: ResourcePath): boolean =>
  subresource === undefined || subresources.some(({ name }) => name === subresource);

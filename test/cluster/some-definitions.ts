/** CustomResourceDefinitions for tests. */

import type { Fields } from './objects/object.ts';

/** Path of the definitions. */
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Returns a version of a definition that serves `spec.a`. */
export const version = (name: string, more: Fields = {}) => ({
  name,
  served: true,
  storage: false,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
    },
  },
  ...more,
});
/** Returns a definition of namespaced objects in `example.com`. */
export const definition = (
  plural: string,
  versions: readonly object[] = [version('v1', { storage: true })],
  kind = 'Thing',
) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: { group: 'example.com', scope: 'Namespaced', names: { plural, kind }, versions },
});

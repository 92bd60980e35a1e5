/** Kinds of `apiextensions.k8s.io` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import type { Strategy } from '../../server/strategy.ts';
import { definitionStrategy } from './definition-strategy.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const apiextensionsTable = `\
apiextensions.k8s.io/v1
  CustomResourceDefinition customresourcedefinitions -crd -crds @api-extensions #jfWCUB31mvA= generation statusMetadata
    /status`;

/** Strategies of the group, by collection. */
export const apiextensionsStrategies: Readonly<Record<string, Strategy>> = {
  'apiextensions.k8s.io/customresourcedefinitions': {
    ...definitionStrategy,
    validationPasses: { bareFinalizers: true },
  },
};

import { definitionStrategy } from './definition.ts';
import { jobStrategy } from './job.ts';
import { namespaceStrategy } from './namespace.ts';
import { nodeStrategy } from './node.ts';
import { serviceStrategy } from './service.ts';
import { protectedBy } from './storage.ts';
import type { Strategy } from './strategy.ts';

const plain: Strategy = {};

const strategies: Readonly<Record<string, Strategy>> = {
  '/namespaces': namespaceStrategy,
  '/nodes': nodeStrategy,
  '/persistentvolumeclaims': protectedBy('kubernetes.io/pvc-protection'),
  '/persistentvolumes': protectedBy('kubernetes.io/pv-protection'),
  '/services': serviceStrategy,
  'apiextensions.k8s.io/customresourcedefinitions': definitionStrategy,
  'batch/jobs': jobStrategy,
  'apps/deployments': { countsAnnotations: true },
};

/** The strategy of a collection. */
export const strategyOf = (collection: string): Strategy => strategies[collection] ?? plain;

import { addressStrategy } from './address.ts';
import { signingRequestStrategy } from './csr.ts';
import { daemonSetStrategy } from './daemon-set.ts';
import { definitionStrategy } from './definition.ts';
import { deviceClaimStrategy } from './device-claim.ts';
import { ingressStrategy } from './ingress.ts';
import { jobStrategy } from './job.ts';
import { namespaceStrategy } from './namespace.ts';
import { nodeStrategy } from './node.ts';
import { podStrategy } from './pod.ts';
import { serviceStrategy } from './service.ts';
import { claimStrategy, driverStrategy, protectedBy, volumeStrategy } from './storage.ts';
import type { Strategy } from './strategy.ts';

const plain: Strategy = {};

/** Deployments: status updates may change all metadata but labels. */
const deploymentStrategy: Strategy = {
  countsAnnotations: true,
  prepareForUpdate(draft, { metadata: { labels } }, subresource) {
    if (subresource !== 'status') return;
    if (labels === undefined) delete draft.metadata.labels;
    else draft.metadata.labels = labels;
  },
};

const strategies: Readonly<Record<string, Strategy>> = {
  '/namespaces': namespaceStrategy,
  '/nodes': nodeStrategy,
  '/persistentvolumeclaims': claimStrategy,
  '/persistentvolumes': volumeStrategy,
  '/pods': podStrategy,
  '/services': serviceStrategy,
  'apiextensions.k8s.io/customresourcedefinitions': definitionStrategy,
  'apps/daemonsets': daemonSetStrategy,
  'batch/jobs': jobStrategy,
  'certificates.k8s.io/certificatesigningrequests': signingRequestStrategy,
  'apps/deployments': deploymentStrategy,
  'networking.k8s.io/ipaddresses': addressStrategy,
  'networking.k8s.io/ingresses': ingressStrategy,
  'discovery.k8s.io/endpointslices': { countsLabels: true },
  'resource.k8s.io/resourceclaims': deviceClaimStrategy,
  'scheduling.k8s.io/priorityclasses': { keepsGeneration: true },
  'storage.k8s.io/csidrivers': driverStrategy,
  'storage.k8s.io/volumeattributesclasses': protectedBy('kubernetes.io/vac-protection'),
};

/** Returns the strategy of a collection. */
export const strategyOf = (collection: string): Strategy => strategies[collection] ?? plain;

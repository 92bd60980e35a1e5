import type { Strategy } from '../server/strategy.ts';
import { definitionStrategy } from './apiextensions/definition-strategy.ts';
import { daemonSetStrategy } from './apps/daemon-set-strategy.ts';
import { jobStrategy } from './batch/job-strategy.ts';
import { signingRequestStrategy } from './certificates/csr-strategy.ts';
import { namespaceStrategy } from './core/namespace-strategy.ts';
import { nodeStrategy } from './core/node-strategy.ts';
import { podStrategy } from './core/pods/pod-strategy.ts';
import { serviceStrategy } from './core/services/service-strategy.ts';
import { ingressStrategy } from './networking/ingress-strategy.ts';
import { addressStrategy } from './networking/ip-address-strategy.ts';
import { deviceClaimStrategy } from './resource/device-claim-strategy.ts';
import { claimStrategy, driverStrategy, protectedBy, volumeStrategy } from './storage/storage-strategy.ts';

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

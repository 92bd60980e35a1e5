import { setOfPaths } from '../managed-fields/field-set.ts';
import type { Strategy } from '../server/strategy.ts';
import { definitionStrategy } from './apiextensions/definition-strategy.ts';
import { appsStrategies } from './apps/apps-resources.ts';
import { batchStrategies } from './batch/batch-resources.ts';
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

const specAndMetadata: Strategy['ignored'] = { status: setOfPaths([['f:spec'], ['f:metadata']]) };

const strategies: Readonly<Record<string, Strategy>> = {
  ...appsStrategies,
  ...batchStrategies,
  '/namespaces': namespaceStrategy,
  '/nodes': nodeStrategy,
  '/persistentvolumeclaims': { ...claimStrategy, validationPasses: { times: 5 } },
  '/persistentvolumes': volumeStrategy,
  '/pods': {
    ...podStrategy,
    ignored: {
      status: setOfPaths([['f:spec'], ['f:metadata', 'f:deletionTimestamp'], ['f:metadata', 'f:ownerReferences']]),
    },
  },
  '/services': { ...serviceStrategy, validationPasses: { times: 3 } },
  'apiextensions.k8s.io/customresourcedefinitions': {
    ...definitionStrategy,
    validationPasses: { bareFinalizers: true },
  },
  'certificates.k8s.io/certificatesigningrequests': {
    ...signingRequestStrategy,
    validationPasses: { inStatus: 4 },
    ignored: {
      object: setOfPaths([['f:spec'], ['f:status']]),
      status: setOfPaths([['f:spec'], ['f:status', 'f:conditions']]),
    },
  },
  'networking.k8s.io/ipaddresses': addressStrategy,
  'networking.k8s.io/ingresses': ingressStrategy,
  'discovery.k8s.io/endpointslices': { countsLabels: true, validationPasses: { times: 3 } },
  'resource.k8s.io/resourceclaims': deviceClaimStrategy,
  'scheduling.k8s.io/priorityclasses': { keepsGeneration: true, validationPasses: { times: 3 } },
  'storage.k8s.io/csidrivers': { ...driverStrategy, validationPasses: { times: 3 } },
  'storage.k8s.io/volumeattributesclasses': {
    ...protectedBy('kubernetes.io/vac-protection'),
    validationPasses: { times: 5 },
  },
  '/podtemplates': { validationPasses: { times: 3 } },
  '/resourcequotas': { validationPasses: { times: 3 } },
  '/limitranges': { validationPasses: { times: 3 } },
  '/events': { validationPasses: { times: 2 } },
  'events.k8s.io/events': { validationPasses: { times: 3 } },
  'policy/poddisruptionbudgets': { validationPasses: { times: 2, inStatus: 2 } },
  'rbac.authorization.k8s.io/roles': { validationPasses: { times: 5 } },
  'rbac.authorization.k8s.io/clusterroles': { validationPasses: { times: 5 } },
  'rbac.authorization.k8s.io/rolebindings': { validationPasses: { times: 5 } },
  'rbac.authorization.k8s.io/clusterrolebindings': { validationPasses: { times: 5 } },
  'admissionregistration.k8s.io/validatingwebhookconfigurations': {
    validationPasses: { times: 3, bareFinalizers: true },
  },
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': {
    validationPasses: { times: 3, bareFinalizers: true },
  },
  'admissionregistration.k8s.io/validatingadmissionpolicies': {
    validationPasses: { times: 3, bareFinalizers: true },
    ignored: specAndMetadata,
  },
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': {
    validationPasses: { times: 3, bareFinalizers: true },
  },
  'coordination.k8s.io/leases': { validationPasses: { times: 3, bareFinalizers: true } },
  'node.k8s.io/runtimeclasses': { validationPasses: { bareFinalizers: true } },
  'autoscaling/horizontalpodautoscalers': { validationPasses: { times: 3 } },
  'storage.k8s.io/volumeattachments': { ignored: specAndMetadata },
  'flowcontrol.apiserver.k8s.io/flowschemas': { ignored: specAndMetadata },
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': { ignored: specAndMetadata },
};

/** Returns the strategy of a collection. */
export const strategyOf = (collection: string): Strategy => strategies[collection] ?? plain;

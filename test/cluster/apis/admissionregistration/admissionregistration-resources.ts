/** Kinds of `admissionregistration.k8s.io` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import type { Strategy } from '../../server/strategy.ts';
import { specAndMetadata } from '../status-reset-fields.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const admissionregistrationTable = `\
admissionregistration.k8s.io/v1
  MutatingWebhookConfiguration mutatingwebhookconfigurations @api-extensions #Sqi0GUgDaX0= generation
  ValidatingAdmissionPolicy validatingadmissionpolicies @api-extensions #6OxvlMmQ6is= generation /status
  ValidatingAdmissionPolicyBinding validatingadmissionpolicybindings @api-extensions #v9715VZqakg= generation
  ValidatingWebhookConfiguration validatingwebhookconfigurations @api-extensions #B0wHjQmsGNk= generation`;

/** Strategies of the group, by collection. */
export const admissionregistrationStrategies: Readonly<Record<string, Strategy>> = {
  'admissionregistration.k8s.io/validatingwebhookconfigurations': {
    validationPasses: { times: 3, bareFinalizers: true },
  },
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': {
    validationPasses: { times: 3, bareFinalizers: true },
  },
  'admissionregistration.k8s.io/validatingadmissionpolicies': {
    validationPasses: { times: 3, bareFinalizers: true },
    resetFields: specAndMetadata,
  },
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': {
    validationPasses: { times: 3, bareFinalizers: true },
  },
};

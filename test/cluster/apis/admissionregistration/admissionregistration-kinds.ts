/** Rules of the kinds of `admissionregistration.k8s.io`. */

import type { Fields } from '../../apimachinery/object.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { policyBinding, webhooks } from './webhook-validation.ts';

const webhook: Fields = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

/** Rules of the kinds of the group, by type. */
export const admissionregistrationKinds: Readonly<Record<string, BuiltinKind>> = {
  'admissionregistration.MutatingWebhookConfiguration': {
    values: { 'admissionregistration.MutatingWebhook': { ...webhook, reinvocationPolicy: 'Never' } },
    check: webhooks,
  },
  'admissionregistration.ValidatingAdmissionPolicy': {
    values: {
      'admissionregistration.ValidatingAdmissionPolicySpec': { failurePolicy: 'Fail' },
      'admissionregistration.MatchResources': {
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
      },
      'admissionregistration.NamedRuleWithOperations': { scope: '*' },
    },
  },
  'admissionregistration.ValidatingAdmissionPolicyBinding': { check: policyBinding },
  'admissionregistration.ValidatingWebhookConfiguration': {
    values: {
      'admissionregistration.ValidatingWebhook': webhook,
      'admissionregistration.RuleWithOperations': { scope: '*' },
      'admissionregistration.ServiceReference': { port: 443 },
    },
    check: webhooks,
  },
};

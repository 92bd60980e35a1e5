/** Resources without storage: access reviews, token requests and reviews. */

import type { Verb } from '../resource-call.ts';

const access =
  (
    name: 'selfSubjectAccessReview' | 'subjectAccessReview' | 'localSubjectAccessReview' | 'selfSubjectRulesReview',
  ): Verb =>
  async (call) =>
    (await import('./access-reviews.ts'))[name](call);
const tokens =
  (name: 'selfSubjectReview' | 'tokenReview' | 'createToken'): Verb =>
  async (call) =>
    (await import('./token-reviews.ts'))[name](call);

/** Verbs of virtual resources, whose objects are created but not stored, by group, plural and subresource; each loaded on first use. */
export const virtualResources: Readonly<Record<string, Verb>> = {
  'authorization.k8s.io/selfsubjectaccessreviews': access('selfSubjectAccessReview'),
  'authorization.k8s.io/subjectaccessreviews': access('subjectAccessReview'),
  'authorization.k8s.io/localsubjectaccessreviews': access('localSubjectAccessReview'),
  'authorization.k8s.io/selfsubjectrulesreviews': access('selfSubjectRulesReview'),
  'authentication.k8s.io/selfsubjectreviews': tokens('selfSubjectReview'),
  'authentication.k8s.io/tokenreviews': tokens('tokenReview'),
  '/bindings': async (call) => (await import('../pods/bind.ts')).bind(call),
  '/serviceaccounts/token': tokens('createToken'),
};

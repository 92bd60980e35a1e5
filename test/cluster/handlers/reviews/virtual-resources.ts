import type { Verb } from '../resource-call.ts';

const access =
  (name: 'reviewSelf' | 'reviewSubject' | 'reviewLocal' | 'reviewRules'): Verb =>
  async (call) =>
    (await import('./access-reviews.ts'))[name](call);
const tokens =
  (name: 'reviewWho' | 'reviewToken' | 'requestToken'): Verb =>
  async (call) =>
    (await import('./token-reviews.ts'))[name](call);

/** Verbs that create without storing, by group, plural and subresource; each loaded on first use. */
export const reviews: Readonly<Record<string, Verb>> = {
  'authorization.k8s.io/selfsubjectaccessreviews': access('reviewSelf'),
  'authorization.k8s.io/subjectaccessreviews': access('reviewSubject'),
  'authorization.k8s.io/localsubjectaccessreviews': access('reviewLocal'),
  'authorization.k8s.io/selfsubjectrulesreviews': access('reviewRules'),
  'authentication.k8s.io/selfsubjectreviews': tokens('reviewWho'),
  'authentication.k8s.io/tokenreviews': tokens('reviewToken'),
  '/bindings': async (call) => (await import('../pods/bind.ts')).bind(call),
  '/serviceaccounts/token': tokens('requestToken'),
};

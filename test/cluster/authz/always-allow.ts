/** kube-apiserver's authorization mode AlwaysAllow. */

import type { Authorizer, PolicyRule } from '../server/authorizer.ts';

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** Authorizer that allows every request. */
export const alwaysAllow: Authorizer = {
  isOpen: true,
  decide: () => ({ allowed: true, reason: '' }),
  checkGrant: () => {},
  rulesFor: () => ({ rules: everything, missing: [] }),
};

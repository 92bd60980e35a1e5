/** Specs with ingress rules for DNS names. */

import type { WorkspaceSpec } from '../../../sdk/index.ts';

/** The zone of all names. */
export const zone = 'example.test';

/** A spec with a rule for each of these subdomains. */
export const specOf = (...subdomains: readonly string[]): WorkspaceSpec => ({
  networking: {
    dns: { zone },
    ingress: {
      className: 'nginx',
      rules: subdomains.map((subdomain, index) => ({
        name: `rule-${index}`,
        subdomain,
        path: '/',
        component: 'web',
        network: 'http',
      })),
    },
  },
});

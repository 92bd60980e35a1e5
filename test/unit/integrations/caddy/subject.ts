/** Compliance subject of `caddyRoutes`, for any server. */

import type { CaddyAdmin } from '../../../../integrations/caddy/admin.ts';
import { type CaddyRoutesOptions, caddyRoutes } from '../../../../integrations/caddy/routes.ts';
import { DefiniteError, ThrottledError, type WorkspaceSpec } from '../../../../sdk/index.ts';
import type { IntegrationContext, Subject } from '../../../compliance/index.ts';
import { component, rule } from '../fixtures/an-ingress-spec.ts';

/** Two hosts of components that listen at this port. */
const spec = (port: number): WorkspaceSpec => ({
  components: [component('web', port), component('api', port)],
  networking: {
    dns: { zone: 'example.test' },
    ingress: {
      className: 'nginx',
      rules: [rule('web', { subdomain: 'shop' }), rule('api', { subdomain: 'api', path: '/v1' })],
    },
  },
});

/** Compliance subject of `caddyRoutes`, for any server. */
export const subject: Omit<Subject, 'start'> = {
  identity: 'name',
  spec: spec(8080),
  edited: spec(9090),
  sameName: 'exclusive',
  drift: 'fixed',
  failures: {
    definite: () => new DefiniteError('HTTP 403: not allowed'),
    ambiguous: () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
    throttled: () => new ThrottledError('later', 2_000),
  },
};

/** Integration of one run; each operation on the server is a call. Upstreams are the same for each workspace. */
export const integrationOf = (
  { through, clock }: IntegrationContext,
  operations: CaddyAdmin,
  options: Partial<CaddyRoutesOptions> = {},
) =>
  caddyRoutes({
    server: 'edge',
    upstream: (_, { port }) => `127.0.0.1:${port}`,
    clock,
    ...options,
    operations: through(operations),
  });

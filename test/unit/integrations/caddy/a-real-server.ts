/** A real Caddy server, and its routes as tests see them. */

import type { CaddyRoute } from '../../../../integrations/caddy/route-table.ts';
import { type CaddyProcess, startCaddy } from '../../../system/real/programs/caddy.ts';
import { until } from '../../../system/real/until.ts';

/** Server with its routes. */
export interface RealCaddy extends CaddyProcess {
  routes(): Promise<readonly CaddyRoute[]>;
  /** Replaces all routes, as others would. */
  put(routes: readonly CaddyRoute[]): Promise<void>;
}

/** Starts a server. */
export async function startRealCaddy(): Promise<RealCaddy> {
  const caddy = await startCaddy();
  const path = `/config/apps/http/servers/${caddy.server}/routes`;
  // A change of the configuration closes connections, so that any request may have to be sent again.
  const ask = (method: string, body?: unknown) =>
    until(() => caddy.admin(method, path, body), { message: (error) => `caddy does not answer: ${error}` });
  return {
    ...caddy,
    routes: async () => (JSON.parse((await ask('GET')).body) as readonly CaddyRoute[] | null) ?? [],
    async put(routes) {
      await ask('DELETE');
      const { status, body } = await ask('POST', routes);
      if (status !== 200) throw new Error(`caddy refuses routes: ${body}`);
    },
  };
}

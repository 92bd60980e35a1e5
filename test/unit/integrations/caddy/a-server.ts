/** Caddy server in memory, held to the real one by `contract.ts`. */

import type { CaddyAdmin } from '../../../../integrations/caddy/admin.ts';
import { type CaddyRoute, routeOwnerOf } from '../../../../integrations/caddy/route-table.ts';
import type { RemoteObject } from '../../../compliance/index.ts';

/** Server in memory. */
export interface MemoryCaddy extends CaddyAdmin {
  routes: readonly CaddyRoute[] | undefined;
}

/** Creates a server without routes. */
export function createMemoryCaddy(): MemoryCaddy {
  const versionOf = (routes: MemoryCaddy['routes']): string => JSON.stringify(routes) ?? 'null';
  return {
    routes: undefined,
    async read() {
      return structuredClone({ routes: this.routes, version: versionOf(this.routes) });
    },
    async replace({ before, routes }) {
      if (before.version !== versionOf(this.routes)) return false;
      this.routes = structuredClone(routes);
      return true;
    },
  };
}

/** Describes routes in words that are the same in every life: their `@id` holds a uid. */
export const thingsOf = (routes: readonly CaddyRoute[] = []): readonly RemoteObject[] =>
  routes.map(({ '@id': id, ...route }, index) => {
    const host = routeOwnerOf({ '@id': String(id) })?.host;
    const same = routes.slice(0, index).filter((one) => one['@id'] === id).length;
    const words = JSON.stringify(route, (_, value: unknown) => sorted(value));
    return { id: `${host} ${same}`, what: `${host} ${words}` };
  });

/** Sorts members, as the server does. */
const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Spoils routes as others might: the first is added again, all are lost as by a restart, or one answers something else. */
export function spoilt(routes: readonly CaddyRoute[], turn: number): readonly CaddyRoute[] {
  if (turn % 3 === 0) return [...routes, ...routes.slice(0, 1)];
  if (turn % 3 === 1) return [];
  return routes.map((route) => ({ ...route, handle: [{ handler: 'static_response', status_code: 418 }] }));
}

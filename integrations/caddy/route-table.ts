/** Routes of hosts as Caddy has them, and the changes of a list of routes that respect their owners. */

import { isDeepStrictEqual } from 'node:util';

/** Route in the configuration of a server; ours or of others. */
export interface CaddyRoute {
  readonly '@id'?: string;
  readonly match?: readonly { readonly host?: readonly string[] }[];
  readonly [member: string]: unknown;
}

/** Path prefix and its upstream address. */
export interface CaddyPath {
  readonly path: string;
  /** `host:port` */
  readonly dial: string;
}

/** Owner of a route, by its mark, `<uid>/<condition>/<host>`. */
export interface RouteOwner {
  readonly mark: string;
  readonly host: string;
}

const prefix = 'workspace:';

/** Returns the `@id` of a route: the mark with colons, since a slash would end it in the admin API's addresses. */
export const routeId = ({ mark }: Pick<RouteOwner, 'mark'>): string => `${prefix}${mark.replaceAll('/', ':')}`;

/** Returns the owner that a route's `@id` names; undefined for routes of others. */
export function routeOwnerOf({ '@id': id }: CaddyRoute): (RouteOwner & { readonly uid: string }) | undefined {
  if (typeof id !== 'string' || !id.startsWith(prefix)) return undefined;
  const [uid = '', ...rest] = id.slice(prefix.length).split(':');
  const host = rest.at(-1);
  return host === undefined ? undefined : { mark: [uid, ...rest].join('/'), uid, host };
}

/** Builds the route of a host, without its `@id`: the longest path first, and 404 for unmatched paths. */
export function routeOf(host: string, paths: readonly CaddyPath[]): CaddyRoute {
  const sorted = paths.toSorted((a, b) => b.path.length - a.path.length || (a.path < b.path ? -1 : 1));
  const routes = sorted.map(({ path, dial }) => ({
    ...(path !== '/' && { match: [{ path: matching(path) }] }),
    handle: [{ handler: 'reverse_proxy', upstreams: [{ dial }] }],
    terminal: true,
  }));
  const rest = { handle: [{ handler: 'static_response', status_code: 404 }] };
  const all = paths.some(({ path }) => path === '/') ? routes : [...routes, rest];
  return { match: [{ host: [host] }], handle: [{ handler: 'subroute', routes: all }], terminal: true };
}

/** Returns the patterns of a prefix by segments. */
const matching = (path: string): readonly string[] => {
  const plain = path.replace(/\/$/, '');
  return [plain, `${plain}/*`];
};

/** Returns the routes of this owner: more than one if it was added again by others. */
export const ownedRoutes = (routes: readonly CaddyRoute[], owner: RouteOwner): readonly CaddyRoute[] =>
  routes.filter(({ '@id': id }) => id === routeId(owner));

/** Returns a route without its `@id`. */
export function withoutId({ '@id': _, ...route }: CaddyRoute): CaddyRoute {
  return route;
}

/** Describes the route of another owner that matches this host already; undefined without one. */
export function takenBy(routes: readonly CaddyRoute[], owner: RouteOwner): string | undefined {
  const found = routes.find(
    (route) => route['@id'] !== routeId(owner) && hostsOf(route).some((host) => host === owner.host),
  );
  if (found === undefined) return undefined;
  const other = routeOwnerOf(found);
  if (other !== undefined) return `workspace ${other.uid}`;
  return found['@id'] === undefined ? 'a route without @id' : `the route ${String(found['@id']).slice(0, 140)}`;
}

/** Returns the hosts of a route's top-level matchers, in lower case; works for routes of other clients, too. */
function hostsOf({ match }: CaddyRoute): readonly string[] {
  if (!Array.isArray(match)) return [];
  return match
    .flatMap((one: { readonly host?: unknown } | null) => (Array.isArray(one?.host) ? one.host : []))
    .map((host: unknown) => String(host).toLowerCase());
}

/** Replaces the owner's routes by one, at the position of the first or at the end; undefined when nothing changes. */
export function withRoute(
  routes: readonly CaddyRoute[],
  owner: RouteOwner,
  route: CaddyRoute,
): readonly CaddyRoute[] | undefined {
  const wanted = { '@id': routeId(owner), ...route };
  const first = routes.findIndex(({ '@id': id }) => id === routeId(owner));
  const after =
    first === -1
      ? [...routes, wanted]
      : routes.flatMap((one, index) => {
          if (index === first) return [wanted];
          return one['@id'] === routeId(owner) ? [] : [one];
        });
  return isDeepStrictEqual(after, routes) ? undefined : after;
}

/** Removes all routes of the owner; undefined without any. */
export function withoutRoutes(routes: readonly CaddyRoute[], owner: RouteOwner): readonly CaddyRoute[] | undefined {
  const after = routes.filter(({ '@id': id }) => id !== routeId(owner));
  return after.length === routes.length ? undefined : after;
}

/** Assigns the routes of former owners to the current one; undefined without any. */
export function withOwner(
  routes: readonly CaddyRoute[],
  owner: RouteOwner,
  former: readonly Pick<RouteOwner, 'mark'>[],
): readonly CaddyRoute[] | undefined {
  const earlier = new Set(former.map(routeId));
  const isEarlier = ({ '@id': id }: CaddyRoute): boolean => id !== undefined && earlier.has(id);
  if (!routes.some(isEarlier)) return undefined;
  return routes.map((route) => (isEarlier(route) ? { ...route, '@id': routeId(owner) } : route));
}

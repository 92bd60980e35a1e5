/** Route of one host, as an external resource. */

import {
  DefiniteError,
  ExternalAlreadyExistsError,
  type ExternalResource,
  externalResource,
  KeyedMutex,
  ThrottledError,
} from '../../sdk/index.ts';
import type { CaddyAdmin } from './admin.ts';
import {
  type CaddyRoute,
  ownedRoutes,
  routeOwnerOf,
  takenBy,
  withOwner,
  withoutId,
  withoutRoutes,
  withRoute,
} from './route-table.ts';

/** Desired state of a host: exactly one route. */
export interface WantedHost {
  readonly host: string;
  readonly routes: readonly CaddyRoute[];
}

/** Id of a route: a host has one. */
export interface HostId {
  readonly host: string;
}

/** Computes the routes after a change; undefined when nothing changes. @throws DefiniteError for a refusal */
type RouteChange = (routes: readonly CaddyRoute[]) => readonly CaddyRoute[] | undefined;

/** Returns the function that applies changes, one at a time: the server interrupts all requests whenever its configuration changes. */
function changesOf(admin: CaddyAdmin): (change: RouteChange, signal: AbortSignal) => Promise<void> {
  const changing = new KeyedMutex();
  return (change, signal) =>
    changing.runExclusive('routes', async () => {
      const before = await admin.read({ signal });
      const routes = change(before.routes ?? []);
      if (routes === undefined || (await admin.replace({ before, routes, signal }))) return;
      throw new ThrottledError('Caddy: others have changed the routes meanwhile');
    });
}

const notThere = (host: string): DefiniteError => new DefiniteError(`Caddy: there is no route of ${host}`);

/** Returns the resource: a route per host, whose `@id` names its owner. The complete list of routes is replaced, unless it has changed since it was read. */
export function hostResource(
  admin: CaddyAdmin,
  { driftInterval, deadline }: { readonly driftInterval: number; readonly deadline: number },
): ExternalResource<WantedHost, HostId> {
  const change = changesOf(admin);
  const read = async (signal: AbortSignal): Promise<readonly CaddyRoute[]> =>
    (await admin.read({ signal })).routes ?? [];
  return externalResource<WantedHost, HostId>({
    label: 'route',
    identity: 'name',
    nameOf: ({ host }) => host,
    driftInterval,
    maxRequestMs: deadline,
    async find({ mark, slot: host }, { signal }) {
      const found = ownedRoutes(await read(signal), { mark, host });
      return found.length === 0 ? undefined : { host };
    },
    async findAll({ mark }, { signal }) {
      const owners = (await read(signal)).map(routeOwnerOf).filter((owner) => owner !== undefined);
      const hosts = owners.filter((owner) => owner.mark === `${mark}${owner.host}`).map(({ host }) => host);
      return [...new Set(hosts)].map((host) => ({ slot: host, id: { host } }));
    },
    async create({ routes }, { owner: { mark, slot: host }, signal }) {
      const owner = { mark, host };
      await change((before) => {
        if (ownedRoutes(before, owner).length > 0) throw new ExternalAlreadyExistsError(`Caddy: ${host} has a route`);
        const taken = takenBy(before, owner);
        if (taken !== undefined)
          throw new DefiniteError(`${host} is routed by ${taken}: ask for another host, or remove that`);
        return withRoute(before, owner, routes[0]!);
      }, signal);
      return { id: { host } };
    },
    async observe({ host }, { owner: { mark }, signal }) {
      const routes = await read(signal);
      const owners = routes.map(routeOwnerOf).filter((one) => one?.host === host);
      const bearer = owners.find((one) => one?.mark === mark) ?? owners[0];
      if (bearer === undefined) return undefined;
      return { state: { host, routes: ownedRoutes(routes, bearer).map(withoutId) }, mark: bearer.mark };
    },
    async update({ host }, { routes }, { owner: { mark }, signal }) {
      const owner = { mark, host };
      await change((before) => {
        if (ownedRoutes(before, owner).length === 0) throw notThere(host);
        return withRoute(before, owner, routes[0]!);
      }, signal);
    },
    async replaceMark({ host }, { owner: { mark }, former, signal }) {
      const owner = { mark, host };
      await change((before) => {
        const after = withOwner(before, owner, former);
        if (after === undefined && ownedRoutes(before, owner).length === 0) throw notThere(host);
        return after;
      }, signal);
    },
    async delete({ host }, { owner: { mark }, signal }) {
      await change((before) => withoutRoutes(before, { mark, host }), signal);
    },
  });
}

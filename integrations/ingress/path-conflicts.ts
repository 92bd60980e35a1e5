/** Finds paths that another workspace owns: the oldest workspace owns a path, as with controllers of Ingresses and Gateways. */

import { conditionOf, instanceOf, isOwnedBy, type ProviderController, type Workspace } from '../../sdk/index.ts';
import type { RoutedHost } from '../ingress-rules.ts';
import { type RouteKind, type RouteObject, type RouteRecord, routeKinds } from './kinds.ts';
import { routeLabel } from './objects.ts';
import type { CheckedIngressOptions, RouteSettings } from './options.ts';

/** Routes of a workspace, of one kind, before they are objects. */
export interface RequestedRoutes {
  readonly kind: RouteKind;
  readonly settings: RouteSettings;
  readonly routed: readonly RoutedHost[];
}

/** Path of a host, with its unique name. */
interface RequestedPath {
  readonly host: string;
  readonly path: string;
  readonly name: string;
}

/** Maximum number of workspaces whose routes are read for one path. */
const maxRead = 4;

/** Returns the paths by their names: a class or a Gateway has each once. */
function requestedPaths(
  { metadata }: Workspace,
  { kind, settings, routed }: RequestedRoutes,
): readonly RequestedPath[] {
  const { className, gateway } = settings;
  const served =
    gateway === undefined
      ? className
      : [gateway.namespace ?? metadata.namespace, gateway.name, gateway.sectionName].join('/');
  return routed.flatMap(({ host, paths }) =>
    paths.map(({ path }) => ({ host, path, name: `${kind} ${served} ${host}${path}` })),
  );
}

/** Returns the names of all paths that a workspace asks for: of both kinds, where it is the cluster that decides. Pure. */
export function pathNames(
  workspace: Workspace,
  { api, gateways, hosts, settingsFor }: CheckedIngressOptions,
): readonly string[] {
  const routed = hosts(workspace);
  if (typeof routed === 'string') return [];
  const kinds: readonly RouteKind[] = api === 'auto' ? ['Ingress', 'HTTPRoute'] : [api];
  return kinds.flatMap((kind) => {
    const settings = kind === 'HTTPRoute' && gateways.length === 0 ? '' : settingsFor(workspace, kind);
    if (typeof settings === 'string') return [];
    return requestedPaths(workspace, { kind, settings, routed }).map(({ name }) => name);
  });
}

/** Parts of Ingresses and HTTPRoutes that have hosts and paths. */
interface RouteRules {
  readonly hostnames?: readonly string[];
  readonly rules?: readonly {
    readonly host?: string;
    readonly http?: { readonly paths?: readonly { readonly path?: string }[] };
    readonly matches?: readonly { readonly path?: { readonly value?: string } }[];
  }[];
}

/** Reports whether a route is for a path of a host. */
function isFor({ spec = {} }: RouteObject, { host, path }: RequestedPath): boolean {
  const { hostnames = [], rules = [] } = spec as RouteRules;
  return rules.some(
    (rule) =>
      (rule.host === host && rule.http?.paths?.some((one) => one.path === path)) ||
      (hostnames.includes(host) && rule.matches?.some((one) => one.path?.value === path)),
  );
}

/** Workspace that requests a path, and its route for it. */
interface PathAsker {
  readonly workspace: Workspace;
  readonly route: RouteObject | undefined;
}

/** Orders the requesting workspaces: those with a route first, then by the age of the route and of the workspace. */
function rankOf({ workspace: { metadata }, route }: PathAsker): string {
  const { creationTimestamp = '' } = (route ?? { metadata }).metadata;
  return [route === undefined ? 1 : 0, creationTimestamp, metadata.uid].join(' ');
}

/** Reads the route of another workspace for a path. */
async function routeOf(
  controller: ProviderController,
  other: Workspace,
  { kind, requested }: { readonly kind: RouteKind; readonly requested: RequestedPath },
): Promise<RouteObject | undefined> {
  const { namespace } = other.metadata;
  const { items } = await controller.list<RouteObject>(routeKinds[kind], {
    ...(namespace !== undefined && { namespace }),
    labels: `${routeLabel}=${instanceOf(other)}`,
  });
  return items.find((route) => isOwnedBy(route, other) && isFor(route, requested));
}

const isCompleted = (workspace: Workspace): boolean => conditionOf(workspace, 'Ingress').status === 'Completed';

/** Returns the workspaces that have routes of a kind by their status, ready ones first. */
function routedOf(workspaces: readonly Workspace[], kind: RouteKind): readonly Workspace[] {
  const routed = workspaces.filter(({ status }) => (status?.ingress as RouteRecord | undefined)?.kinds?.includes(kind));
  return routed.toSorted((one, other) => Number(isCompleted(other)) - Number(isCompleted(one)));
}

/** Returns the first of the others that request a path. Reads the routes of a few only: of those with routes in their status. */
async function firstOther(
  controller: ProviderController,
  others: readonly Workspace[],
  about: { readonly kind: RouteKind; readonly requested: RequestedPath },
): Promise<PathAsker | undefined> {
  const [oldest] = others;
  const found: PathAsker[] = oldest === undefined ? [] : [{ workspace: oldest, route: undefined }];
  for (const workspace of routedOf(others, about.kind).slice(0, maxRead))
    found.push({ workspace, route: await routeOf(controller, workspace, about) });
  return found.toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1))[0];
}

/**
 * Explains that a path is another workspace's, which has a route for it, or is older and asks for it too; undefined while all are this one's.
 * @param own routes that this workspace has
 */
export async function findPathConflict(
  controller: ProviderController,
  requested: RequestedRoutes,
  own: readonly RouteObject[],
): Promise<string | undefined> {
  const { workspace } = controller;
  for (const one of requestedPaths(workspace, requested)) {
    const first = await firstOther(controller, controller.othersWith(one.name), {
      kind: requested.kind,
      requested: one,
    });
    const route = own.find((there) => isFor(there, one));
    if (first === undefined || rankOf({ workspace, route }) < rankOf(first)) continue;
    const [mine, theirs] = [workspace, first.workspace].map(
      ({ metadata: { namespace, name } }) => `${namespace}/${name}`,
    );
    return `spec.networking.ingress.rules: ${one.host}${one.path} is asked for by workspace ${theirs} too, which was first: take it out there, or ask for another host or path in ${mine}`;
  }
  return undefined;
}

/** Desired routes of a workspace, and their comparison with those that exist. */

import { isDeepStrictEqual } from 'node:util';
import { instanceLabel, instanceOf, isDeleting, type Workspace } from '../../sdk/index.ts';
import type { RoutedHost } from '../ingress-rules.ts';
import { dnsLabelName } from '../service-names.ts';
import type { RouteKind, RouteObject } from './kinds.ts';
import type { RouteSettings } from './options.ts';

/** Label of all routes of this integration. */
export const routeLabel = 'ingress.sequencer.io/workspace';

type RouteSpec = Readonly<Record<string, unknown>>;

/** Desired route. */
export interface WantedRoute {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  /** Complete, with the defaults that the API server sets. */
  readonly spec: RouteSpec;
}

/** Most rules that one HTTPRoute has. */
const maxRules = 16;

function ingressSpec({ host, paths }: RoutedHost, { className, tlsSecret }: RouteSettings): RouteSpec {
  return {
    ingressClassName: className,
    ...(tlsSecret !== undefined && { tls: [{ hosts: [host], secretName: tlsSecret }] }),
    rules: [
      {
        host,
        http: {
          paths: paths.map(({ path, service, port }) => ({
            path,
            pathType: 'Prefix',
            backend: { service: { name: service, port: { number: port } } },
          })),
        },
      },
    ],
  };
}

const httpRouteSpec = ({ host, paths }: RoutedHost, { gateway }: RouteSettings, namespace: string): RouteSpec => ({
  parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace, ...gateway }],
  hostnames: [host],
  rules: paths.map(({ path, service, port }) => ({
    matches: [{ path: { type: 'PathPrefix', value: path } }],
    backendRefs: [{ group: '', kind: 'Service', name: service, port, weight: 1 }],
  })),
});

/** Computes the routes of a workspace: one Ingress per host, or an HTTPRoute per host and {@link maxRules} paths. Pure. */
export function wantedRoutes(
  workspace: Workspace,
  hosts: readonly RoutedHost[],
  { kind, settings }: { readonly kind: RouteKind; readonly settings: RouteSettings },
): readonly WantedRoute[] {
  const { metadata } = workspace;
  const instance = instanceOf(workspace);
  const labels = { [instanceLabel]: instance, [routeLabel]: instance };
  const route = (spec: RouteSpec, ...name: readonly string[]): WantedRoute => ({
    metadata: { name: dnsLabelName(metadata.name, ...name), labels, annotations: settings.annotations },
    spec,
  });
  if (kind === 'Ingress') return hosts.map((one) => route(ingressSpec(one, settings), one.host));
  return hosts.flatMap(({ host, paths }) =>
    Array.from({ length: Math.ceil(paths.length / maxRules) }, (_, index) => {
      const part = { host, paths: paths.slice(index * maxRules, (index + 1) * maxRules) };
      const spec = httpRouteSpec(part, settings, metadata.namespace ?? '');
      return route(spec, host, ...(index === 0 ? [] : [String(index)]));
    }),
  );
}

const holds = (wanted: Readonly<Record<string, string>>, there: Readonly<Record<string, string>> = {}): boolean =>
  Object.entries(wanted).every(([name, value]) => there[name] === value);

/** Reports whether a route is up to date: equal spec, and the desired labels and annotations included. */
export const isCurrentRoute = ({ metadata, spec }: WantedRoute, there: RouteObject): boolean =>
  isDeepStrictEqual(spec, there.spec) &&
  holds(metadata.labels, there.metadata.labels) &&
  holds(metadata.annotations, there.metadata.annotations);

/** Returns the merge patch to the desired route. It is refused for another object of the same name. */
export function patchTo({ metadata, spec }: WantedRoute, there: RouteObject): object {
  const removed = Object.keys(there.spec ?? {}).map((member) => [member, null]);
  const { labels, annotations } = metadata;
  return {
    metadata: { uid: there.metadata.uid, labels, annotations },
    spec: { ...Object.fromEntries(removed), ...spec },
  };
}

/** Change of one route. */
export type RouteAction = { readonly kind: RouteKind } & (
  | { readonly do: 'create'; readonly route: WantedRoute }
  | { readonly do: 'patch'; readonly route: WantedRoute; readonly there: RouteObject }
  | { readonly do: 'delete'; readonly there: RouteObject }
);

/** Existing routes of a workspace, by kind. */
export type ObservedRoutes = Readonly<Partial<Record<RouteKind, readonly RouteObject[]>>>;

/**
 * Plans the changes towards the desired routes of one kind; routes of the other kind are deleted last. A route that is being deleted is recreated after
 * its deletion. Pure.
 */
export function routeActions(
  kind: RouteKind,
  wanted: readonly WantedRoute[],
  observed: ObservedRoutes,
): readonly RouteAction[] {
  const existing = new Map((observed[kind] ?? []).map((route) => [route.metadata.name, route]));
  const names = new Set(wanted.map(({ metadata }) => metadata.name));
  const changes = wanted.flatMap((route): readonly RouteAction[] => {
    const found = existing.get(route.metadata.name);
    if (found === undefined) return [{ do: 'create', kind, route }];
    return isDeleting(found) || isCurrentRoute(route, found) ? [] : [{ do: 'patch', kind, route, there: found }];
  });
  const extra = (Object.entries(observed) as [RouteKind, readonly RouteObject[]][]).flatMap(([one, routes]) =>
    routes
      .filter((route) => !isDeleting(route) && (one !== kind || !names.has(route.metadata.name)))
      .map((route): RouteAction => ({ do: 'delete', kind: one, there: route })),
  );
  return [...changes, ...extra];
}

/** Kinds of routes in a cluster: Ingress, and HTTPRoute of the Gateway API. */

import type { Kind, KubeObject } from '../../sdk/index.ts';

/** Condition as routes and Gateways have it. */
interface RouteCondition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}

/** Ingress of `networking.k8s.io/v1`, or HTTPRoute of `gateway.networking.k8s.io/v1`. */
export interface RouteObject extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: {
    /** Of an Ingress. */
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
    /** Of an HTTPRoute. */
    readonly parents?: readonly { readonly conditions?: readonly RouteCondition[] }[];
  };
}

/** `gateway.networking.k8s.io/v1` Gateway. */
export interface GatewayObject extends KubeObject {
  readonly status?: { readonly addresses?: readonly { readonly value?: string }[] };
}

/** Gateway that HTTPRoutes are attached to. */
export interface GatewayRef {
  readonly name: string;
  /** @default the workspace's */
  readonly namespace?: string;
  /** Name of one of its listeners. @default all */
  readonly sectionName?: string;
}

const gatewayGroup = 'gateway.networking.k8s.io';

/** Kinds of routes, by name. */
export const routeKinds = {
  Ingress: { group: 'networking.k8s.io', version: 'v1', kind: 'Ingress', plural: 'ingresses', namespaced: true },
  HTTPRoute: { group: gatewayGroup, version: 'v1', kind: 'HTTPRoute', plural: 'httproutes', namespaced: true },
} as const satisfies Readonly<Record<string, Kind<RouteObject>>>;

/** Name of a kind of routes. */
export type RouteKind = keyof typeof routeKinds;

/** Content of `status.ingress`. */
export interface RouteRecord {
  /** Kinds of which there may be routes. */
  readonly kinds?: readonly RouteKind[];
  /** Hosts whose records in `status.dns` are this integration's. */
  readonly hosts?: readonly string[];
}

/** Kind of Gateways. */
export const gatewayKind: Kind<GatewayObject> = {
  group: gatewayGroup,
  version: 'v1',
  kind: 'Gateway',
  plural: 'gateways',
  namespaced: true,
};

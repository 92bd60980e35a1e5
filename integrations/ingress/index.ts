/**
 * Integration that routes HTTP from outside of the cluster to the services of components, by an Ingress or the Gateway API.
 *
 * @packageDocumentation
 */

import {
  defineIntegration,
  type Integration,
  isDeleting,
  type PolicyRule,
  type Provider,
  type ProviderController,
  type Result,
  requeueAfter,
  type Workspace,
} from '../../sdk/index.ts';
import { dnsOf, hostReads, mistakeInEntries } from '../dns-entries.ts';
import { ingressRulesOf, validateHosts } from '../ingress-rules.ts';
import { waitWhenThrottled } from '../refused-action.ts';
import { changeRoutes, observeRoutes } from './changes.ts';
import { gatewayKind, type RouteKind, type RouteObject, type RouteRecord, routeKinds } from './kinds.ts';
import { isCurrentRoute, type ObservedRoutes, routeActions, type WantedRoute, wantedRoutes } from './objects.ts';
import {
  type CheckedIngressOptions,
  checkedIngressOptions,
  type IngressOptions,
  type RouteSettings,
} from './options.ts';
import { findPathConflict, pathNames, type RequestedRoutes } from './path-conflicts.ts';
import { gatewayAddresses, ingressAddresses, isAccepted, unacceptedReason } from './routing.ts';

export type { GatewayRef, RouteKind } from './kinds.ts';
export type { IngressOptions } from './options.ts';

/** ms until a state without events is checked again: objects of others, permissions, Gateways. */
const outsideInterval = 10_000;

const recordOf = ({ status }: Workspace): RouteRecord => status?.ingress ?? {};

/** Routes of a workspace, all of one kind. */
interface WantedRoutes extends RequestedRoutes {
  readonly hosts: readonly string[];
  readonly routes: readonly WantedRoute[];
}

/** Returns the kinds to read: kinds that may be created, and kinds of possible existing routes. */
function kindsToRead(controller: ProviderController, { api, gateways }: CheckedIngressOptions): readonly RouteKind[] {
  const { kinds = [] } = recordOf(controller.workspace);
  const isPossible = {
    Ingress: api !== 'HTTPRoute' || kinds.includes('Ingress'),
    HTTPRoute: (api !== 'Ingress' && gateways.length > 0) || kinds.includes('HTTPRoute'),
  };
  return (['Ingress', 'HTTPRoute'] as const).filter((kind) => isPossible[kind]);
}

/** Returns the requested routes of a workspace, of the kind that the cluster serves; or the mistake, or the missing kind. */
function wantedIn(
  { workspace }: ProviderController,
  options: CheckedIngressOptions,
  observed: ObservedRoutes,
): WantedRoutes | string {
  const { api, gateways } = options;
  const hosts = options.hosts(workspace);
  if (typeof hosts === 'string') return hosts;
  const hasRoutes = observed.HTTPRoute !== undefined && gateways.length > 0;
  if (api === 'HTTPRoute' && !hasRoutes)
    return 'the cluster does not serve HTTPRoute of gateway.networking.k8s.io/v1: install the Gateway API, or set option api of ingress';
  const kind = hasRoutes && api !== 'Ingress' ? 'HTTPRoute' : 'Ingress';
  const settings = options.settingsFor(workspace, kind);
  if (typeof settings === 'string') return settings;
  const routes = wantedRoutes(workspace, hosts, { kind, settings });
  return { kind, settings, routed: hosts, hosts: hosts.map(({ host }) => host), routes };
}

/** Records the kinds of possible routes; none after all were deleted. */
async function recordKinds(controller: ProviderController, kinds: readonly RouteKind[]): Promise<void> {
  await controller.update((status) => {
    if (kinds.length === 0) delete status.ingress;
    else status.ingress = { ...status.ingress, kinds: [...kinds] };
  });
}

/** Points the hosts to the addresses in `status.dns`, and removes the entries of previous hosts. */
async function publish(
  controller: ProviderController,
  hosts: readonly string[],
  addresses: readonly string[],
): Promise<void> {
  const { hosts: former = [] } = recordOf(controller.workspace);
  if (former.length === 0 && addresses.length === 0) return;
  const dns = dnsOf(controller.workspace, { former, hosts, addresses });
  await controller.update((status) => {
    status.ingress = { ...status.ingress, hosts: addresses.length === 0 ? [] : [...hosts] };
    if (dns === undefined) delete status.dns;
    else status.dns = [...dns];
  });
}

/** Returns the addresses of these routes; none while one of them has none. */
async function addressesOf(
  controller: ProviderController,
  routes: readonly RouteObject[],
  { gateway }: RouteSettings,
): Promise<readonly string[]> {
  if (gateway === undefined) {
    const all = routes.map(ingressAddresses);
    return all.some((one) => one.length === 0) ? [] : [...new Set(all.flat())];
  }
  if (!routes.every(isAccepted)) return [];
  const key = { namespace: gateway.namespace ?? controller.namespace, name: gateway.name };
  return gatewayAddresses(await controller.get(gatewayKind, key));
}

const listed = (hosts: readonly string[]): string =>
  hosts.length > 3 ? `${hosts.slice(0, 3).join(', ')} and ${hosts.length - 3} more` : hosts.join(', ');

/** Sets outputs and condition by the status of the routes. */
async function report(
  controller: ProviderController,
  { waitForAddress }: CheckedIngressOptions,
  { kind, settings, hosts, there }: WantedRoutes & { readonly there: readonly RouteObject[] },
): Promise<void> {
  const refusal = there.map(unacceptedReason).find((reason) => reason !== undefined);
  if (refusal !== undefined) return controller.updateCondition('Error', refusal);
  const addresses = waitForAddress ? await addressesOf(controller, there, settings) : [];
  if (waitForAddress && addresses.length === 0)
    return controller.updateCondition('In Progress', `waiting until ${kind} of ${listed(hosts)} has an address`);
  const { hosts: former = [] } = recordOf(controller.workspace);
  const asks = 'option waitForAddress of ingress, for spec.networking.ingress.rules';
  const mistake = waitForAddress ? mistakeInEntries(controller.workspace, { former, hosts }, asks) : undefined;
  if (mistake !== undefined) return controller.updateCondition('Error', mistake);
  await publish(controller, hosts, addresses);
  await controller.setOutputs({ host: hosts[0], address: addresses[0] });
  const at = addresses.length > 0 ? ` at ${addresses.join(', ')}` : '';
  return controller.updateCondition('Completed', `${kind} of ${listed(hosts)}${at}`);
}

/** Applies the desired routes and deletes all others, then reports them. */
async function applyRoutes(
  controller: ProviderController,
  options: CheckedIngressOptions,
  { observed, wanted }: { readonly observed: ObservedRoutes; readonly wanted: WantedRoutes },
): Promise<Result | undefined> {
  const { kind, routes } = wanted;
  const { kinds = [] } = recordOf(controller.workspace);
  if (!kinds.includes(kind)) await recordKinds(controller, [...kinds, kind]);
  const after = await changeRoutes(controller, observed, routeActions(kind, routes, observed));
  if (after.refusal !== undefined) {
    await controller.updateCondition('Error', after.refusal.reason);
    return after.refusal.isRetryable ? requeueAfter(outsideInterval) : undefined;
  }
  const there = after.routes.filter((one) => !isDeleting(one) && routes.some((route) => isCurrentRoute(route, one)));
  if (after.routes.length > there.length || there.length < routes.length) {
    await controller.updateCondition('In Progress', `${there.length} of ${routes.length} routes; removing the others`);
    return requeueAfter(outsideInterval);
  }
  if (recordOf(controller.workspace).kinds?.length !== 1) await recordKinds(controller, [kind]);
  await report(controller, options, { ...wanted, there });
  if (controller.condition.status !== 'Completed') return requeueAfter(outsideInterval);
  return kind === 'Ingress' || options.api === kind ? undefined : requeueAfter(options.driftInterval);
}

async function reconcile(controller: ProviderController, options: CheckedIngressOptions): Promise<Result | undefined> {
  const observed = await observeRoutes(controller, kindsToRead(controller, options));
  const wanted = wantedIn(controller, options, observed);
  if (typeof wanted === 'string') {
    await controller.updateCondition('Error', wanted);
    return requeueAfter(options.driftInterval);
  }
  const taken = await findPathConflict(controller, wanted, observed[wanted.kind] ?? []);
  if (taken !== undefined) {
    await controller.updateCondition('Error', taken);
    return undefined; // walked again when the other workspace releases it
  }
  return applyRoutes(controller, options, { observed, wanted });
}

async function terminate(controller: ProviderController, options: CheckedIngressOptions): Promise<Result | undefined> {
  const observed = await observeRoutes(controller, kindsToRead(controller, options));
  const { routes: left, refusal } = await changeRoutes(controller, observed, routeActions('Ingress', [], observed));
  if (refusal === undefined && left.length === 0) {
    await publish(controller, [], []);
    if (controller.workspace.status?.ingress !== undefined) await recordKinds(controller, []);
    await controller.updateCondition('Terminated', 'no route is left');
    return undefined;
  }
  const names = left.slice(0, 4).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  if (refusal === undefined) await controller.updateCondition('In Progress', `removing ${names.join(', ')}`);
  else await controller.updateCondition('Error', refusal.reason);
  return requeueAfter(outsideInterval);
}

/** Returns the permissions: watching and changing the kinds that may be made, and reading Gateways for their addresses. */
function permissionsOf({ api, gateways, waitForAddress }: CheckedIngressOptions): readonly PolicyRule[] {
  const change = ['get', 'list', 'create', 'patch', 'delete'];
  const rule = ({ group, plural }: { readonly group: string; readonly plural: string }, verbs: readonly string[]) => ({
    apiGroups: [group],
    resources: [plural],
    verbs,
  });
  const hasRoutes = api !== 'Ingress' && gateways.length > 0;
  return [
    ...(api === 'HTTPRoute' ? [] : [rule(routeKinds.Ingress, change)]),
    ...(hasRoutes ? [rule(routeKinds.HTTPRoute, change)] : []),
    ...(hasRoutes && waitForAddress ? [rule(gatewayKind, ['get'])] : []),
  ];
}

/**
 * Routes HTTP to the services of components by the rules in `spec.networking.ingress`: an Ingress or an HTTPRoute for each host. Routes that were
 * changed or deleted are corrected.
 * @throws TypeError naming the invalid or unknown option
 */
export function ingress(options: IngressOptions = {}): Integration {
  const checked = checkedIngressOptions(options);
  return defineIntegration({
    name: 'ingress',
    condition: 'Ingress',
    endpoints: [],
    after: ['Components'],
    outputs: {
      host: { description: 'Host of the first rule.' },
      address: { description: 'IP address or name at which the routes are served; with option waitForAddress.' },
    },
    owns: [routeKinds[checked.api === 'HTTPRoute' ? 'HTTPRoute' : 'Ingress']],
    permissions: permissionsOf(checked),
    handles: (workspace) => ingressRulesOf(workspace).length > 0,
    validate: validateHosts(checked.hosts),
    reads: (workspace) => hostReads(workspace, checked.hosts(workspace), recordOf(workspace).hosts ?? []),
    uniqueNames: (workspace) => pathNames(workspace, checked),
    connect: ({ controller }): Provider => ({
      reconcile: () =>
        reconcile(controller, checked).catch((error: unknown) => waitWhenThrottled(controller, error, outsideInterval)),
      terminate: () =>
        terminate(controller, checked).catch((error: unknown) => waitWhenThrottled(controller, error, outsideInterval)),
    }),
  });
}

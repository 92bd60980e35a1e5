/** Integration that routes HTTP to components by a Caddy server, for machines without an ingress controller. */

import { defineIntegration, type Integration, type ProviderController, type Result } from '../../sdk/index.ts';
import { ingressRulesOf, requestedRoutesOf, validateHosts } from '../ingress-rules.ts';
import { type CaddyRoutesOptions, type CheckedCaddyOptions, checkedCaddyOptions } from './options.ts';
import { hostResource, type WantedHost } from './resource.ts';
import { routeOf } from './route-table.ts';

export type { CaddyAdmin, RouteTable } from './admin.ts';
export type { CaddyRoutesOptions, RoutedService } from './options.ts';
export type { CaddyRoute } from './route-table.ts';

const addressPattern = /^(\[[0-9a-f:.]+\]|[\w.-]+):\d{1,5}$/i;

/** Returns the desired routes of a workspace, or the first mistake in it. */
function wantedHosts(
  { workspace }: ProviderController,
  { hosts, upstream }: CheckedCaddyOptions,
): readonly WantedHost[] | string {
  const found = hosts(workspace);
  if (typeof found === 'string') return found;
  const wanted: WantedHost[] = [];
  for (const { host, paths } of found) {
    const dialled = paths.map(({ path, service, port }) => ({ path, dial: upstream(workspace, { service, port }) }));
    const wrong = dialled.find(({ dial }) => typeof dial !== 'string' || !addressPattern.test(dial));
    if (wrong !== undefined)
      return `option upstream of caddyRoutes must return host:port; found ${String(JSON.stringify(wrong.dial)).slice(0, 140)}`;
    wanted.push({ host, routes: [routeOf(host, dialled)] });
  }
  return wanted;
}

async function reconcile(
  controller: ProviderController,
  options: CheckedCaddyOptions,
  resource: ReturnType<typeof hostResource>,
): Promise<Result | void> {
  const wanted = wantedHosts(controller, options);
  if (typeof wanted === 'string') return controller.updateCondition('Error', wanted);
  const result = await controller.ensure(resource, wanted);
  await controller.setOutputs({ host: wanted[0]?.host });
  return result;
}

/**
 * Keeps a route per host in the configuration of a Caddy server, by the rules in `spec.networking.ingress` of each workspace.
 * @throws TypeError naming the missing, invalid or unknown option
 */
export function caddyRoutes(options: CaddyRoutesOptions): Integration {
  const checked = checkedCaddyOptions(options);
  const resource = hostResource(checked.operations, checked);
  return defineIntegration({
    name: 'caddy-routes',
    condition: 'Ingress',
    after: ['Components'],
    outputs: { host: { description: 'Host of the first rule.' } },
    limits: checked.limits,
    endpoints: [checked.url],
    handles: (workspace) => ingressRulesOf(workspace).length > 0,
    validate: validateHosts(checked.hosts),
    reads: requestedRoutesOf,
    connect: ({ controller }) => ({
      reconcile: () => reconcile(controller, checked, resource),
      terminate: () => controller.destroy(resource),
    }),
  });
}

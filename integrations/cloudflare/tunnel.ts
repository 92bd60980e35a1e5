/** Tunnel integration at Cloudflare: a tunnel per workspace, its rules, its connector, and its DNS records in `status.dns`. */

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  Deployment,
  defineIntegration,
  type Integration,
  isDeleting,
  isJsonObject,
  type ProviderController,
  type Result,
  requeueAfter,
  secretsRule,
  type Workspace,
} from '../../sdk/index.ts';
import { dnsOf, hostReads, mistakeInEntries, otherEntries } from '../dns-entries.ts';
import { validateHosts } from '../ingress-rules.ts';
import { waitWhenThrottled } from '../refused-action.ts';
import {
  applyConnector,
  connectorOf,
  connectorsOf,
  removeConnector,
  tokenSecretName,
  waitingFor,
} from './connector.ts';
import { type CheckedTunnelOptions, type CloudflareTunnelOptions, checkedTunnelOptions } from './tunnel-options.ts';
import { type TunnelId, tunnelResource, type WantedTunnel } from './tunnel-resource.ts';
import { tunnelRules } from './tunnel-rules.ts';
import { cloudflareTunnels } from './tunnels.ts';

export type { ConnectorResources } from './connector.ts';
export type { CloudflareTunnelOptions, ConnectorOptions } from './tunnel-options.ts';

/** ms between two checks of the connector without an event. */
const connectorInterval = 10_000;

/** Tunnel with its options, for one workspace. */
interface TunnelContext {
  readonly controller: ProviderController;
  readonly options: CheckedTunnelOptions;
  readonly resource: ReturnType<typeof tunnelResource>;
}

/** Desired state of a workspace's tunnel. */
interface WantedHosts extends WantedTunnel {
  readonly hosts: readonly string[];
}

const requestedTunnel = ({ spec }: Workspace): unknown => spec.networking?.tunnel?.cloudflare;

/** Returns the hosts that are published. */
const formerHosts = ({ status }: Workspace): readonly string[] =>
  (status?.tunnel?.meta?.hosts ?? '').split(',').filter((host) => host !== '');

/** Returns the tunnel that a workspace requests, or the mistake in the request. */
function wantedOf(workspace: Workspace, { hosts: hostsOf }: CheckedTunnelOptions): WantedHosts | string {
  const requested = requestedTunnel(workspace);
  const at = 'spec.networking.tunnel.cloudflare';
  if (!isJsonObject(requested)) return `${at} must be an object: {}`;
  const [unknown] = Object.keys(requested);
  if (unknown !== undefined) return `${at}: ${unknown.slice(0, 100)} is not a member: it has none`;
  const hosts = hostsOf(workspace);
  if (typeof hosts === 'string') return hosts;
  if (hosts.length === 0) return 'spec.networking.ingress.rules: there is none, and a tunnel needs a host: add a rule';
  const names = hosts.map(({ host }) => host);
  const mistake = mistakeInEntries(workspace, { former: formerHosts(workspace), hosts: names }, at);
  return mistake ?? { hosts: names, rules: tunnelRules(hosts, workspace.metadata.namespace ?? '') };
}

/** Returns the id of the tunnel that is recorded; undefined when none is. */
const idOf = ({ refs }: ProviderController): string | undefined =>
  (refs.at(-1)?.id as Partial<TunnelId> | undefined)?.id;

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** Points the hosts to the tunnel in `status.dns`, and removes the entries of previous hosts; without a tunnel all entries. */
async function publish(
  controller: ProviderController,
  tunnel: { readonly id: string; readonly wanted: WantedHosts } | undefined,
): Promise<void> {
  const former = formerHosts(controller.workspace);
  const hosts = tunnel?.wanted.hosts ?? [];
  if (otherEntries(controller.workspace, { former, hosts }).length > 0) return; // reported when it is called again for them
  const addresses = tunnel === undefined ? [] : [`${tunnel.id}.cfargotunnel.com`];
  const dns = dnsOf(controller.workspace, { former, hosts, addresses });
  const record = tunnel && {
    remoteId: tunnel.id,
    meta: { hosts: hosts.join(','), rules: hashOf(tunnel.wanted.rules) },
  };
  const { status: before } = controller.workspace;
  if (isDeepStrictEqual([record, dns], [before?.tunnel, before?.dns])) return;
  await controller.update((status) => {
    if (record === undefined) delete status.tunnel;
    else status.tunnel = record;
    if (dns === undefined) delete status.dns;
    else status.dns = [...dns];
  });
}

/** Reports whether the tunnel has its desired state and no attempt is unresolved, so that only its connector is pending. */
function isMade({ controller, options }: TunnelContext, wanted: WantedHosts): boolean {
  const { workspace, condition } = controller;
  const { remoteId, meta } = workspace.status?.tunnel ?? {};
  const entry = workspace.status?.guards?.[condition.type];
  const isSettled = entry?.phase === 'done' && entry.lost !== true;
  const isRecorded = remoteId !== undefined && remoteId === idOf(controller) && meta?.rules === hashOf(wanted.rules);
  return isSettled && isRecorded && (options.driftSchedule.wait(workspace.metadata.uid ?? '') ?? 0) > 0;
}

/** Applies the connector. @returns its blocker or refusal; undefined when it is connected */
async function connect({ controller, options }: TunnelContext, id: string) {
  if (options.connector === undefined) return undefined;
  const refusal = await applyConnector(controller, connectorOf(controller.workspace, id, options.connector));
  if (refusal !== undefined) return { status: 'Error', reason: refusal.reason } as const;
  const [deployment] = (await connectorsOf(controller)).filter((one) => !isDeleting(one));
  const reason = deployment === undefined ? 'waiting for the connector' : waitingFor(deployment);
  return reason === undefined ? undefined : ({ status: 'In Progress', reason } as const);
}

async function reconcile(context: TunnelContext): Promise<Result | void> {
  const { controller, options, resource } = context;
  const wanted = wantedOf(controller.workspace, options);
  if (typeof wanted === 'string') return controller.updateCondition('Error', wanted);
  const before = idOf(controller);
  if (before !== undefined && isMade(context, wanted)) {
    const waits = await connect(context, before);
    if (waits !== undefined) {
      await controller.updateCondition(waits.status, waits.reason);
      return requeueAfter(connectorInterval);
    }
  }
  const { rules } = wanted;
  const uid = controller.workspace.metadata.uid ?? '';
  await options.driftSchedule.run(uid, controller.signal, async () => undefined); // `ensure` has just checked it
  const result = await controller.ensure(resource, { rules });
  const id = idOf(controller);
  if (id === undefined || controller.condition.status !== 'Completed') return result;
  await publish(controller, { id, wanted });
  await controller.setOutputs({
    id,
    host: wanted.hosts[0],
    token: { secretKeyRef: { name: tokenSecretName(controller.workspace), key: 'token' } },
  });
  const waits = await connect(context, id);
  if (waits === undefined) return result;
  await controller.updateCondition(waits.status, waits.reason);
  return requeueAfter(connectorInterval);
}

async function terminate({ controller, options, resource }: TunnelContext): Promise<Result | void> {
  options.driftSchedule.forget(controller.workspace.metadata.uid ?? '');
  if (options.connector !== undefined && !(await removeConnector(controller))) {
    await controller.updateCondition('In Progress', 'removing the connector');
    return requeueAfter(connectorInterval);
  }
  await publish(controller, undefined);
  return controller.destroy(resource);
}

/**
 * Maintains a Cloudflare tunnel for each workspace with a `spec.networking.tunnel.cloudflare`: the hosts of its ingress rules reach its services over
 * outgoing connections of the cluster. A Deployment runs the connector; the DNS records are requested in `status.dns`.
 * @throws TypeError naming the missing, invalid or unknown option
 */
export function cloudflareTunnel(options: CloudflareTunnelOptions): Integration {
  const checked = checkedTunnelOptions(options);
  const tunnels = cloudflareTunnels(checked);
  const resource = tunnelResource(tunnels, checked);
  const deployments = {
    apiGroups: ['apps'],
    resources: ['deployments'],
    verbs: ['get', 'list', 'create', 'patch', 'delete'],
  };
  return defineIntegration({
    name: 'cloudflare-tunnel',
    condition: 'Tunneling',
    after: ['Components'],
    outputs: {
      id: { description: 'Id of the tunnel.' },
      host: { description: 'Host of the first rule.' },
      token: { description: 'Token with which a connector runs the tunnel.', secret: true },
    },
    secrets: [checked.token],
    endpoints: [checked.url],
    owns: checked.connector === undefined ? [] : [Deployment],
    permissions: [secretsRule, ...(checked.connector === undefined ? [] : [deployments])],
    limits: checked.limits,
    handles: (workspace) => requestedTunnel(workspace) !== undefined,
    validate: validateHosts(checked.hosts),
    reads: (workspace) => hostReads(workspace, checked.hosts(workspace), formerHosts(workspace)),
    connect: ({ controller }) => {
      const context = { controller, options: checked, resource };
      const orWait = (error: unknown): Promise<Result> => waitWhenThrottled(controller, error, connectorInterval);
      return { reconcile: () => reconcile(context).catch(orWait), terminate: () => terminate(context).catch(orWait) };
    },
  });
}

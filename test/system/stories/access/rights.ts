/** Installs the operator with its RBAC roles and weakens them rule by rule. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { Client, Integration, Kind, KubeObject, ObjectKey, PolicyRule } from '../../../../sdk/index.ts';
import {
  type OperatorManifestOptions,
  operatorManifests,
} from '../../../../sequencer/cli/commands/operator-manifests.ts';
import { runSequencer } from '../../../../sequencer/run/run.ts';
import type { TenantIntegrations } from '../../../../sequencer/tenants/tenant-integration.ts';
import { kubeconfigOf } from '../../real/credentials.ts';
import { createScratch } from '../../real/owned-process.ts';
import { until } from '../../real/until.ts';
import type { StoryServer } from '../servers.ts';

/** A role with its rules. */
export interface Role extends KubeObject {
  readonly rules: readonly PolicyRule[];
}

const clusterScoped = /^(Cluster|CustomResource|Namespace|Validating)/;

/** Returns a kind sufficient to apply objects. */
function kindOf({ apiVersion, kind }: KubeObject): Kind {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const plural = `${kind.toLowerCase()}s`.replace(/ys$/, 'ies');
  return { group, version, kind, plural, namespaced: !clusterScoped.test(kind) };
}

/** Applies an object as `kubectl apply --server-side` does. */
export const applied = (client: Client, object: KubeObject): Promise<KubeObject> =>
  client.patch(kindOf(object), object.metadata, { type: 'apply', value: object, force: true });

/** An operator installed with the output of `sequencer manifests` only. */
export interface Installed {
  readonly roles: readonly Role[];
  readonly kubeconfig: string;
  /** Starts it with the token of its service account; rejects when it ends before it works. */
  start(): Promise<{ stop(): Promise<void> }>;
}

/** Server that operators are installed at. */
type ApiServer = Pick<StoryServer, 'url' | 'ca' | 'api'>;

/** Writes a kubeconfig file with a token of a service account. */
export async function kubeconfigFor(
  t: ExecutionContext,
  { url, ca, api }: ApiServer,
  { namespace = '', name }: ObjectKey,
): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { body } = await api.ask({ method: 'POST', path, body: request });
  const { token } = (body as { readonly status: { readonly token: string } }).status;
  const { folder, remove } = createScratch('rights');
  t.teardown(remove);
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigOf({ url, ca, token }), { mode: 0o600 });
  return kubeconfig;
}

/** Applies the manifests for these integrations except the Deployment: there is no kubelet to run it. */
export async function installed(
  t: ExecutionContext,
  server: ApiServer & { readonly client: Client },
  options: {
    readonly integrations: readonly Integration[];
    readonly namespace?: string;
    readonly operatorNamespace: string;
    /** Failure policy of the webhook, with the port that the operator serves it at. @default no webhook */
    readonly webhooks?: 'Fail' | 'Ignore';
    readonly webhookPort?: number;
    /** Port of `/readyz`. @default none */
    readonly healthPort?: number;
    /** Port of the page. @default none */
    readonly page?: number;
    /** Ring of which it is a shard. @default leader election */
    readonly ring?: string;
    /** @default none */
    readonly tenantIntegrations?: TenantIntegrations;
  },
): Promise<Installed> {
  const { integrations, namespace, operatorNamespace, webhookPort, healthPort, page, ring, tenantIntegrations } =
    options;
  const all: OperatorManifestOptions = { ...options, definitions: namespace === undefined, image: 'none' };
  const objects = operatorManifests(all).filter(({ kind }) => kind !== 'Deployment');
  for (const object of objects) await applied(server.client, object);
  const kubeconfig = await kubeconfigFor(t, server, { namespace: operatorNamespace, name: 'sequencer' });
  return {
    roles: objects.filter(({ kind }) => kind.endsWith('Role')) as readonly KubeObject[] as readonly Role[],
    kubeconfig,
    async start() {
      const stopping = new AbortController();
      const ready = Promise.withResolvers<void>();
      const running = runSequencer({
        kubeconfig,
        integrations,
        signal: stopping.signal,
        ...(ring === undefined
          ? { leaderElection: { namespace: operatorNamespace } }
          : { shards: { ring, namespace: operatorNamespace } }),
        onReady: () => ready.resolve(),
        ...(namespace !== undefined && { namespace }),
        ...(webhookPort !== undefined && { webhookPort }),
        ...(healthPort !== undefined && { healthPort }),
        ...(page !== undefined && { pagePort: 0 }),
        ...(tenantIntegrations && { tenantIntegrations }),
      });
      await Promise.race([ready.promise, running]);
      return {
        stop: () => {
          stopping.abort();
          return running;
        },
      };
    },
  };
}

/** Returns the error with which an operator with a weakened role refuses to start; a server takes a role into account a moment after it was written. */
export const refusalToStart = (operator: Installed): Promise<unknown> =>
  until(
    async () => {
      try {
        await (await operator.start()).stop();
        return undefined;
      } catch (error) {
        return error;
      }
    },
    { message: () => 'it starts without the right' },
  );

/** Returns every role with one of its rules removed. */
export const weakened = (roles: readonly Role[]): readonly { readonly role: Role; readonly without: PolicyRule }[] =>
  roles.flatMap((role) =>
    role.rules.map((without) => ({ role: { ...role, rules: role.rules.filter((rule) => rule !== without) }, without })),
  );

/** Returns every role with one verb of one of its rules removed. */
export const withoutOneVerb = (
  roles: readonly Role[],
): readonly { readonly role: Role; readonly without: PolicyRule }[] =>
  roles.flatMap((role) =>
    role.rules.flatMap((rule) =>
      rule.verbs.map((verb) => {
        const rest = { ...rule, verbs: rule.verbs.filter((other) => other !== verb) };
        const rules = role.rules.map((one) => (one === rule ? rest : one)).filter(({ verbs }) => verbs.length > 0);
        return { role: { ...role, rules }, without: { ...rule, verbs: [verb] } };
      }),
    ),
  );

/** Reports whether a rule of another role, for all names and namespaces, grants the same. */
export const isCovered = (without: PolicyRule, role: Role, roles: readonly Role[]): boolean =>
  roles
    .filter((other) => other.kind === 'ClusterRole' && other.metadata.name !== role.metadata.name)
    .flatMap(({ rules }) => rules)
    .some(
      ({ apiGroups, resources, verbs, resourceNames }) =>
        resourceNames === undefined &&
        without.apiGroups.every((group) => apiGroups.includes(group)) &&
        without.resources.every((resource) => resources.includes(resource)) &&
        without.verbs.every((verb) => verbs.includes(verb)),
    );

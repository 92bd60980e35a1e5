/** Permissions that the operator needs. */

import { rulesOf, sealSecretName } from '../../../sdk/host/index.ts';
import {
  type ConfiguredRunnable,
  type Integration,
  Lease,
  Namespace,
  type PolicyRule,
  resourceOf,
  Secret,
  Workspace,
} from '../../../sdk/index.ts';
import { configKinds, type OpenedTypes, servedKinds, withRepresentatives } from '../../tenants/tenant-integration.ts';
import { instanceName, type OperatorInstance, webhookNames } from '../operator-instance.ts';

/** Permission of the operator, with its namespace and purpose. */
export interface Access {
  readonly rule: PolicyRule;
  /** `workspaces`: in the namespaces of the workspaces; `operator`: in the operator's own; `cluster`: in none, whatever namespaces the operator has. */
  readonly where: 'workspaces' | 'operator' | 'cluster';
  /** Part that needs it, for messages. */
  readonly by: string;
}

const rule = (group: string, resources: readonly string[], ...verbs: readonly string[]): PolicyRule => ({
  apiGroups: [group],
  resources,
  verbs,
});

/** Permissions on the CRDs of a sequencer's kinds; not needed where they are installed separately. */
export const definitionRule = (opened: OpenedTypes): PolicyRule => ({
  ...rule('apiextensions.k8s.io', ['customresourcedefinitions'], 'get', 'watch', 'create', 'patch'),
  resourceNames: servedKinds(opened).map(resourceOf),
});

/** Permissions on the configs of tenants, and on the Secrets that they refer to. */
const tenantAccess = (opened: OpenedTypes): readonly Access[] => {
  const kinds = configKinds(opened);
  if (kinds.length === 0) return [];
  return [
    ...kinds.flatMap(({ group, plural }) => [
      rule(group, [plural], 'get', 'list', 'watch', 'patch'),
      rule(group, [`${plural}/status`], 'patch'),
    ]),
    rule(Secret.group, [Secret.plural], 'list', 'watch'),
  ].map((needed): Access => ({ rule: needed, where: 'workspaces', by: 'the configs of tenants' }));
};

/** Permissions on the Lease of the leader election. Rules for `create` cannot be restricted by name. */
const leaseRules = (instance: OperatorInstance): readonly PolicyRule[] => [
  rule(Lease.group, [Lease.plural], 'create'),
  { ...rule(Lease.group, [Lease.plural], 'get', 'update', 'watch'), resourceNames: [instanceName(instance)] },
];

/** Permissions on the Leases of the shards, whose names are those of pods, and of the sharder. */
const shardRules: readonly PolicyRule[] = [
  rule(Lease.group, [Lease.plural], 'get', 'list', 'watch', 'create', 'update', 'delete'),
];

/** Permission to read ControllerRings, which decide whether kubernetes-controller-sharding assigns. */
const ringAccess = (ring: string): Access => ({
  rule: { ...rule('sharding.timebertt.dev', ['controllerrings'], 'get'), resourceNames: [ring] },
  where: 'cluster',
  by: 'the shards',
});

/** Permissions on the Secret with the keys of the seal. Rules for `create` cannot be restricted by name. */
const sealRules: readonly PolicyRule[] = [
  rule(Secret.group, [Secret.plural], 'create'),
  { ...rule(Secret.group, [Secret.plural], 'get'), resourceNames: [sealSecretName] },
];

/**
 * Permission to read the cluster's identity, which seals include; without it, in a single-namespace setup, the seal's key alone identifies the
 * cluster.
 */
const clusterRule: PolicyRule = { ...rule(Namespace.group, [Namespace.plural], 'get'), resourceNames: ['kube-system'] };

/** Permissions of the sequencer in its own namespace: on its own objects, by name. */
const ownRules = ({
  leaderElection,
  ring,
  ...instance
}: OperatorInstance & {
  readonly leaderElection: boolean;
  readonly ring?: string | undefined;
}): readonly PolicyRule[] => {
  if (ring !== undefined) return [...sealRules, ...shardRules];
  return [...sealRules, ...(leaderElection ? leaseRules(instance) : [])];
};

/** Reports whether the rules create objects of the cluster, each with an owner reference that blocks the deletion of the workspace. */
const createsObjects = (rules: readonly PolicyRule[]): boolean => rules.some(({ verbs }) => verbs.includes('create'));

/** Permissions of the page: on events, and for TokenReviews and SubjectAccessReviews of its users. */
const pageAccess: readonly Access[] = [
  { rule: rule('', ['events'], 'watch'), where: 'workspaces', by: 'the page' },
  { rule: rule('authentication.k8s.io', ['tokenreviews'], 'create'), where: 'cluster', by: 'the page' },
  { rule: rule('authorization.k8s.io', ['subjectaccessreviews'], 'create'), where: 'cluster', by: 'the page' },
];

/** Permissions of the webhook: on the Secret with its certificates, and on its configuration. */
function webhookAccess(instance: OperatorInstance, operatorNamespace: string): readonly Access[] {
  const { secret, configuration } = webhookNames(instance, operatorNamespace);
  const secrets = { ...rule('', ['secrets'], 'list', 'watch', 'update'), resourceNames: [secret] };
  const configurations = rule(
    'admissionregistration.k8s.io',
    ['validatingwebhookconfigurations'],
    'list',
    'watch',
    'patch',
  );
  return [
    { rule: secrets, where: 'operator', by: 'the webhook' },
    { rule: { ...configurations, resourceNames: [configuration] }, where: 'cluster', by: 'the webhook' },
  ];
}

const merged = (rules: readonly PolicyRule[]): readonly PolicyRule[] =>
  [...Map.groupBy(rules, ({ verbs: _, ...target }) => JSON.stringify(target))].map(([, same]) => ({
    ...same[0]!,
    verbs: [...new Set(same.flatMap(({ verbs }) => verbs))],
  }));

/**
 * Returns the permissions that an operator with these integrations needs, and no more: `sequencer manifests` grants them, the start checks them.
 * Pure.
 */
export function accessOf(
  options: OperatorInstance &
    OpenedTypes & {
      readonly integrations: readonly Integration[];
      /** @default none */
      readonly runnables?: readonly ConfiguredRunnable[] | undefined;
      readonly leaderElection: boolean;
      /** True if it serves the page. @default false */
      readonly page?: boolean | undefined;
      /** True if it serves the webhook. @default false */
      readonly webhooks?: boolean | undefined;
      /** Namespace of the operator; needed with `webhooks` only. @default 'default' */
      readonly operatorNamespace?: string | undefined;
      /** Ring of the shards that it runs as. @default it runs as no shard */
      readonly ring?: string | undefined;
      /** Restricts the operator to workspaces of this namespace. @default all */
      readonly namespace?: string | undefined;
    },
): readonly Access[] {
  const { runnables = [], page = false, webhooks = false, ring, namespace, operatorNamespace } = options;
  const ofIntegrations = withRepresentatives(options).flatMap((integration) => {
    const by = `${integration.name} (${integration.condition})`;
    return merged(rulesOf(integration)).map((needed): Access => ({ rule: needed, where: 'workspaces', by }));
  });
  const { group, plural } = Workspace;
  const walking = [
    rule(group, [plural], 'get', 'list', 'watch', 'patch'),
    rule(group, [`${plural}/status`], 'patch'),
    ...(createsObjects(ofIntegrations.map((one) => one.rule)) ? [rule(group, [`${plural}/finalizers`], 'update')] : []),
    rule('events.k8s.io', ['events'], 'create', 'patch'),
    ...(namespace === undefined ? [clusterRule] : []),
  ];
  return [
    ...walking.map((needed): Access => ({ rule: needed, where: 'workspaces', by: 'the sequencer' })),
    ...ofIntegrations,
    ...tenantAccess(options),
    ...runnables.flatMap(({ name, permissions }) =>
      permissions.map((needed): Access => ({ rule: needed, where: 'workspaces', by: name })),
    ),
    ...(page ? pageAccess : []),
    ...(ring !== undefined && namespace === undefined ? [ringAccess(ring)] : []),
    ...(webhooks ? webhookAccess(options, operatorNamespace ?? 'default') : []),
    ...ownRules(options).map((needed): Access => ({ rule: needed, where: 'operator', by: 'the sequencer' })),
  ];
}

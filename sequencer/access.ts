import {
  type Integration,
  Lease,
  Namespace,
  type PolicyRule,
  rulesOf,
  Secret,
  sealSecretName,
  Workspace,
} from '../sdk/index.ts';

/** One right that the operator needs, where, and for what. */
export interface Access {
  readonly rule: PolicyRule;
  /** `workspaces`: in the namespaces of the workspaces; `operator`: in its own. */
  readonly where: 'workspaces' | 'operator';
  /** Who needs it, for messages. */
  readonly by: string;
}

/** The Lease of {@link accessOf}'s leader election, in the operator's namespace. */
export const leaseName = 'sequencer';

const rule = (group: string, resources: readonly string[], ...verbs: readonly string[]): PolicyRule => ({
  apiGroups: [group],
  resources,
  verbs,
});

/** The rights on the definition of the Workspace; none are needed where somebody else installs it. */
export const definitionRule: PolicyRule = {
  ...rule('apiextensions.k8s.io', ['customresourcedefinitions'], 'get', 'watch', 'create', 'patch'),
  resourceNames: [`${Workspace.plural}.${Workspace.group}`],
};

/** The Lease of a leader election. It is created by POST, whose rights know no names. */
const leaseRules: readonly PolicyRule[] = [
  rule(Lease.group, [Lease.plural], 'create'),
  { ...rule(Lease.group, [Lease.plural], 'get', 'update'), resourceNames: [leaseName] },
];

/** The Secret with the keys of the seal. It is made by POST, whose rights know no names. */
const sealRules: readonly PolicyRule[] = [
  rule(Secret.group, [Secret.plural], 'create'),
  { ...rule(Secret.group, [Secret.plural], 'get'), resourceNames: [sealSecretName] },
];

/** What tells this cluster from others in what is sealed; without it, where only one namespace may be seen, the seal's key alone does. */
const clusterRule: PolicyRule = { ...rule(Namespace.group, [Namespace.plural], 'get'), resourceNames: ['kube-system'] };

/** What the sequencer does in its own namespace, whatever it walks: rights on objects of its own, each by its name. */
const ownRules = (leaderElection: boolean): readonly PolicyRule[] => [
  ...sealRules,
  ...(leaderElection ? leaseRules : []),
];

/** Whether it creates objects of the cluster, each with an owner reference that blocks the deletion of the workspace. */
const makesObjects = (rules: readonly PolicyRule[]): boolean => rules.some(({ verbs }) => verbs.includes('create'));

const merged = (rules: readonly PolicyRule[]): readonly PolicyRule[] =>
  [...Map.groupBy(rules, ({ verbs: _, ...target }) => JSON.stringify(target))].map(([, same]) => ({
    ...same[0]!,
    verbs: [...new Set(same.flatMap(({ verbs }) => verbs))],
  }));

/** What an operator with these integrations needs, and no more: what `sequencer manifests` grants and the start checks. Pure. */
export function accessOf(options: {
  readonly integrations: readonly Integration[];
  readonly leaderElection: boolean;
  /** Only workspaces of this namespace. @default all */
  readonly namespace?: string | undefined;
}): readonly Access[] {
  const { integrations, leaderElection, namespace } = options;
  const ofIntegrations = integrations.flatMap((integration) => {
    const by = `${integration.name} (${integration.condition})`;
    return merged(rulesOf(integration)).map((needed): Access => ({ rule: needed, where: 'workspaces', by }));
  });
  const { group, plural } = Workspace;
  const walking = [
    rule(group, [plural], 'get', 'list', 'watch', 'patch'),
    rule(group, [`${plural}/status`], 'patch'),
    ...(makesObjects(ofIntegrations.map((one) => one.rule)) ? [rule(group, [`${plural}/finalizers`], 'update')] : []),
    rule('events.k8s.io', ['events'], 'create', 'patch'),
    ...(namespace === undefined ? [clusterRule] : []),
  ];
  return [
    ...walking.map((needed): Access => ({ rule: needed, where: 'workspaces', by: 'the sequencer' })),
    ...ofIntegrations,
    ...ownRules(leaderElection).map((needed): Access => ({ rule: needed, where: 'operator', by: 'the sequencer' })),
  ];
}

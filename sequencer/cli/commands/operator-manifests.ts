/** Manifests of an operator: roles, Deployment, Services and policies. */

import { type ConfiguredRunnable, type Integration, type PolicyRule, Workspace } from '../../../sdk/index.ts';
import { accountName, instanceName, type OperatorInstance, webhookNames } from '../../run/operator-instance.ts';
import { type Access, accessOf, definitionRule } from '../../run/preflight/access.ts';
import { shutdownTimeout } from '../../run/shutdown.ts';
import type { TenantIntegrations } from '../../tenants/tenant-integration.ts';
import { annotationPolicy } from '../manifests/annotation-policy.ts';
import { type ConfigFile, configMap, configuredFields, credentialFields } from '../manifests/configured.ts';
import { egressRules } from '../manifests/egress.ts';
import {
  type Installed,
  type Manifest,
  metricsPort,
  metricsPortNumber,
  podLabels,
  webhookPort,
} from '../manifests/manifest.ts';
import { prometheusRule, serviceMonitor } from '../manifests/monitoring.ts';
import { namespaceObjects } from '../manifests/namespace.ts';
import { networkPolicy, operatorService, servedPortName } from '../manifests/network.ts';
import { webhookConfiguration } from '../manifests/webhooks.ts';

/** Options of {@link operatorManifests}. */
export interface OperatorManifestOptions extends OperatorInstance {
  readonly integrations: readonly Integration[];
  /** Integration types that tenants may configure. @default none */
  readonly tenantIntegrations?: TenantIntegrations;
  /** @default none */
  readonly runnables?: readonly ConfiguredRunnable[];
  /** Restricts the operator to workspaces of this namespace: Roles instead of ClusterRoles, and no permission on CRDs. @default all */
  readonly namespace?: string | undefined;
  /** Ring of which the replicas are shards. @default one of the replicas walks: leader election */
  readonly ring?: string | undefined;
  /** Namespace of the operator. */
  readonly operatorNamespace: string;
  /** The namespace of the operator exists and holds other things: no Namespace object. @default false */
  readonly existingNamespace?: boolean | undefined;
  /** Permits the operator to create and update its CRD. */
  readonly definitions: boolean;
  readonly image: string;
  /** Port of the page. @default none */
  readonly page?: number | undefined;
  /** Failure policy of the webhook for workspaces. @default no webhook */
  readonly webhooks?: 'Fail' | 'Ignore' | undefined;
  /** Config file to store in a ConfigMap. @default the config of the image */
  readonly config?: ConfigFile | undefined;
  /** Names of Secrets in the operator's namespace, whose values are its environment. @default none */
  readonly credentials?: readonly string[] | undefined;
  /** Addresses of the API server, as `IP:PORT`: egress is limited to these, DNS and the endpoints of the integrations. @default not limited */
  readonly egress?: readonly string[] | undefined;
  /** Adds a ServiceMonitor and a PrometheusRule of the Prometheus Operator. @default false */
  readonly monitoring?: boolean;
}

/** Seconds added to the longest shutdown for the termination grace period. */
const gracePeriodMargin = 5;
/** Seconds that a pod with a webhook continues before SIGTERM. */
const preStop = 5;
/** Program, relative to the working directory of the image; started directly, since npx and npm do not pass signals on. */
export const program = 'node_modules/workspace-sequencer/dist/sequencer/cli/main.js';

const rbac = 'rbac.authorization.k8s.io';

/** Service account, and the namespace in which it is granted a role. */
interface Grantee {
  /** Absent: the whole cluster. */
  readonly namespace: string | undefined;
  readonly operatorNamespace: string;
  readonly account: string;
}

/** Returns a role with its binding, of the whole cluster or of one namespace. */
function roleWithBinding(
  roleName: string,
  rules: readonly PolicyRule[],
  { namespace, operatorNamespace, account }: Grantee,
): readonly Manifest[] {
  if (rules.length === 0) return [];
  const prefix = namespace === undefined ? 'Cluster' : '';
  const metadata = { name: roleName, ...(namespace !== undefined && { namespace }) };
  const apiVersion = `${rbac}/v1`;
  return [
    { apiVersion, kind: `${prefix}Role`, metadata, rules },
    {
      apiVersion,
      kind: `${prefix}RoleBinding`,
      metadata,
      roleRef: { apiGroup: rbac, kind: `${prefix}Role`, name: roleName },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace: operatorNamespace }],
    },
  ];
}

/** Returns the roles of the operator's service account, with their bindings. */
export function roles(options: OperatorManifestOptions): readonly Manifest[] {
  const { integrations, runnables, namespace, operatorNamespace, definitions } = options;
  const access = accessOf({
    ...options,
    integrations,
    runnables,
    leaderElection: true,
    namespace,
    page: options.page !== undefined,
    webhooks: options.webhooks !== undefined,
  });
  const account = accountName(options);
  const rulesOf = (where: Access['where'], by?: string) =>
    access.filter((one) => one.where === where && (by === undefined || one.by === by)).map(({ rule }) => rule);
  const grantee = { operatorNamespace, account };
  const cluster = { namespace: undefined, ...grantee };
  return [
    ...roleWithBinding(`${account}-definitions`, definitions ? [definitionRule(options)] : [], cluster),
    ...roleWithBinding(`${account}-workspaces`, rulesOf('workspaces'), { namespace, ...grantee }),
    ...roleWithBinding(`${account}-page.${operatorNamespace}`, rulesOf('cluster', 'the page'), cluster),
    ...roleWithBinding(
      webhookNames(options, operatorNamespace).configuration,
      rulesOf('cluster', 'the webhook'),
      cluster,
    ),
    ...roleWithBinding(`${instanceName(options)}-ring.${operatorNamespace}`, rulesOf('cluster', 'the shards'), cluster),
    ...roleWithBinding(instanceName(options), rulesOf('operator'), { namespace: operatorNamespace, ...grantee }),
  ];
}

const probe = (path: string) => ({ httpGet: { path, port: metricsPort } });

const installedOf = (options: OperatorManifestOptions): Installed => ({
  name: instanceName(options),
  namespace: options.operatorNamespace,
});

/** Ports of the config's runnables. */
const servedPorts = ({ runnables = [] }: OperatorManifestOptions): readonly number[] => [
  ...new Set(runnables.flatMap(({ ports = [] }) => ports)),
];

const argumentsOf = (options: OperatorManifestOptions): readonly string[] => {
  const { namespace, className, selector, page, ring, webhooks } = options;
  return [
    'run',
    ring === undefined ? '--leader-elect' : `--shards=${ring}`,
    `--metrics-port=${metricsPortNumber}`,
    ...(namespace === undefined ? [] : [`--namespace=${namespace}`]),
    ...(className === undefined ? [] : [`--class=${className}`]),
    ...(selector === undefined ? [] : [`--selector=${selector}`]),
    ...(page === undefined ? [] : [`--page=${page}`]),
    ...(webhooks === undefined ? [] : [`--webhook-port=${webhookPort.containerPort}`]),
  ];
};

function containerOf(options: OperatorManifestOptions) {
  const configured = configuredFields(installedOf(options), options.config);
  const served = servedPorts(options).map((port) => ({ name: servedPortName(port), containerPort: port }));
  const webhooks = options.webhooks === undefined ? [] : [webhookPort];
  return {
    name: 'sequencer',
    image: options.image,
    command: ['node', program],
    args: [...argumentsOf(options), ...configured.args],
    ...credentialFields(options.credentials ?? []),
    ports: [{ name: metricsPort, containerPort: metricsPortNumber }, ...webhooks, ...served],
    livenessProbe: probe('/livez'),
    readinessProbe: probe('/readyz'),
    resources: { requests: { cpu: '50m', memory: '96Mi' }, limits: { memory: '512Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    // Endpoints still name a pod for a moment after SIGTERM.
    ...(options.webhooks && { lifecycle: { preStop: { sleep: { seconds: preStop } } } }),
    ...configured.container,
  };
}

/** Returns topology spread constraints that distribute the replicas of one release over nodes and zones. */
const spreadConstraints = (matchLabels: object) =>
  ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels },
    matchLabelKeys: ['pod-template-hash'],
  }));

function deployment(options: OperatorManifestOptions): Manifest {
  const { name, namespace } = installedOf(options);
  const labels = podLabels({ name, namespace });
  const { annotations, pod } = configuredFields({ name, namespace }, options.config);
  const spec = {
    serviceAccountName: accountName(options),
    terminationGracePeriodSeconds: shutdownTimeout() / 1000 + gracePeriodMargin + (options.webhooks ? preStop : 0),
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
    topologySpreadConstraints: spreadConstraints(labels),
    containers: [containerOf(options)],
    ...pod,
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas: options.ring === undefined ? 2 : 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels, ...annotations }, spec },
    },
  };
}

/** Returns the PodDisruptionBudget: a node drain evicts one replica at a time. */
const disruptionBudget = (installed: Installed): Manifest => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: installed.name, namespace: installed.namespace },
  spec: {
    maxUnavailable: 1,
    selector: { matchLabels: podLabels(installed) },
    unhealthyPodEvictionPolicy: 'AlwaysAllow',
  },
});

/** Returns all objects of an operator but its image and the CRD of the {@link Workspace}, as `sequencer manifests` prints them. */
export function operatorManifests(options: OperatorManifestOptions): readonly Manifest[] {
  const { operatorNamespace: namespace, className, config } = options;
  const account = accountName(options);
  const installed = installedOf(options);
  const policy = {
    name: `${account}-annotations.${namespace}`,
    operator: `system:serviceaccount:${namespace}:${account}`,
    namespace: options.namespace,
    className,
  };
  const ports = [...servedPorts(options), ...(options.webhooks ? [webhookPort.containerPort] : [])];
  return [
    ...namespaceObjects(options),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace } },
    ...roles(options),
    ...annotationPolicy(policy),
    ...(config === undefined ? [] : [configMap(installed, config)]),
    operatorService(installed, { ports: servedPorts(options), hasWebhook: options.webhooks !== undefined }),
    networkPolicy(installed, ports, options.egress && egressRules(options, options.egress)),
    ...(options.webhooks ? [webhookConfiguration(options, options.webhooks)] : []),
    disruptionBudget(installed),
    ...(options.monitoring ? [serviceMonitor(installed), prometheusRule(installed, options.ring === undefined)] : []),
    deployment(options),
  ];
}

/** Manifests of an operator: its roles, its Deployment and its admission policy. */

import {
  type ConfiguredRunnable,
  type Integration,
  type KubeObject,
  type PolicyRule,
  Workspace,
} from '../../../sdk/index.ts';
import { type Access, accessOf, definitionRule } from '../../run/access.ts';
import { accountName, instanceName, type WorkspaceShare } from '../../run/instance.ts';
import { stopsWithin } from '../../run/serving.ts';
import { annotationPolicy } from './annotation-policy.ts';

/** Options of {@link operatorManifests}. */
export interface OperatorManifestOptions extends WorkspaceShare {
  readonly integrations: readonly Integration[];
  /** @default none */
  readonly runnables?: readonly ConfiguredRunnable[];
  /** Restricts the operator to workspaces of this namespace: Roles instead of ClusterRoles, and no permission on CRDs. @default all */
  readonly namespace?: string | undefined;
  /** Ring of which the replicas are shards. @default one of the replicas walks: leader election */
  readonly ring?: string | undefined;
  /** Namespace of the operator itself. */
  readonly operatorNamespace: string;
  /** Permits the operator to create and update its CRD. */
  readonly definitions: boolean;
  readonly image: string;
  /** Port of the page. @default none */
  readonly page?: number | undefined;
}

/** Object of a manifest. */
type Manifest = KubeObject & Readonly<Record<string, unknown>>;

/** Seconds added to the longest shutdown for the termination grace period. */
const margin = 5;
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
function granted(
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
  });
  const account = accountName(options);
  const at = (where: Access['where']) => access.filter((one) => one.where === where).map(({ rule }) => rule);
  const grantee = { operatorNamespace, account };
  const cluster = { namespace: undefined, ...grantee };
  return [
    ...granted(`${account}-definitions`, definitions ? [definitionRule] : [], cluster),
    ...granted(`${account}-workspaces`, at('workspaces'), { namespace, ...grantee }),
    ...granted(`${account}-page`, at('cluster'), cluster),
    ...granted(instanceName(options), at('operator'), { namespace: operatorNamespace, ...grantee }),
  ];
}

const probe = (path: string) => ({ httpGet: { path, port: 'metrics' } });

function deployment(options: OperatorManifestOptions): Manifest {
  const { namespace, operatorNamespace, image, className, selector, page, ring } = options;
  const name = instanceName(options);
  const labels = { 'app.kubernetes.io/name': name };
  const container = {
    name: 'sequencer',
    image,
    command: ['node', program],
    args: [
      'run',
      ring === undefined ? '--leader-elect' : `--shards=${ring}`,
      '--metrics-port=8080',
      ...(namespace === undefined ? [] : [`--namespace=${namespace}`]),
      ...(className === undefined ? [] : [`--class=${className}`]),
      ...(selector === undefined ? [] : [`--selector=${selector}`]),
      ...(page === undefined ? [] : [`--page=${page}`]),
    ],
    ports: [{ name: 'metrics', containerPort: 8080 }],
    livenessProbe: probe('/livez'),
    readinessProbe: probe('/readyz'),
    resources: { requests: { cpu: '50m', memory: '96Mi' }, limits: { memory: '512Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
  };
  const spec = {
    serviceAccountName: accountName(options),
    terminationGracePeriodSeconds: stopsWithin() / 1000 + margin,
    securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [container],
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: operatorNamespace },
    spec: {
      replicas: ring === undefined ? 2 : 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
    },
  };
}

/** Returns all objects of an operator but its image, its config and the CRD of the {@link Workspace}, as `sequencer manifests` prints them. */
export function operatorManifests(options: OperatorManifestOptions): readonly Manifest[] {
  const { operatorNamespace: namespace, className } = options;
  const account = accountName(options);
  const policy = {
    name: `${account}-annotations.${namespace}`,
    operator: `system:serviceaccount:${namespace}:${account}`,
    namespace: options.namespace,
    className,
  };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace } },
    ...roles(options),
    ...annotationPolicy(policy),
    deployment(options),
  ];
}

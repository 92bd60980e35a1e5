/** Options of the components integration and their validation. */

import { refuseUnknown, type Workspace } from '../../sdk/index.ts';
import type { WorkloadRules } from './objects.ts';
import { type PodSecurityLevel, podSecurityLevels } from './pod-security-standards.ts';
import { type WorkloadKind, workloadKinds } from './workload.ts';

/** Options of {@link components}. */
export interface ComponentsOptions {
  /**
   * Object that runs a component: a bare pod, which is deleted and made again when it changes, or a Deployment of one replica, which is rolled out and
   * survives its node. To return from Deployments, set `'Pod'`: without the option Deployments are neither read nor deleted. @default 'Pod'
   */
  readonly workload?: WorkloadKind;
  /**
   * Restarts pods when a Secret or ConfigMap that they read changes, as after the rotation of a password; those that belong to the
   * workspace count. The sequencer then watches both kinds. @default false
   */
  readonly restartOnConfig?: boolean;
  /** Secrets with registry credentials, in the workspace's namespace, for pods whose template names none. @default [] */
  readonly imagePullSecrets?: readonly string[];
  /**
   * Pod Security Standard that each pod must meet before anything is created; `privileged` checks nothing.
   * With `restricted`, required fields that a template omits are filled in. @default 'restricted'
   */
  readonly podSecurity?: PodSecurityLevel;
  /** Service accounts that the pods of a workspace may run as: for all workspaces, or by workspace. @default ['default'] */
  readonly serviceAccounts?: readonly string[] | ((workspace: Workspace) => readonly string[]);
}

/** Options with their defaults. */
export interface CheckedComponentsOptions {
  /** True if Deployments are read, and deleted when they are not desired. */
  readonly ownsDeployments: boolean;
  readonly restartOnConfig: boolean;
  /** @throws TypeError when a function of the options does not return names */
  rulesFor(workspace: Workspace): Omit<WorkloadRules, 'versions'>;
}

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

function refuseOther<T>(option: string, value: T, allowed: readonly T[]): void {
  if (!allowed.includes(value))
    throw new TypeError(`components: ${option} must be one of ${allowed.join(', ')}, not ${JSON.stringify(value)}`);
}

/** Validates the options. @throws TypeError naming the invalid or unknown option */
export function checkedComponentsOptions(options: ComponentsOptions): CheckedComponentsOptions {
  refuseUnknown('components', options, [
    'workload',
    'restartOnConfig',
    'imagePullSecrets',
    'podSecurity',
    'serviceAccounts',
  ]);
  const { workload = 'Pod', restartOnConfig = false, imagePullSecrets = [] } = options;
  const { podSecurity = 'restricted', serviceAccounts = ['default'] } = options;
  refuseOther('workload', workload, workloadKinds);
  refuseOther('restartOnConfig', restartOnConfig, [true, false]);
  refuseOther('podSecurity', podSecurity, podSecurityLevels);
  if (!isNames(imagePullSecrets)) throw new TypeError('components: imagePullSecrets must be a list of names');
  if (typeof serviceAccounts !== 'function' && !isNames(serviceAccounts))
    throw new TypeError('components: serviceAccounts must be a list of names, or a function (workspace) => names');
  return {
    ownsDeployments: options.workload !== undefined,
    restartOnConfig,
    rulesFor(workspace) {
      const names = typeof serviceAccounts === 'function' ? serviceAccounts(workspace) : serviceAccounts;
      if (!isNames(names)) throw new TypeError('components: serviceAccounts must return a list of names');
      return { workload, imagePullSecrets, podSecurity, serviceAccounts: names };
    },
  };
}

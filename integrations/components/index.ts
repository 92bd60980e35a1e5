/**
 * Integration that runs the components of a workspace as pods and services.
 *
 * @packageDocumentation
 */

import {
  AlreadyExistsError,
  ApiError,
  defineIntegration,
  ForbiddenError,
  type Integration,
  InvalidError,
  type Kind,
  type KubeObject,
  type NewObject,
  outputReferences,
  Pod,
  type Provider,
  type ProviderController,
  type Result,
  refuseUnknown,
  requeueAfter,
  Service,
  type Workspace,
} from '../../sdk/index.ts';
import { labels, wantedOf } from './objects.ts';
import { type ComponentAction, componentsPlanOf, type ObservedComponents, teardownPlanOf } from './plan.ts';
import { type PodSecurityLevel, podSecurityLevels } from './pod-security-standards.ts';
import type { PodRules } from './pod-spec.ts';

/** ms until a state without events is checked again: objects of others, quotas, permissions. */
const outsideInterval = 30_000;

/** ms until a removal is checked again, in addition to its events. */
const removalInterval = 5_000;

/** Refused action: its reason, and whether it can succeed later without a change of the workspace. */
interface RefusedAction {
  readonly reason: string;
  readonly again: boolean;
}

/** Reads all objects of the workspace's components. */
async function observe(controller: ProviderController): Promise<ObservedComponents> {
  const [pods, services] = await Promise.all([controller.owned(Pod), controller.owned(Service)]);
  const ours = ({ metadata }: KubeObject): boolean => metadata.labels?.[labels.name] !== undefined;
  return { pods: pods.filter(ours), services: services.filter(ours) };
}

async function ownerOf<T extends KubeObject>(
  controller: ProviderController,
  kind: Kind<T>,
  name: string,
): Promise<string> {
  const existing = await controller.get(kind, { namespace: controller.namespace, name });
  const owner = existing.metadata.ownerReferences?.find((reference) => reference.controller);
  return owner === undefined ? 'nobody' : `${owner.kind} ${owner.name}`;
}

async function create<T extends KubeObject>(
  controller: ProviderController,
  kind: Kind<T>,
  object: NewObject<T>,
): Promise<RefusedAction | undefined> {
  const name = object.metadata.name ?? '';
  try {
    const made = await controller.create(kind, object);
    const labelled = Object.entries(object.metadata.labels ?? {}).every(
      ([label, value]) => made.metadata.labels?.[label] === value,
    );
    const reason = `${kind.kind} ${name} is ours, but its labels were changed: delete it, and it is made again`;
    return labelled ? undefined : { reason, again: true };
  } catch (error) {
    if (error instanceof AlreadyExistsError) {
      const owner = await ownerOf(controller, kind, name);
      return { reason: `${kind.kind} ${name} exists and belongs to ${owner}: delete or rename it`, again: true };
    }
    if (error instanceof InvalidError) return { reason: error.message, again: false };
    if (error instanceof ForbiddenError) return { reason: error.message, again: true };
    throw error;
  }
}

async function act(controller: ProviderController, action: ComponentAction): Promise<RefusedAction | undefined> {
  if (action.do === 'create')
    return action.kind === 'Pod' ? create(controller, Pod, action.object) : create(controller, Service, action.object);
  if (action.do === 'patch') {
    const {
      metadata: { name = '', labels: wanted, annotations },
      spec,
    } = action.object;
    await controller.patch(
      Service,
      { name },
      { type: 'merge', value: { metadata: { uid: action.uid, labels: wanted, annotations }, spec } },
    );
    return undefined;
  }
  const { name, uid } = action.object.metadata;
  const preconditions = uid === undefined ? {} : { preconditions: { uid } };
  await controller.delete<KubeObject>(action.kind === 'Pod' ? Pod : Service, { name }, preconditions);
  return undefined;
}

/** Executes actions in order. @returns the first refusal; actions after it are still executed */
async function actAll(
  controller: ProviderController,
  actions: readonly ComponentAction[],
): Promise<RefusedAction | undefined> {
  let first: RefusedAction | undefined;
  for (const action of actions) {
    controller.signal.throwIfAborted();
    const refusal = await act(controller, action);
    first ??= refusal;
  }
  return first;
}

/** Handles throttling by the API server: sets the condition to `Waiting` and requeues; rethrows any other error. */
async function waitFor(controller: ProviderController, error: unknown): Promise<Result> {
  if (!(error instanceof ApiError) || error.code !== 429) throw error;
  await controller.updateCondition('Waiting', error.message);
  return requeueAfter(error.retryAfter ?? removalInterval);
}

async function reconcile(controller: ProviderController, rules: PodRules): Promise<Result | undefined> {
  const wanted = wantedOf(controller.workspace, rules);
  if (wanted.kind === 'mistake') {
    await controller.updateCondition('Error', wanted.reason);
    return undefined;
  }
  const { actions, status, reason } = componentsPlanOf(wanted.components, await observe(controller));
  const refusal = await actAll(controller, actions);
  await (refusal === undefined
    ? controller.updateCondition(status, reason)
    : controller.updateCondition('Error', refusal.reason));
  return refusal?.again ? requeueAfter(outsideInterval) : undefined;
}

async function terminate(controller: ProviderController): Promise<Result | undefined> {
  const plan = teardownPlanOf(controller.workspace.spec.components ?? [], await observe(controller));
  await actAll(controller, plan.actions);
  await controller.updateCondition(plan.status, plan.reason);
  return plan.status === 'Terminated' ? undefined : requeueAfter(removalInterval);
}

/** Options of {@link components}. */
export interface ComponentsOptions {
  /**
   * Pod Security Standard that each pod must meet before anything is created; `privileged` checks nothing.
   * With `restricted`, required fields that a template omits are filled in. @default 'restricted'
   */
  readonly podSecurity?: PodSecurityLevel;
  /** Service accounts that the pods of a workspace may run as: for all workspaces, or by workspace. @default ['default'] */
  readonly serviceAccounts?: readonly string[] | ((workspace: Workspace) => readonly string[]);
}

/** Validates the options and returns the rules for a workspace's pods. @throws TypeError naming the invalid or unknown option */
function checked(options: ComponentsOptions): (workspace: Workspace) => PodRules {
  refuseUnknown('components', options, ['podSecurity', 'serviceAccounts']);
  const { podSecurity = 'restricted', serviceAccounts = ['default'] } = options;
  if (!podSecurityLevels.includes(podSecurity))
    throw new TypeError(
      `components: podSecurity must be one of ${podSecurityLevels.join(', ')}, not ${JSON.stringify(podSecurity)}`,
    );
  if (typeof serviceAccounts !== 'function' && !isNames(serviceAccounts))
    throw new TypeError('components: serviceAccounts must be a list of names, or a function (workspace) => names');
  return (workspace) => {
    const names = typeof serviceAccounts === 'function' ? serviceAccounts(workspace) : serviceAccounts;
    if (!isNames(names)) throw new TypeError('components: serviceAccounts must return a list of names');
    return { podSecurity, serviceAccounts: names };
  };
}

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

/**
 * Runs the components of a workspace: a pod each, and a service for each of its networks. Objects that match the spec are left alone; a pod that
 * differs is replaced, a service that differs is patched, and one no longer wanted is deleted. The pods are created with the permissions of the
 * sequencer: the options restrict what they may be.
 *
 * @throws TypeError naming the invalid or unknown option
 */
export function components(options: ComponentsOptions = {}): Integration {
  const rulesFor = checked(options);
  return defineIntegration({
    name: 'components',
    condition: 'Components',
    owns: [Pod, Service],
    permissions: [
      { apiGroups: [''], resources: ['pods'], verbs: ['get', 'create', 'delete'] },
      { apiGroups: [''], resources: ['services'], verbs: ['get', 'create', 'patch', 'delete'] },
    ],
    handles: ({ spec }) => (spec.components ?? []).length > 0,
    references: ({ spec }) => outputReferences((spec.components ?? []).map(({ template }) => template)),
    connect: ({ workspace, controller }): Provider => ({
      reconcile: async () =>
        reconcile(controller, rulesFor(workspace)).catch((error: unknown) => waitFor(controller, error)),
      terminate: () => terminate(controller).catch((error: unknown) => waitFor(controller, error)),
    }),
  });
}

/**
 * Integration that runs the components of a workspace as pods or Deployments, and services.
 *
 * @packageDocumentation
 */

import {
  AlreadyExistsError,
  ApiError,
  ConfigMap,
  Deployment,
  defineIntegration,
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
  requeueAfter,
  Secret,
  Service,
} from '../../sdk/index.ts';
import { type RefusedAction, refusedAction, waitWhenThrottled } from '../refused-action.ts';
import { type ConfigVersions, configVersionsOf } from './config-versions.ts';
import { labels, wantedOf } from './objects.ts';
import { type CheckedComponentsOptions, type ComponentsOptions, checkedComponentsOptions } from './options.ts';
import { type ComponentAction, componentsPlanOf, type ObservedComponents, teardownPlanOf } from './plan.ts';
import { validateComponents } from './validate.ts';
import type { WantedWorkload } from './workload.ts';

export type { ComponentsOptions } from './options.ts';

/** ms until a state without events is checked again: objects of others, quotas, permissions. */
const outsideInterval = 30_000;

/** ms until a removal is checked again, in addition to its events. */
const removalInterval = 5_000;

/** Reads all objects of the workspace's components; Deployments only if they were ever asked for. */
async function observe(controller: ProviderController, options: CheckedComponentsOptions): Promise<ObservedComponents> {
  const [pods, deployments, services] = await Promise.all([
    controller.owned(Pod),
    options.ownsDeployments ? controller.owned(Deployment) : [],
    controller.owned(Service),
  ]);
  const ours = ({ metadata }: KubeObject): boolean => metadata.labels?.[labels.name] !== undefined;
  return { pods: pods.filter(ours), deployments: deployments.filter(ours), services: services.filter(ours) };
}

async function versions(
  controller: ProviderController,
  { restartOnConfig }: CheckedComponentsOptions,
): Promise<ConfigVersions> {
  if (!restartOnConfig) return new Map();
  const [secrets, configMaps] = await Promise.all([controller.owned(Secret), controller.owned(ConfigMap)]);
  return configVersionsOf(secrets, configMaps);
}

async function ownerOf<T extends KubeObject>(
  controller: ProviderController,
  kind: Kind<T>,
  name: string,
): Promise<string> {
  const existing = await controller.get(kind, { namespace: controller.namespace, name });
  const owner = existing.metadata.ownerReferences?.find((reference) => reference.controller);
  return owner === undefined ? 'no owner' : `${owner.kind} ${owner.name}`;
}

/** Write options by which misspelt fields of a template are refused, not dropped. */
const strict = { fieldValidation: 'Strict' } as const;

/** Returns the refusal of an invalid or forbidden change of an object, by its name. @throws any other error */
function refusalOf(error: unknown, name: string): RefusedAction {
  const { reason, isRetryable } = refusedAction(error);
  return { reason: reason.includes(name) ? reason : `${name}: ${reason}`, isRetryable };
}

type PatchAction = Extract<ComponentAction, { readonly do: 'patch' }>;

async function patch(controller: ProviderController, action: PatchAction): Promise<RefusedAction | undefined> {
  const { name = '' } = action.object.metadata;
  if (action.kind === 'Service') {
    const { metadata, spec } = action.object;
    const value = {
      metadata: { uid: action.uid, labels: metadata.labels, annotations: metadata.annotations },
      spec,
    };
    await controller.patch(Service, { name }, { type: 'merge', value });
    return undefined;
  }
  try {
    await controller.patch(Deployment, { name }, { type: 'json', operations: action.operations });
    return undefined;
  } catch (error) {
    if (error instanceof InvalidError) return { reason: error.message, isRetryable: false };
    throw error;
  }
}

/** Checks by a dry run whether the server accepts the replacement of a workload. @returns its permanent refusal, if any */
async function rehearse(controller: ProviderController, { kind, object }: WantedWorkload) {
  const options = { ...strict, dryRun: true };
  const replacement =
    kind === 'Pod' ? controller.create(Pod, object, options) : controller.create(Deployment, object, options);
  try {
    await replacement;
    return undefined;
  } catch (error) {
    const isUnknownField = error instanceof ApiError && error.message.includes('strict decoding error');
    if (error instanceof InvalidError || isUnknownField) return refusalOf(error, object.metadata.name ?? '');
    // Webhooks without dry-run support, quotas and taken names: only the change itself shows a refusal.
    if (error instanceof ApiError && [400, 403, 409].includes(error.code)) return undefined;
    throw error;
  }
}

async function create<T extends KubeObject>(
  controller: ProviderController,
  kind: Kind<T>,
  object: NewObject<T>,
): Promise<RefusedAction | undefined> {
  const name = object.metadata.name ?? '';
  try {
    const created = await controller.create(kind, object, strict);
    const labelled = Object.entries(object.metadata.labels ?? {}).every(
      ([label, value]) => created.metadata.labels?.[label] === value,
    );
    const reason = `${kind.kind} ${name} belongs to this workspace, but its labels were changed: delete it, and it is recreated`;
    return labelled ? undefined : { reason, isRetryable: true };
  } catch (error) {
    if (error instanceof AlreadyExistsError) {
      const owner = await ownerOf(controller, kind, name);
      return { reason: `${kind.kind} ${name} exists and belongs to ${owner}: delete or rename it`, isRetryable: true };
    }
    return refusalOf(error, name);
  }
}

async function act(controller: ProviderController, action: ComponentAction): Promise<RefusedAction | undefined> {
  const refusal = 'next' in action && action.next !== undefined && (await rehearse(controller, action.next));
  if (refusal) return refusal;
  if (action.do === 'patch') return patch(controller, action);
  if (action.do === 'create') {
    if (action.kind === 'Pod') return create(controller, Pod, action.object);
    return action.kind === 'Deployment'
      ? create(controller, Deployment, action.object)
      : create(controller, Service, action.object);
  }
  const { name, uid } = action.object.metadata;
  await controller.delete<KubeObject>(
    { Pod, Deployment, Service }[action.kind],
    { name },
    {
      // A Deployment stays until its pods are gone.
      ...(action.kind === 'Deployment' && { propagation: 'Foreground' }),
      ...(uid !== undefined && { preconditions: { uid } }),
    },
  );
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

async function reconcile(
  controller: ProviderController,
  options: CheckedComponentsOptions,
): Promise<Result | undefined> {
  const rules = { ...options.rulesFor(controller.workspace), versions: await versions(controller, options) };
  const wanted = wantedOf(controller.workspace, rules);
  if (wanted.kind === 'mistake') {
    await controller.updateCondition('Error', wanted.reason);
    return undefined;
  }
  const { actions, status, reason } = componentsPlanOf(wanted.components, await observe(controller, options));
  const refusal = await actAll(controller, actions);
  await (refusal === undefined
    ? controller.updateCondition(status, reason)
    : controller.updateCondition('Error', refusal.reason));
  return refusal?.isRetryable ? requeueAfter(outsideInterval) : undefined;
}

async function terminate(
  controller: ProviderController,
  options: CheckedComponentsOptions,
): Promise<Result | undefined> {
  const plan = teardownPlanOf(controller.workspace.spec.components ?? [], await observe(controller, options));
  await actAll(controller, plan.actions);
  await controller.updateCondition(plan.status, plan.reason);
  return plan.status === 'Terminated' ? undefined : requeueAfter(removalInterval);
}

const verbs = { changed: ['get', 'create', 'patch', 'delete'], replaced: ['get', 'create', 'delete'] };

/**
 * Runs the components of a workspace: a pod or a Deployment each, and a service for each of its networks. Objects that match the spec are left alone;
 * a pod that differs is replaced, a Deployment or service that differs is patched, and one no longer wanted is deleted. The pods run with what the
 * sequencer may create: the options restrict what they may be.
 *
 * @throws TypeError naming the invalid or unknown option
 */
export function components(options: ComponentsOptions = {}): Integration {
  const checked = checkedComponentsOptions(options);
  const { ownsDeployments, restartOnConfig } = checked;
  const orWait = (controller: ProviderController, done: Promise<Result | undefined>) =>
    done.catch((error: unknown) => waitWhenThrottled(controller, error, removalInterval));
  return defineIntegration({
    name: 'components',
    condition: 'Components',
    endpoints: [],
    owns: [Pod, Service, ...(ownsDeployments ? [Deployment] : []), ...(restartOnConfig ? [Secret, ConfigMap] : [])],
    permissions: [
      { apiGroups: [''], resources: ['pods'], verbs: verbs.replaced },
      { apiGroups: [''], resources: ['services'], verbs: verbs.changed },
      ...(ownsDeployments ? [{ apiGroups: ['apps'], resources: ['deployments'], verbs: verbs.changed }] : []),
    ],
    handles: ({ spec }) => (spec.components ?? []).length > 0,
    validate: (workspace) => validateComponents(workspace, checked),
    references: ({ spec }) => outputReferences((spec.components ?? []).map(({ template }) => template)),
    connect: ({ controller }): Provider => ({
      reconcile: () => orWait(controller, reconcile(controller, checked)),
      terminate: () => orWait(controller, terminate(controller, checked)),
    }),
  });
}

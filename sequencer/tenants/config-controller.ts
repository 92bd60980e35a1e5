/** Controllers of configs: the condition Ready, and the finalizer that keeps a used config. */

import { configFinalizer, integrationTypeLabel } from '../../sdk/host/index.ts';
import {
  type Client,
  type Clock,
  claimOf,
  createInformerController,
  done,
  hasFinalizer,
  type InformerController,
  ignoreNotFound,
  isDeleting,
  type Kind,
  keyOf,
  type ObjectKey,
  objectKeyOf,
  patchTested,
  policyAnnotation,
  type Reconciler,
  type Result,
  removeFinalizer,
  requeueAfter,
  Secret,
  type Selection,
  type StandardCondition,
  Workspace,
  watched,
  withCondition,
} from '../../sdk/index.ts';
import { type AnyConfig, configIntegrationName, isUsing } from './config-integration-name.ts';
import { type ConfigProblem, type SecretOf, versionOf } from './config-values.ts';

/** Options of {@link createConfigController}. */
export interface ConfigControllerOptions<T extends AnyConfig> {
  readonly kind: Kind<T>;
  readonly client: Client;
  readonly clock: Clock;
  /** Class of the configs that are read. */
  readonly className: string | undefined;
  /** Selects the watched configs. */
  readonly selection?: Selection;
  /** Selects the watched Secrets, by the label of a type. */
  readonly secrets: Selection;
  readonly secretOf: SecretOf;
  /** Returns the problem that prevents the use of a config; undefined without one. */
  readonly problemOf: (config: T) => ConfigProblem | undefined;
  /** Receives configs that were added, changed or deleted. */
  readonly onChange: (key: ObjectKey) => void;
  readonly engine: Partial<Pick<Parameters<typeof createInformerController<T>>[0], 'logger' | 'observer' | 'random'>>;
}

/** ms between two checks for users of a config that is being deleted, since this process does not watch workspaces of others. */
const recheckInterval = 60_000;
/** Maximum number of named workspaces. */
const maxListedUsers = 3;

function inUseText(users: readonly Workspace[]): string {
  const named = users.slice(0, maxListedUsers).map(({ metadata }) => keyOf(metadata));
  const rest = users.length > maxListedUsers ? ` and ${users.length - maxListedUsers} more` : '';
  return `in use by workspaces ${named.join(', ')}${rest}: delete them, or let them use another config`;
}

/** Returns the reason and message of a config that is being deleted: its users and, for an unusable config, how their external objects can be released. */
function inUseReason(users: readonly Workspace[], found: ConfigProblem | undefined) {
  if (found === undefined) return { reason: 'InUse', message: inUseText(users) };
  const advice = `fix that or, as in a namespace that is Terminating, annotate the workspaces with ${policyAnnotation('<Condition>')}=orphan to keep the external objects`;
  const message = `${inUseText(users)}; and their external objects cannot be deleted: ${found.problem}: ${advice}`;
  return { reason: found.reason, message };
}

/** Creates the reconciler of one config. */
function configReconciler<T extends AnyConfig>(options: ConfigControllerOptions<T>): Reconciler<T> {
  const { kind, client, clock, className, secretOf, problemOf, onChange } = options;
  const lastStates = new Map<string, string>();

  const usersOf = async (config: T, signal: AbortSignal): Promise<readonly Workspace[]> => {
    const { namespace } = config.metadata;
    const { items } = await client.list(Workspace, { signal, ...(namespace !== undefined && { namespace }) });
    return items.filter((workspace) => isUsing(workspace, configIntegrationName(config)));
  };

  const reportReady = async (
    config: T,
    condition: Pick<StandardCondition, 'status' | 'reason' | 'message'>,
  ): Promise<void> => {
    const { status: { conditions = [], claim: before } = {}, metadata } = config;
    const claim = claimOf(configIntegrationName(config));
    const observedGeneration = metadata.generation ?? 0;
    const next = withCondition(
      conditions as readonly StandardCondition[],
      { type: 'Ready', observedGeneration, ...condition },
      clock.now(),
    );
    if (next === conditions && claim === before) return;
    const value = { metadata: { uid: metadata.uid }, status: { conditions: next, claim } };
    await ignoreNotFound(client.patch(kind, objectKeyOf(config), { type: 'merge', value }, { subresource: 'status' }));
  };

  /** Removes the finalizer of a config that is being deleted once no workspace uses it. */
  const release = async (config: T, signal: AbortSignal): Promise<Result> => {
    if (!hasFinalizer(config, configFinalizer)) return done;
    const users = await usersOf(config, signal);
    if (users.length > 0) {
      await reportReady(config, { status: 'False', ...inUseReason(users, problemOf(config)) });
      return requeueAfter(recheckInterval);
    }
    const patch = { kind, key: objectKeyOf(config), operations: removeFinalizer(config, configFinalizer) };
    await ignoreNotFound(patchTested(client, patch));
    return done;
  };

  return async ({ key, object, signal }) => {
    const isOurs = object !== undefined && object.spec.className === className;
    const { labels, deletionTimestamp } = object?.metadata ?? {};
    const state = isOurs ? JSON.stringify([versionOf(object, secretOf), labels, deletionTimestamp]) : '';
    const changed = (lastStates.get(keyOf(key)) ?? '') !== state;
    if (isOurs) lastStates.set(keyOf(key), state);
    else lastStates.delete(keyOf(key));
    if (changed) onChange(key);
    if (!isOurs) return done;
    if (isDeleting(object)) return release(object, signal);
    const problem = problemOf(object);
    await reportReady(
      object,
      problem === undefined
        ? { status: 'True', reason: 'Configured', message: 'options and credentials are valid' }
        : { status: 'False', reason: problem.reason, message: problem.problem },
    );
    return done;
  };
}

/** Creates the controller of one kind of config. */
export function createConfigController<T extends AnyConfig>(
  options: ConfigControllerOptions<T>,
): InformerController<T> {
  const { kind, client, clock, selection, secrets, engine } = options;
  const controller: InformerController<T> = createInformerController<T>({
    ...engine,
    client,
    clock,
    kind,
    name: kind.plural,
    reconciler: configReconciler(options),
    ...(selection && { selection }),
    indexes: { integration: (config) => [configIntegrationName(config)] },
    watches: [
      watched<Secret>({
        kind: Secret,
        selection: { ...secrets, labels: integrationTypeLabel },
        map: ({ metadata: { name, namespace } }) =>
          controller.store
            .list(kind.namespaced ? namespace : undefined)
            .filter(({ spec }) => Object.values(spec.secretRefs ?? {}).some((ref) => ref.name === name))
            .map(objectKeyOf),
      }),
    ],
  });
  return controller;
}

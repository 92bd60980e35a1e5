/** Decides the next moves of a workspace. */

import {
  effectivePolicyOf,
  handlesOf,
  isMirrored,
  newerFormat,
  resolutionOf,
  tellsOfWork,
} from '../../sdk/host/index.ts';
import {
  claimOf,
  conditionOf,
  errorOf,
  findCondition,
  type GuardEntry,
  hasFinalizer,
  type Integration,
  isDeleting,
  isPaused,
  type Workspace,
} from '../../sdk/index.ts';
import { formerOf } from './former-conditions.ts';

/** Decision of a walk. */
export type Move =
  /** Adds a slot for each condition, for later writes, and journals for which of them nothing was begun. */
  | { readonly kind: 'initialize' }
  | {
      /**
       * `invalid`: its `handles` fails; `claim`: add the finalizer, since external objects may follow; `reconcile`, `terminate`: call the provider;
       * `release`: remove the finalizer, since nothing exists any more; `newer`: a newer release has written its journal entry, which is left alone;
       * `renamed`: it has objects under a former condition; `letGo`: give external objects up; `forget`: the condition is no longer requested;
       * `resolve`: a person has resolved an attempt; `wait`: blocked by others.
       */
      readonly kind:
        | 'invalid'
        | 'claim'
        | 'reconcile'
        | 'terminate'
        | 'release'
        | 'orphan'
        | 'newer'
        | 'renamed'
        | 'forget'
        | 'resolve'
        | 'wait';
      readonly integration: Integration;
    };

/** Reports whether the integration's finalizer is present. */
export const isClaimed = (workspace: Workspace, { name }: Integration): boolean =>
  hasFinalizer(workspace, claimOf(name));

/** Reports whether only a newer release can read the journal entry. */
const isNewer = ({ status }: Workspace, { condition }: Integration): boolean =>
  newerFormat(status?.guards?.[condition]) !== undefined;

/** Returns the journal entry, if a guard has begun. */
function begunOf({ status }: Workspace, type: string): GuardEntry | undefined {
  const entry = status?.guards?.[type];
  return entry?.phase === 'none' ? undefined : entry;
}

/** Finalizers that Kubernetes itself sets. */
const builtIn: ReadonlySet<string> = new Set(['foregroundDeletion', 'orphan']);
/** Statuses of a condition whose integration has not done anything yet. */
const idle: ReadonlySet<string> = new Set(['Initialized', 'Waiting', 'Error']);

/** Reports whether a condition was still idle when its workspace was deleted; the deletion increments the generation. */
function isIdle(workspace: Workspace, type: string): boolean {
  const { status, observedGeneration } = conditionOf(workspace, type);
  return idle.has(status) && observedGeneration !== workspace.metadata.generation;
}

/**
 * Reports whether nothing was ever begun for an integration on a workspace that is being deleted: no guard ran, no id is known, it owns no objects in
 * the cluster, its condition is idle, and only the sequencer and Kubernetes have finalizers. Then the integration need not be called.
 */
export function isUntouched(workspace: Workspace, { condition, owns = [] }: Integration): boolean {
  const { finalizers = [] } = workspace.metadata;
  return (
    isDeleting(workspace) &&
    owns.length === 0 &&
    isIdle(workspace, condition) &&
    workspace.status?.guards?.[condition]?.phase === 'none' &&
    !tellsOfWork(workspace, condition) &&
    finalizers.every((finalizer) => finalizer.startsWith(claimOf('')) || builtIn.has(finalizer))
  );
}

/** Reports whether all its external objects are gone: by its journal or, if it never ran a guard, by its condition. */
export function isGone(workspace: Workspace, integration: Integration): boolean {
  if (isNewer(workspace, integration)) return false;
  const { condition } = integration;
  const entry = begunOf(workspace, condition);
  if (entry !== undefined) return entry.phase === 'gone' && entry.late === undefined;
  if (isUntouched(workspace, integration)) return true;
  return findCondition(workspace.status?.conditions, condition)?.status === 'Terminated';
}

/** Reports whether the condition is settled for the current spec. */
export function hasArrived(workspace: Workspace, type: string): boolean {
  const condition = findCondition(workspace.status?.conditions, type);
  return (
    (condition?.status === 'Completed' || condition?.status === 'Healthy') &&
    condition.observedGeneration === workspace.metadata.generation
  );
}

/** Reports whether a workspace requests an integration; an error if its `handles` fails. */
export function askingOf(workspace: Workspace, integration: Integration): boolean | Error {
  try {
    return handlesOf(integration, workspace);
  } catch (error) {
    return errorOf(error);
  }
}

/** Returns the integrations that this workspace requests. */
export const handledOf = (workspace: Workspace, integrations: readonly Integration[]): readonly Integration[] =>
  integrations.filter((integration) => askingOf(workspace, integration) === true);

/** Returns the integrations that this workspace requests, or may request: those whose `handles` fails are included. */
export const concernedOf = (workspace: Workspace, integrations: readonly Integration[]): readonly Integration[] =>
  integrations.filter((integration) => askingOf(workspace, integration) !== false);

/**
 * Returns the integrations without external objects, which is journalled: there is no id of them, and no claim, or one of their former condition alone,
 * whose entry shows that the journal was not lost.
 */
export const untouchedOf = (workspace: Workspace, integrations: readonly Integration[]): readonly Integration[] =>
  integrations.filter(
    (integration) =>
      effectivePolicyOf(workspace, integration).changes &&
      (!isClaimed(workspace, integration) || formerOf(workspace, integration).length > 0) &&
      !isMirrored(workspace, integration.condition) &&
      workspace.status?.guards?.[integration.condition] === undefined,
  );

const isInitialized = (workspace: Workspace, handled: readonly Integration[]): boolean =>
  workspace.status?.guards !== undefined &&
  workspace.status.phase !== undefined &&
  handled.every(({ condition }) => findCondition(workspace.status?.conditions, condition) !== undefined) &&
  untouchedOf(workspace, handled).length === 0;

/** Plans the removal of the claimed integrations in reverse order: each waits for those that came after it. */
function takeAway(workspace: Workspace, leaving: readonly Integration[]): readonly Move[] {
  const standing = leaving.filter((integration) => !isGone(workspace, integration));
  return leaving.map((integration): Move => {
    const isHeld = standing.some((other) => other.name === integration.name && other !== integration);
    if (isGone(workspace, integration)) return { kind: isHeld ? 'wait' : 'release', integration };
    const needed = standing.some(({ after }) => after?.includes(integration.condition));
    if (needed) return { kind: 'wait', integration };
    return { kind: effectivePolicyOf(workspace, integration).orphansOnDelete ? 'orphan' : 'terminate', integration };
  });
}

/** Requested integrations. */
interface Asking {
  readonly handled: readonly Integration[];
  /** Includes those whose `handles` fails. */
  readonly concerned: readonly Integration[];
}

function bringUp(workspace: Workspace, { handled, concerned }: Asking): readonly Move[] {
  const asked = new Set(concerned.map(({ condition }) => condition));
  return concerned.map((integration): Move => {
    if (!handled.includes(integration)) return { kind: 'invalid', integration };
    if (formerOf(workspace, integration).length > 0) return { kind: 'renamed', integration };
    if (!effectivePolicyOf(workspace, integration).changes) return { kind: 'reconcile', integration };
    const waits = integration.after?.some((type) => asked.has(type) && !hasArrived(workspace, type)) ?? false;
    if (waits) return { kind: 'wait', integration };
    return { kind: isClaimed(workspace, integration) ? 'reconcile' : 'claim', integration };
  });
}

/**
 * Decides the moves of all integrations that may proceed, by their dependencies; in reverse order for removals. Independent ones proceed
 * concurrently. No I/O. A workspace being deleted starts nothing new; a paused one rests, but its deletion continues. An integration whose policy
 * forbids changes needs no claim and waits for no other. A condition whose journal entry a newer release has written is left alone.
 */
export function nextMoves(workspace: Workspace, integrations: readonly Integration[]): readonly Move[] {
  return movesOf(workspace, integrations).map((move) =>
    move.kind !== 'initialize' && move.kind !== 'wait' && isNewer(workspace, move.integration)
      ? { kind: 'newer', integration: move.integration }
      : move,
  );
}

function movesOf(workspace: Workspace, integrations: readonly Integration[]): readonly Move[] {
  const claimed = integrations.filter((integration) => isClaimed(workspace, integration));
  const withFormer = (all: readonly Integration[]) => all.flatMap((one) => [one, ...formerOf(workspace, one)]);
  const answered = withFormer(claimed).filter(
    (integration) => resolutionOf(workspace, integration.condition) !== undefined && !isNewer(workspace, integration),
  );
  if (answered.length > 0) return answered.map((integration) => ({ kind: 'resolve', integration }));
  const isNoted = untouchedOf(workspace, claimed).length === 0;
  if (isDeleting(workspace)) return isNoted ? takeAway(workspace, withFormer(claimed)) : [{ kind: 'initialize' }];
  if (isPaused(workspace)) return [];
  const handled = handledOf(workspace, integrations);
  if (!isNoted || !isInitialized(workspace, handled)) return [{ kind: 'initialize' }];
  const concerned = concernedOf(workspace, integrations);
  const leaving = claimed.filter((integration) => !concerned.includes(integration));
  const givenUp = concerned
    .filter(({ condition }) => workspace.status?.guards?.[condition] !== undefined)
    .flatMap((integration) => formerOf(workspace, integration))
    .filter((former) => effectivePolicyOf(workspace, former).orphansOnDelete)
    .map((integration): Move => ({ kind: 'orphan', integration }));
  const forgotten = integrations.filter(
    (integration) =>
      !concerned.includes(integration) &&
      !claimed.includes(integration) &&
      findCondition(workspace.status?.conditions, integration.condition) !== undefined,
  );
  return [
    ...takeAway(workspace, withFormer(leaving)),
    ...givenUp,
    ...forgotten.map((integration): Move => ({ kind: 'forget', integration })),
    ...bringUp(workspace, { handled, concerned }),
  ];
}

import {
  claimOf,
  conditionOf,
  errorOf,
  findCondition,
  type GuardEntry,
  handlesOf,
  hasFinalizer,
  type Integration,
  isDeleting,
  isMirrored,
  newerFormat,
  pausedAnnotation,
  resolutionOf,
  ruleOf,
  tellsOfWork,
  type Workspace,
} from '../sdk/index.ts';
import { formerOf } from './former.ts';

/** One decision of a walk. */
export type Move =
  /** Give every condition its slot, so that later writes have a place; and journal of which nothing is outside yet. */
  | { readonly kind: 'adopt' }
  | {
      /**
       * `invalid`: its `handles` does not say whether the workspace asks for it; `claim`: say "something may exist outside"; `reconcile`, `terminate`: let the provider work; `release`: take the claim away, nothing exists
       * any more; `newer`: a newer release has written its journal entry, so that nothing is done about it; `renamed`: it has things under a condition that it answered for before; `letGo`: give up what is outside; `forget`: nobody asks for the condition any more; `resolve`: a person has said what became of an
       * attempt; `wait`: not its turn yet.
       */
      readonly kind:
        | 'invalid'
        | 'claim'
        | 'reconcile'
        | 'terminate'
        | 'release'
        | 'letGo'
        | 'newer'
        | 'renamed'
        | 'forget'
        | 'resolve'
        | 'wait';
      readonly integration: Integration;
    };

/** Whether the integration's finalizer is there. */
export const isClaimed = (workspace: Workspace, { name }: Integration): boolean =>
  hasFinalizer(workspace, claimOf(name));

/** Whether only a newer release can read its journal entry. */
const isNewer = ({ status }: Workspace, { condition }: Integration): boolean =>
  newerFormat(status?.guards?.[condition]) !== undefined;

/** The journal entry, once a guard has begun anything. */
function begunOf({ status }: Workspace, type: string): GuardEntry | undefined {
  const entry = status?.guards?.[type];
  return entry?.phase === 'none' ? undefined : entry;
}

/** Finalizers that Kubernetes itself sets. */
const builtIn: ReadonlySet<string> = new Set(['foregroundDeletion', 'orphan']);
/** Statuses of a condition whose integration has not come to do anything. */
const idle: ReadonlySet<string> = new Set(['Initialized', 'Waiting', 'Error']);

/** Whether a condition never came to anything before its workspace was deleted, which counts as a generation. */
function isIdle(workspace: Workspace, type: string): boolean {
  const { status, observedGeneration } = conditionOf(workspace, type);
  return idle.has(status) && observedGeneration !== workspace.metadata.generation;
}

/**
 * Whether nothing was ever begun for it on a workspace that is being deleted: no guard ran and no id is known, it makes no objects in the cluster, its
 * condition never came to anything, and nobody but the sequencer and Kubernetes holds the workspace. Then there is nothing to ask it for.
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

/** Whether everything it made is known to be gone: by its journal, or, where it never guarded anything, by its condition. */
export function isGone(workspace: Workspace, integration: Integration): boolean {
  if (isNewer(workspace, integration)) return false;
  const { condition } = integration;
  const entry = begunOf(workspace, condition);
  if (entry !== undefined) return entry.phase === 'gone' && entry.late === undefined;
  if (isUntouched(workspace, integration)) return true;
  return findCondition(workspace.status?.conditions, condition)?.status === 'Terminated';
}

/** Whether the condition has arrived, for the spec as it is now. */
export function hasArrived(workspace: Workspace, type: string): boolean {
  const condition = findCondition(workspace.status?.conditions, type);
  return (
    (condition?.status === 'Completed' || condition?.status === 'Healthy') &&
    condition.observedGeneration === workspace.metadata.generation
  );
}

/** Whether a workspace asks for an integration; an error where its `handles` does not say so. */
export function askingOf(workspace: Workspace, integration: Integration): boolean | Error {
  try {
    return handlesOf(integration, workspace);
  } catch (error) {
    return errorOf(error);
  }
}

/** Those that this workspace asks for. */
export const handledOf = (workspace: Workspace, integrations: readonly Integration[]): readonly Integration[] =>
  integrations.filter((integration) => askingOf(workspace, integration) === true);

/** Those that this workspace asks for, or may ask for: of some it cannot be told. */
export const concernedOf = (workspace: Workspace, integrations: readonly Integration[]): readonly Integration[] =>
  integrations.filter((integration) => askingOf(workspace, integration) !== false);

/** Those of which nothing can be outside, since no claim says so and nothing is known of any: that is journalled before there is a claim. */
export const untouchedOf = (workspace: Workspace, handled: readonly Integration[]): readonly Integration[] =>
  handled.filter(
    (integration) =>
      ruleOf(workspace, integration).changes &&
      !isClaimed(workspace, integration) &&
      !isMirrored(workspace, integration.condition) &&
      workspace.status?.guards?.[integration.condition] === undefined,
  );

const isAdopted = (workspace: Workspace, handled: readonly Integration[]): boolean =>
  workspace.status?.guards !== undefined &&
  workspace.status.phase !== undefined &&
  handled.every(({ condition }) => findCondition(workspace.status?.conditions, condition) !== undefined) &&
  untouchedOf(workspace, handled).length === 0;

/** Takes away what is claimed, the last first: nothing goes before those that came after it. */
function takeAway(workspace: Workspace, leaving: readonly Integration[]): readonly Move[] {
  const standing = leaving.filter((integration) => !isGone(workspace, integration));
  return leaving.map((integration): Move => {
    const isHeld = standing.some((other) => other.name === integration.name && other !== integration);
    if (isGone(workspace, integration)) return { kind: isHeld ? 'wait' : 'release', integration };
    const needed = standing.some(({ after }) => after?.includes(integration.condition));
    if (needed) return { kind: 'wait', integration };
    return { kind: ruleOf(workspace, integration).letsGo ? 'letGo' : 'terminate', integration };
  });
}

/** Who is asked for, and who may be. */
interface Asking {
  readonly handled: readonly Integration[];
  /** Those too of which it cannot be told. */
  readonly concerned: readonly Integration[];
}

function bringUp(workspace: Workspace, { handled, concerned }: Asking): readonly Move[] {
  const asked = new Set(concerned.map(({ condition }) => condition));
  return concerned.map((integration): Move => {
    if (!handled.includes(integration)) return { kind: 'invalid', integration };
    if (formerOf(workspace, integration).length > 0) return { kind: 'renamed', integration };
    if (!ruleOf(workspace, integration).changes) return { kind: 'reconcile', integration };
    const waits = integration.after?.some((type) => asked.has(type) && !hasArrived(workspace, type)) ?? false;
    if (waits) return { kind: 'wait', integration };
    return { kind: isClaimed(workspace, integration) ? 'reconcile' : 'claim', integration };
  });
}

/**
 * Decides, never acts: every integration that may move now, given what it waits for; in reverse where things are taken away. Independent ones move
 * side by side. On a workspace being deleted nothing new starts; a paused one rests, but its deletion goes on. What changes nothing, by its policy,
 * needs no claim and waits for nobody. A condition whose journal entry a newer release has written is left alone.
 */
export function nextMoves(workspace: Workspace, integrations: readonly Integration[]): readonly Move[] {
  return movesOf(workspace, integrations).map((move) =>
    move.kind !== 'adopt' && move.kind !== 'wait' && isNewer(workspace, move.integration)
      ? { kind: 'newer', integration: move.integration }
      : move,
  );
}

function movesOf(workspace: Workspace, integrations: readonly Integration[]): readonly Move[] {
  const claimed = integrations.filter((integration) => isClaimed(workspace, integration));
  const withFormer = (all: readonly Integration[]) => all.flatMap((one) => [one, ...formerOf(workspace, one)]);
  const answered = claimed.filter(
    (integration) => resolutionOf(workspace, integration.condition) !== undefined && !isNewer(workspace, integration),
  );
  if (answered.length > 0) return answered.map((integration) => ({ kind: 'resolve', integration }));
  if (isDeleting(workspace)) return takeAway(workspace, withFormer(claimed));
  if (workspace.metadata.annotations?.[pausedAnnotation] === 'true') return [];
  const handled = handledOf(workspace, integrations);
  if (!isAdopted(workspace, handled)) return [{ kind: 'adopt' }];
  const concerned = concernedOf(workspace, integrations);
  const leaving = claimed.filter((integration) => !concerned.includes(integration));
  const givenUp = concerned
    .filter(({ condition }) => workspace.status?.guards?.[condition] !== undefined)
    .flatMap((integration) => formerOf(workspace, integration))
    .filter((former) => ruleOf(workspace, former).letsGo)
    .map((integration): Move => ({ kind: 'letGo', integration }));
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

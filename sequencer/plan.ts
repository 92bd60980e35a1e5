import {
  claimOf,
  findCondition,
  type GuardEntry,
  hasFinalizer,
  type Integration,
  isDeleting,
  isMirrored,
  pausedAnnotation,
  resolutionOf,
  ruleOf,
  type Workspace,
} from '../sdk/index.ts';

/** One decision of a walk. */
export type Move =
  /** Give every condition its slot, so that later writes have a place; and journal of which nothing is outside yet. */
  | { readonly kind: 'adopt' }
  | {
      /**
       * `claim`: say "something may exist outside"; `reconcile`, `terminate`: let the provider work; `release`: take the claim away, nothing exists
       * any more; `letGo`: give up what is outside; `forget`: nobody asks for the condition any more; `resolve`: a person has said what became of an
       * attempt; `wait`: not its turn yet.
       */
      readonly kind: 'claim' | 'reconcile' | 'terminate' | 'release' | 'letGo' | 'forget' | 'resolve' | 'wait';
      readonly integration: Integration;
    };

/** Whether the integration's finalizer is there. */
export const isClaimed = (workspace: Workspace, { name }: Integration): boolean =>
  hasFinalizer(workspace, claimOf(name));

/** The journal entry, once a guard has begun anything. */
function begunOf({ status }: Workspace, type: string): GuardEntry | undefined {
  const entry = status?.guards?.[type];
  return entry?.phase === 'none' ? undefined : entry;
}

/** Whether everything it made is known to be gone: by its journal, or, where it never guarded anything, by its condition. */
function isGone(workspace: Workspace, { condition }: Integration): boolean {
  const entry = begunOf(workspace, condition);
  if (entry !== undefined) return entry.phase === 'gone' && entry.late === undefined;
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

/** Those that this workspace asks for. */
export const handledOf = (workspace: Workspace, integrations: readonly Integration[]): readonly Integration[] =>
  integrations.filter((integration) => integration.handles(workspace));

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
    if (isGone(workspace, integration)) return { kind: 'release', integration };
    const needed = standing.some(({ after }) => after?.includes(integration.condition));
    if (needed) return { kind: 'wait', integration };
    return { kind: ruleOf(workspace, integration).letsGo ? 'letGo' : 'terminate', integration };
  });
}

function bringUp(workspace: Workspace, handled: readonly Integration[]): readonly Move[] {
  const asked = new Set(handled.map(({ condition }) => condition));
  return handled.map((integration): Move => {
    if (!ruleOf(workspace, integration).changes) return { kind: 'reconcile', integration };
    const waits = integration.after?.some((type) => asked.has(type) && !hasArrived(workspace, type)) ?? false;
    if (waits) return { kind: 'wait', integration };
    return { kind: isClaimed(workspace, integration) ? 'reconcile' : 'claim', integration };
  });
}

/**
 * Decides, never acts: every integration that may move now, given what it waits for; in reverse where things are taken away. Independent ones move
 * side by side. On a workspace being deleted nothing new starts; a paused one rests, but its deletion goes on. What changes nothing, by its policy,
 * needs no claim and waits for nobody.
 */
export function nextMoves(workspace: Workspace, integrations: readonly Integration[]): readonly Move[] {
  const claimed = integrations.filter((integration) => isClaimed(workspace, integration));
  const answered = claimed.filter(({ condition }) => resolutionOf(workspace, condition) !== undefined);
  if (answered.length > 0) return answered.map((integration) => ({ kind: 'resolve', integration }));
  if (isDeleting(workspace)) return takeAway(workspace, claimed);
  if (workspace.metadata.annotations?.[pausedAnnotation] === 'true') return [];
  const handled = handledOf(workspace, integrations);
  if (!isAdopted(workspace, handled)) return [{ kind: 'adopt' }];
  const leaving = claimed.filter((integration) => !handled.includes(integration));
  const forgotten = integrations.filter(
    (integration) =>
      !handled.includes(integration) &&
      !claimed.includes(integration) &&
      findCondition(workspace.status?.conditions, integration.condition) !== undefined,
  );
  return [
    ...takeAway(workspace, leaving),
    ...forgotten.map((integration): Move => ({ kind: 'forget', integration })),
    ...bringUp(workspace, handled),
  ];
}

/** Decides the next moves of a workspace. */

import { effectivePolicyOf, isOfOtherClaim, resolutionOf } from '../../../sdk/host/index.ts';
import { claimOf, findCondition, type Integration, isDeleting, isPaused, type Workspace } from '../../../sdk/index.ts';
import { inputsOf, readsOf } from './declared-inputs.ts';
import { formerConditionsOf, formerMirrorsOf } from './effective-journal.ts';
import { readinessOf } from './input-readiness.ts';
import { isGone, isNewer } from './is-gone.ts';
import { type Order, orderOf } from './order.ts';
import {
  candidatesOf,
  hasRecords,
  isCompletedForSpec,
  isInitialized,
  renamedOf,
  requestedOf,
} from './requested-integrations.ts';
import {
  isClaimed,
  isRecordedAnywhere,
  sharedConditionDecisionOf,
  standInsOf,
  type WalkIntegrations,
  waitsForOther,
} from './shared-condition.ts';

/** Decision of a walk. */
export type Move =
  /** Adds each missing condition as `Initialized`, and journals for which of them nothing was begun. */
  | { readonly kind: 'initialize' }
  /** Reports in the condition what blocks it: several integrations of one condition, or outputs of others. */
  | {
      readonly kind: 'blocked';
      readonly integration: Integration;
      readonly status: 'Error' | 'Waiting';
      readonly reason: string;
    }
  | {
      /**
       * - `claim`: adds the finalizer; `release`: removes it, once nothing exists any more
       * - `reconcile`, `terminate`: calls the provider
       * - `orphan`: leaves external objects where they are and forgets them; `orphanFormer`: the same under a former condition, with its mirror
       * - `resolve`: applies the resolution of a person; `dropCondition`: removes a condition that is no longer requested
       * - `handlesFailed`: reports that its `handles` fails; `renamed`: that it has objects under a former condition; `newerFormat`: that a newer release has written its
       *   journal entry; `sealLost`: that its mirror is signed with a lost key
       * - `wait`: waits for other integrations
       */
      readonly kind:
        | 'handlesFailed'
        | 'claim'
        | 'reconcile'
        | 'terminate'
        | 'release'
        | 'orphan'
        | 'newerFormat'
        | 'sealLost'
        | 'renamed'
        | 'orphanFormer'
        | 'dropCondition'
        | 'resolve'
        | 'wait';
      readonly integration: Integration;
    };

/** Move about one integration. */
export type ActingMove = Exclude<Move, { kind: 'initialize' }>;

/** Returns the key by which a walk knows the moves that it has made: it changes with the outputs and the `reads` that a move takes as input. */
export function moveKey(workspace: Workspace, move: ActingMove): string {
  const { kind, integration } = move;
  const reads = kind === 'terminate' ? readsOf(workspace, integration) : '';
  const given = kind === 'blocked' ? move.reason : kind === 'reconcile' ? inputsOf(workspace, integration) : reads;
  return [kind, integration.name, integration.condition, given].join('/');
}

/** Limit of the moves of one walk, for each integration. */
const maxMoves = 50;

/** Refuses a walk that continues without an end. @throws Error after too many moves: what an integration reads changes with each call */
export function throwIfEndless(moved: ReadonlySet<string>, integrations: readonly Integration[]): void {
  if (moved.size <= maxMoves * integrations.length) return;
  const names = new Set([...moved].slice(-integrations.length).map((key) => key.split('/', 2).join(' ')));
  throw new Error(
    `the walk has not ended after ${moved.size} moves: what \`reads\` or an output tells must not change with each call; the last ones: ${[...names].join(', ')}`,
  );
}

/** Integrations that leave a workspace together. */
interface Leaving {
  readonly leaving: readonly Integration[];
  /** Those with external objects. */
  readonly withObjects: readonly Integration[];
  readonly order: Order;
}

/** Plans the removal of the claimed integrations in reverse order: each waits for those that came after it. */
function planRemovals(workspace: Workspace, leaving: readonly Integration[]): readonly Move[] {
  const withObjects = leaving.filter((integration) => !isGone(workspace, integration));
  const order = orderOf(workspace, [...new Set(withObjects.map((one) => presentOf(one, leaving)))]);
  return leaving.map((integration) => removalOf(workspace, integration, { leaving, withObjects, order }));
}

/** Returns the integration as it is registered, for one under a former condition: it is removed in the order of the present conditions. */
const presentOf = ({ name }: Integration, leaving: readonly Integration[]): Integration =>
  leaving.find((one) => one.name === name)!;

function removalOf(workspace: Workspace, integration: Integration, { leaving, withObjects, order }: Leaving): Move {
  if (waitsForOther(workspace, integration, { leaving, isGone: (one) => isGone(workspace, one) }))
    return { kind: 'wait', integration };
  const isHeld = withObjects.some((other) => other.name === integration.name && other !== integration);
  if (isGone(workspace, integration)) return { kind: isHeld ? 'wait' : 'release', integration };
  if (!isClaimed(workspace, integration)) return { kind: isDeleting(workspace) ? 'wait' : 'claim', integration };
  const present = presentOf(integration, leaving);
  const needed = withObjects.some((other) => order.before(presentOf(other, leaving)).includes(present.condition));
  if (needed) return { kind: 'wait', integration };
  if (!effectivePolicyOf(workspace, integration).orphansOnDelete) return { kind: 'terminate', integration };
  return { kind: present === integration ? 'orphan' : 'orphanFormer', integration };
}

/** Requested integrations with their order and conditions. */
interface PlanInput extends WalkIntegrations {
  readonly order: Order;
  readonly requestedTypes: ReadonlySet<string>;
}

/** Plans the requested integrations: for each what blocks it, if anything does, else its reconcile. */
function planRequested(workspace: Workspace, selection: WalkIntegrations): readonly Move[] {
  const { candidates } = selection;
  const requestedTypes = new Set(candidates.map(({ condition }) => condition));
  const input = { ...selection, requestedTypes, order: orderOf(workspace, candidates) };
  return candidates.map(
    (integration) =>
      removedClaimOf(workspace, integration) ??
      blockerOf(workspace, integration, input) ??
      nextMoveOf(workspace, integration, input),
  );
}

/** Returns the claim of an integration with records whose finalizer another writer has removed: a deletion would leave its objects outside. */
function removedClaimOf(workspace: Workspace, integration: Integration): Move | undefined {
  const { changes } = effectivePolicyOf(workspace, integration);
  const isRemoved = !isClaimed(workspace, integration) && isRecordedAnywhere(workspace, integration);
  return changes && isRemoved ? { kind: 'claim', integration } : undefined;
}

/** Returns the move about another integration of its condition, its failing `handles` or its former conditions; undefined without any. */
function blockerOf(workspace: Workspace, integration: Integration, input: PlanInput): Move | undefined {
  const contest = sharedConditionDecisionOf(workspace, integration, input);
  if (contest.kind === 'waits') return { kind: 'wait', integration };
  if (contest.kind !== 'free') return { integration, ...contest };
  if (!input.requested.includes(integration)) return { kind: 'handlesFailed', integration };
  if (formerConditionsOf(workspace, integration).length > 0) return { kind: 'renamed', integration };
  const { changes } = effectivePolicyOf(workspace, integration);
  if (changes && formerMirrorsOf(workspace, integration).length > 0) return { kind: 'wait', integration };
  return undefined;
}

/** Returns the move by the conditions that come before an integration, and by the outputs that it uses. */
function nextMoveOf(workspace: Workspace, integration: Integration, input: PlanInput): Move {
  const readiness = readinessOf(workspace, integration, input);
  if (readiness.kind === 'blocked') return { integration, ...readiness };
  if (!effectivePolicyOf(workspace, integration).changes) return { kind: 'reconcile', integration };
  const waits =
    integration.after?.some((type) => input.requestedTypes.has(type) && !isCompletedForSpec(workspace, type)) ?? false;
  if (waits || readiness.kind === 'waits') return { kind: 'wait', integration };
  return { kind: isClaimed(workspace, integration) ? 'reconcile' : 'claim', integration };
}

/**
 * Decides the moves of all integrations that may proceed, by their dependencies; in reverse order for removals. Independent ones proceed
 * concurrently. No I/O. A workspace being deleted starts nothing new; a paused one has no moves but those of its deletion. An integration whose policy
 * forbids changes needs no claim and waits for no other. A condition whose journal entry a newer release has written is not changed.
 */
export function nextMoves(workspace: Workspace, integrations: readonly Integration[]): readonly Move[] {
  return movesOf(workspace, integrations).map((move) =>
    move.kind !== 'initialize' && move.kind !== 'wait' && isNewer(workspace, move.integration)
      ? { kind: 'newerFormat', integration: move.integration }
      : move,
  );
}

function movesOf(workspace: Workspace, integrations: readonly Integration[]): readonly Move[] {
  const claimed = integrations.filter((integration) => isClaimed(workspace, integration));
  const withFormer = (all: readonly Integration[]) =>
    all.flatMap((one) => [one, ...formerConditionsOf(workspace, one)]);
  const resolved = withFormer(claimed).filter(
    (integration) =>
      resolutionOf(workspace, integration.condition) !== undefined &&
      !isNewer(workspace, integration) &&
      !isOfOtherClaim(workspace.status?.guards?.[integration.condition], claimOf(integration.name)),
  );
  if (resolved.length > 0) return resolved.map((integration) => ({ kind: 'resolve', integration }));
  const abandonedBy = (seeking: readonly Integration[]) =>
    standInsOf(workspace, { integrations, seeking }).map((integration): Move => ({ kind: 'orphan', integration }));
  if (isDeleting(workspace))
    return renamedOf(workspace, claimed).length > 0
      ? [{ kind: 'initialize' }]
      : [...abandonedBy(claimed), ...planRemovals(workspace, withFormer(claimed))];
  if (isPaused(workspace)) return [];
  const requested = requestedOf(workspace, integrations);
  const candidates = candidatesOf(workspace, integrations);
  const abandoned = abandonedBy([...claimed, ...candidates]);
  if (abandoned.length > 0) return abandoned;
  if (!isInitialized(workspace, integrations)) return [{ kind: 'initialize' }];
  const requestedTypes = new Set(candidates.map(({ condition }) => condition));
  const leaving = integrations.filter(
    (integration) =>
      !candidates.includes(integration) &&
      (isClaimed(workspace, integration) || isRecordedAnywhere(workspace, integration)),
  );
  const leftBehind = candidates
    .filter(({ condition }) => hasRecords(workspace, condition))
    .flatMap((integration) => [
      ...formerConditionsOf(workspace, integration).filter(
        (former) => effectivePolicyOf(workspace, former).orphansOnDelete,
      ),
      ...formerMirrorsOf(workspace, integration),
    ])
    .map((integration): Move => ({ kind: 'orphanFormer', integration }));
  const forgotten = integrations.filter(
    ({ condition }, index) =>
      !requestedTypes.has(condition) &&
      !leaving.some((one) => one.condition === condition) &&
      integrations.findIndex((one) => one.condition === condition) === index &&
      findCondition(workspace.status?.conditions, condition) !== undefined,
  );
  return [
    ...planRemovals(workspace, withFormer(leaving)),
    ...leftBehind,
    ...forgotten.map((integration): Move => ({ kind: 'dropCondition', integration })),
    ...planRequested(workspace, { integrations, requested, candidates }),
  ];
}

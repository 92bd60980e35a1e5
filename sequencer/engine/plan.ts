/** Decides the next moves of a workspace. */

import { effectivePolicyOf, isOfOther, newerFormat, recordsWork, resolutionOf } from '../../sdk/host/index.ts';
import {
  claimOf,
  conditionOf,
  findCondition,
  type GuardEntry,
  type Integration,
  isDeleting,
  isPaused,
  type Workspace,
} from '../../sdk/index.ts';
import { formerOf, remainingMirrorsOf } from './effective-journal.ts';
import { inputsOf, type Order, orderOf, readinessOf, readsOf } from './references.ts';
import { candidatesOf, handledOf, hasRecords, isInForce, isInitialized, renamedOf } from './requested-integrations.ts';
import { abandonedOf, contestDecisionOf, isClaimed, isRecordedAnywhere, waitsForOther } from './shared-condition.ts';

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
       * - `orphan`: leaves external objects where they are and forgets them; `leave`: the same under a former condition, with its mirror
       * - `resolve`: applies the resolution of a person; `forget`: removes a condition that is no longer requested
       * - `invalid`: reports that its `handles` fails; `renamed`: that it has objects under a former condition; `newer`: that a newer release has written its
       *   journal entry; `unsealed`: that its mirror is signed with a lost key
       * - `wait`: waits for other integrations
       */
      readonly kind:
        | 'invalid'
        | 'claim'
        | 'reconcile'
        | 'terminate'
        | 'release'
        | 'orphan'
        | 'newer'
        | 'unsealed'
        | 'renamed'
        | 'leave'
        | 'forget'
        | 'resolve'
        | 'wait';
      readonly integration: Integration;
    };

/** Reports whether only a newer release can read the journal entry. */
const isNewer = ({ status }: Workspace, { condition }: Integration): boolean =>
  newerFormat(status?.guards?.[condition]) !== undefined;

/** Move about one integration. */
export type ActingMove = Exclude<Move, { kind: 'initialize' }>;

/** Returns the key by which a walk knows the moves that it has made: it changes with the outputs and the `reads` that a move takes as input. */
export function moveKey(workspace: Workspace, move: ActingMove): string {
  const { kind, integration } = move;
  const reads = kind === 'terminate' ? readsOf(workspace, integration) : '';
  const given = kind === 'blocked' ? move.reason : kind === 'reconcile' ? inputsOf(workspace, integration) : reads;
  return [kind, integration.name, integration.condition, given].join('/');
}

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
    !recordsWork(workspace, condition) &&
    finalizers.every((finalizer) => finalizer.startsWith(claimOf('')) || builtIn.has(finalizer))
  );
}

/** Reports whether all its external objects are gone: by its journal or, if it never ran a guard, by its condition. */
export function isGone(workspace: Workspace, integration: Integration): boolean {
  if (isNewer(workspace, integration)) return false;
  const { name, condition } = integration;
  const entry = begunOf(workspace, condition);
  if (isOfOther(entry, claimOf(name))) return false;
  if (entry !== undefined) return entry.phase === 'gone' && entry.late === undefined;
  if (isUntouched(workspace, integration)) return true;
  return findCondition(workspace.status?.conditions, condition)?.status === 'Terminated';
}

/** Integrations that leave a workspace together. */
interface Leaving {
  readonly leaving: readonly Integration[];
  /** Those with external objects. */
  readonly standing: readonly Integration[];
  readonly order: Order;
}

/** Plans the removal of the claimed integrations in reverse order: each waits for those that came after it. */
function planRemovals(workspace: Workspace, leaving: readonly Integration[]): readonly Move[] {
  const standing = leaving.filter((integration) => !isGone(workspace, integration));
  const order = orderOf(workspace, standing);
  return leaving.map((integration) => removalOf(workspace, integration, { leaving, standing, order }));
}

function removalOf(workspace: Workspace, integration: Integration, { leaving, standing, order }: Leaving): Move {
  if (waitsForOther(workspace, integration, { leaving, isGone: (one) => isGone(workspace, one) }))
    return { kind: 'wait', integration };
  const isHeld = standing.some((other) => other.name === integration.name && other !== integration);
  if (isGone(workspace, integration)) return { kind: isHeld ? 'wait' : 'release', integration };
  if (!isClaimed(workspace, integration)) return { kind: isDeleting(workspace) ? 'wait' : 'claim', integration };
  const needed = standing.some((other) => order.before(other).includes(integration.condition));
  if (needed) return { kind: 'wait', integration };
  if (!effectivePolicyOf(workspace, integration).orphansOnDelete) return { kind: 'terminate', integration };
  const isFormer = leaving.find(({ name }) => name === integration.name) !== integration;
  return { kind: isFormer ? 'leave' : 'orphan', integration };
}

/** Integrations that a workspace requests, among those that are registered. */
type Requested = Parameters<typeof contestDecisionOf>[2];

/** Requested integrations with their order and conditions. */
interface Asking extends Requested {
  readonly order: Order;
  readonly asked: ReadonlySet<string>;
}

/** Plans the requested integrations: for each what blocks it, if anything does, else its reconcile. */
function planRequested(workspace: Workspace, requested: Requested): readonly Move[] {
  const { concerned } = requested;
  const asked = new Set(concerned.map(({ condition }) => condition));
  const asking = { ...requested, asked, order: orderOf(workspace, concerned) };
  return concerned.map(
    (integration) => blockerOf(workspace, integration, asking) ?? turnOf(workspace, integration, asking),
  );
}

/** Returns the move about another integration of its condition, its failing `handles` or its former conditions; undefined without any. */
function blockerOf(workspace: Workspace, integration: Integration, asking: Asking): Move | undefined {
  const contest = contestDecisionOf(workspace, integration, asking);
  if (contest.kind === 'waits') return { kind: 'wait', integration };
  if (contest.kind !== 'free') return { integration, ...contest };
  if (!asking.handled.includes(integration)) return { kind: 'invalid', integration };
  const { changes } = effectivePolicyOf(workspace, integration);
  const mayClaim = changes && !isClaimed(workspace, integration);
  if (formerOf(workspace, integration).length > 0) return { kind: mayClaim ? 'claim' : 'renamed', integration };
  if (changes && remainingMirrorsOf(workspace, integration).length > 0) return { kind: 'wait', integration };
  return undefined;
}

/** Returns the move by the conditions that come before an integration, and by the outputs that it uses. */
function turnOf(workspace: Workspace, integration: Integration, asking: Asking): Move {
  const readiness = readinessOf(workspace, integration, asking);
  if (readiness.kind === 'blocked') return { integration, ...readiness };
  if (!effectivePolicyOf(workspace, integration).changes) return { kind: 'reconcile', integration };
  const waits = integration.after?.some((type) => asking.asked.has(type) && !isInForce(workspace, type)) ?? false;
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
      ? { kind: 'newer', integration: move.integration }
      : move,
  );
}

function movesOf(workspace: Workspace, integrations: readonly Integration[]): readonly Move[] {
  const claimed = integrations.filter((integration) => isClaimed(workspace, integration));
  const withFormer = (all: readonly Integration[]) => all.flatMap((one) => [one, ...formerOf(workspace, one)]);
  const answered = withFormer(claimed).filter(
    (integration) =>
      resolutionOf(workspace, integration.condition) !== undefined &&
      !isNewer(workspace, integration) &&
      !isOfOther(workspace.status?.guards?.[integration.condition], claimOf(integration.name)),
  );
  if (answered.length > 0) return answered.map((integration) => ({ kind: 'resolve', integration }));
  const abandonedBy = (seeking: readonly Integration[]) =>
    abandonedOf(workspace, { integrations, seeking }).map((integration): Move => ({ kind: 'orphan', integration }));
  if (isDeleting(workspace))
    return renamedOf(workspace, claimed).length > 0
      ? [{ kind: 'initialize' }]
      : [...abandonedBy(claimed), ...planRemovals(workspace, withFormer(claimed))];
  if (isPaused(workspace)) return [];
  const handled = handledOf(workspace, integrations);
  const concerned = candidatesOf(workspace, integrations);
  const abandoned = abandonedBy([...claimed, ...concerned]);
  if (abandoned.length > 0) return abandoned;
  if (!isInitialized(workspace, integrations)) return [{ kind: 'initialize' }];
  const asked = new Set(concerned.map(({ condition }) => condition));
  const leaving = integrations.filter(
    (integration) =>
      !concerned.includes(integration) &&
      (isClaimed(workspace, integration) ||
        (asked.has(integration.condition) && isRecordedAnywhere(workspace, integration))),
  );
  const givenUp = concerned
    .filter(({ condition }) => hasRecords(workspace, condition))
    .flatMap((integration) => [
      ...formerOf(workspace, integration).filter((former) => effectivePolicyOf(workspace, former).orphansOnDelete),
      ...remainingMirrorsOf(workspace, integration),
    ])
    .map((integration): Move => ({ kind: 'leave', integration }));
  const forgotten = integrations.filter(
    ({ condition }, index) =>
      !asked.has(condition) &&
      !leaving.some((one) => one.condition === condition) &&
      integrations.findIndex((one) => one.condition === condition) === index &&
      findCondition(workspace.status?.conditions, condition) !== undefined,
  );
  return [
    ...planRemovals(workspace, withFormer(leaving)),
    ...givenUp,
    ...forgotten.map((integration): Move => ({ kind: 'forget', integration })),
    ...planRequested(workspace, { integrations, handled, concerned }),
  ];
}

import { isDeepStrictEqual } from 'node:util';
import type { ConditionStatus } from '../api/condition.ts';
import { addFinalizer, removeFinalizer } from '../api/finalizer.ts';
import type { Kind } from '../api/kind.ts';
import { isOwnedBy, type KubeObject } from '../api/object.ts';
import type { JsonPatchOperation } from '../api/patch.ts';
import { conditionOf, type GuardEntry, instanceLabel, type Workspace } from '../api/workspace.ts';
import { ifThere } from '../client/if-there.ts';
import { AlreadyExistsError, BusyError } from '../errors.ts';
import { destroy } from './destroy.ts';
import { ensure } from './ensure.ts';
import type { ExternalResource } from './external-resource.ts';
import { type GuardCall, guard, holdNow, surfaceUnresolved } from './guard.ts';
import { type Hands, outcomeOf } from './hands.ts';
import type { Hold } from './hold.ts';
import type { ProviderHost } from './host.ts';
import type { ProviderController, Ref } from './integration.ts';
import { conditionFor, conditionPatch, settlePatch } from './journal.ts';
import { keeping, letGo } from './keeping.ts';
import { ownRefs } from './mirror-record.ts';
import { owned } from './owned.ts';
import { unionOf } from './refs.ts';
import { isRestorable } from './restore-journal.ts';
import { type Scope, Session } from './session.ts';
import { statusPatch } from './status-patch.ts';
import { asRefs, placed, restoredRefs, slotted, type Thing, thingsOf } from './things.ts';
import { inTurn, lookingInTurn } from './turns.ts';

/** Every id known of a condition: recorded, learned late, and, where the journal was lost, mirrored. */
export function refsOf({ entry, mirror }: Pick<Session, 'entry' | 'mirror'>): readonly Ref[] {
  const recorded = unionOf((entry?.refs ?? []) as readonly Ref[], (entry?.late ?? []) as readonly Ref[]);
  const all = entry === undefined || entry.lost ? unionOf(recorded, ownRefs(mirror)) : recorded;
  return [...all, ...restoredRefs(mirror, all)];
}

async function updateCondition(session: Session, status: ConditionStatus, reason: string): Promise<void> {
  const { scope, entry, host } = session;
  const wait = entry?.phase === 'intent' ? host.times.maxRequest : undefined;
  if (entry?.phase === 'intent' || entry?.phase === 'unknown')
    throw new BusyError(`${scope.type} is locked: its condition says why`, wait);
  await explain(session, status, reason);
}

/** What the workspace owns of a kind: cached where the kind is followed, else read live. */
export async function ownedBy<T extends KubeObject>(
  { host, workspace }: Session,
  kind: Kind<T>,
): Promise<readonly T[]> {
  const cached = host.owned(kind, workspace);
  if (cached !== undefined) return cached;
  const { namespace } = workspace.metadata;
  const { items } = await host.client.list(kind, {
    ...(kind.namespaced && namespace !== undefined && { namespace }),
    labels: `${instanceLabel}=${workspace.metadata.name}`,
  });
  return items.filter((object) => isOwnedBy(object, workspace));
}

const writeFinalizer = async (session: Session, operations: readonly JsonPatchOperation[]): Promise<void> => {
  await session.patchMain(operations);
};

/** All that `ensure` and `destroy` need of a session. */
export function handsOf<Wanted, Id extends Ref>(
  session: Session,
  resource: ExternalResource<Wanted, Id>,
  all: readonly Wanted[],
): Hands<Wanted, Id> {
  const wanted = slotted(all, resource.nameOf);
  const places = {
    wanted,
    single: resource.nameOf === undefined,
    canUpdate: resource.update !== undefined,
    named: resource.identity === 'name',
  };
  return {
    session,
    resource: lookingInTurn(session, resource),
    wanted,
    refs: () => placed(refsOf(session), places),
    guard: (reason, task, options) => inTurn(session, { reason, task, options }, (call) => guard(session, call)),
  };
}

/** Under policy `orphan`, with a resource that deletes nothing: `isWanted` tells what stays because it is wanted from what is given up. */
function ruled<Wanted, Id extends Ref>(
  hands: Hands<Wanted, Id>,
  isWanted: (thing: Thing) => boolean,
): Hands<Wanted, Id> {
  const { session, resource } = hands;
  if (session.scope.policy !== 'orphan') return hands;
  const stays = (slot: string, id: Id): boolean => {
    const first = thingsOf(hands.refs()).find((thing) => thing.slot === slot);
    return first !== undefined && isDeepStrictEqual(first.id, id) && isWanted(first);
  };
  return { ...hands, resource: keeping(session, resource, stays) };
}

/** Sets the condition whatever its journal entry says, as long as nobody changes that meanwhile. */
async function explain(session: Session, status: ConditionStatus, reason: string): Promise<void> {
  const { workspace, scope, host } = session;
  const seen = conditionOf(workspace, scope.type);
  const next = conditionFor(workspace, { type: scope.type, status, reason }, host.clock.now());
  if (seen.status === status && seen.reason === reason && seen.observedGeneration === next.observedGeneration) return;
  await session.patchStatus(conditionPatch(workspace, next));
}

/** A guard that an integration runs by itself. What says that it deletes is left undone under policy `orphan`. */
async function plainGuard(session: Session, call: GuardCall): Promise<void> {
  if (session.scope.policy === 'orphan' && call.options.op === 'delete') {
    const reason = `orphan: "${call.reason}" is left undone`;
    await explain(session, 'Waiting', reason);
    throw new BusyError(`${session.scope.type}: ${reason}`);
  }
  return inTurn(session, call, (one) => guard(session, one));
}

/** Says that all is there, or that something is still being made, where no guard has said so. */
async function settleCondition<Wanted, Id extends Ref>(
  session: Session,
  hands: Hands<Wanted, Id>,
  ready: boolean,
): Promise<void> {
  const { workspace, scope, host, entry } = session;
  const things = thingsOf(hands.refs());
  if (!ready) return updateCondition(session, 'In Progress', `${hands.resource.label} is being made`);
  const made = things.map(({ state: _, ...thing }) => thing);
  const { status, reason } = outcomeOf(hands, made, '');
  const isSettled = things.every(({ state }) => state === undefined) && entry?.lost !== true;
  if (entry === undefined || entry.phase === 'intent' || isSettled) return updateCondition(session, status, reason);
  const condition = conditionFor(workspace, { type: scope.type, status, reason }, host.clock.now());
  const { lost: _, ...rest } = entry;
  const settled = { ...rest, refs: asRefs(made) as GuardEntry['refs'] };
  await session.patchStatus(settlePatch(workspace, entry, { type: scope.type, entry: settled, condition }));
}

/** What the host that made a controller sees of it, beyond what the integration does. */
export interface HostedController extends ProviderController {
  /** Why nothing may be begun on this condition now; undefined when its guard is free or has never been used. */
  locked(): Hold | undefined;
  /** Sets the condition, though an unresolved attempt has locked it; nothing is sent when it is so already. @throws StaleError */
  explain(status: ConditionStatus, reason: string): Promise<void>;
  /** Gives up all that is outside, without a call to the third party: an event names it. @throws BusyError, StaleError */
  letGo(): Promise<void>;
  /** Says in the condition that a dead holder's attempt waits for a person, where the integration never came to its guard. */
  surfaceUnresolved(): Promise<void>;
}

function lockOf(session: Session): Hold | undefined {
  const phase = session.entry?.phase;
  if (isRestorable(session)) return holdNow(session);
  if (phase !== 'intent' && phase !== 'unknown') return undefined;
  const hold = holdNow(session);
  return hold.kind === 'busy' || hold.kind === 'unknown' ? hold : undefined;
}

/** The handle of one integration on one workspace, for one walk: the SDK's `NewController`. `scope` says which condition it answers for. */
export function createController(host: ProviderHost, workspace: Workspace, scope: Scope): HostedController {
  const session = new Session(host, workspace, scope);
  const { client } = host;
  const namespace = workspace.metadata.namespace ?? '';
  return {
    get workspace() {
      return session.workspace;
    },
    get condition() {
      return conditionOf(session.workspace, scope.type);
    },
    get refs() {
      return refsOf(session);
    },
    namespace,
    signal: host.stopping,
    policy: scope.policy ?? 'manage',
    get: (kind, key, options) => client.get(kind, key, options),
    list: (kind, options) => client.list(kind, options),
    guard: (reason, task, options = {}) => plainGuard(session, { reason, task, options }),
    ensure: (resource, wanted) => {
      const all = handsOf(session, resource, Array.isArray(wanted) ? wanted : [wanted]);
      const hands = ruled(all, ({ slot }) => all.wanted.some((target) => target.slot === slot));
      return ensure(hands, (ready) => settleCondition(session, hands, ready));
    },
    destroy: (resource, wanted = []) => destroy(ruled(handsOf(session, resource, wanted), () => false)),
    updateCondition: (status, reason) => updateCondition(session, status, reason),
    update: (recipe) => session.patchStatus(statusPatch(session.workspace, recipe)),
    async create(kind, object, options) {
      const made = owned(session.workspace, object);
      try {
        return await client.create(kind, made, options);
      } catch (error) {
        const { name } = object.metadata;
        if (!(error instanceof AlreadyExistsError) || name === undefined) throw error;
        const existing = await client.get(kind, { namespace, name });
        if (isOwnedBy(existing, session.workspace)) return existing;
        throw error;
      }
    },
    patch: (...[kind, key, patch, options]) =>
      client.patch(kind, kind.namespaced ? { namespace, ...key } : key, patch, options),
    owned: (kind) => ownedBy(session, kind),
    delete: (kind, key, options) => client.delete(kind, kind.namespaced ? { namespace, ...key } : key, options),
    setFinalizer: (finalizer) => writeFinalizer(session, addFinalizer(session.workspace, finalizer)),
    async removeFinalizer(finalizer) {
      await ifThere(writeFinalizer(session, removeFinalizer(session.workspace, finalizer)));
    },
    locked: () => lockOf(session),
    surfaceUnresolved: () => surfaceUnresolved(session),
    explain: (status, reason) => explain(session, status, reason),
    letGo: () => letGo(session),
    event: (type, reason, message) => host.events.event(session.workspace, type, reason, message),
  };
}

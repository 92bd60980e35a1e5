/** Creates the controller that an integration works with. */

import type { ConditionStatus } from '../../api/condition.ts';
import { isOwnedBy } from '../../api/object.ts';
import { group, Workspace } from '../../api/workspace.ts';
import { AlreadyExistsError, BusyError } from '../../errors.ts';
import { IntegrationCall, type IntegrationFunction } from '../contract/call-deadline.ts';
import { checkedResource } from '../contract/check-resource-results.ts';
import type { ExternalResource } from '../contract/external-resource.ts';
import type { ProviderController } from '../contract/integration.ts';
import type { Outputs } from '../contract/outputs.ts';
import { describeValue } from '../describe-value.ts';
import { checkSecondEnsure, type EarlierEnsure } from '../external/check-second-ensure.ts';
import { destroy } from '../external/destroy.ts';
import { ensure } from '../external/ensure.ts';
import type { EnsureContext } from '../external/ensure-context.ts';
import { orphanAll, withOrphanPolicy } from '../external/orphan.ts';
import { withOwnerReference } from '../external/with-owner-reference.ts';
import { checkGuard } from '../guard/check-guard.ts';
import { currentLockState, type GuardCall, reportUnresolved, requestMsOf } from '../guard/guard.ts';
import type { LockState } from '../guard/lock-state.ts';
import { rateLimitedGuard, withRateLimitedObserve } from '../guard/rate-limited-guard.ts';
import { isRestorable, unrecordedOutcome } from '../guard/restore-journal.ts';
import { updateCondition, writeCondition } from '../guard/update-condition.ts';
import { keyIn } from '../host/default-namespace-reader.ts';
import type { ProviderHost } from '../host/host.ts';
import { wantedObjects } from '../journal/next-object-change.ts';
import { isLocked } from '../journal/recorded-claim.ts';
import { recreateMirror } from '../journal/recreate-mirror.ts';
import { type Scope, Session } from '../journal/session.ts';
import { statusPatch } from '../journal/status-patch.ts';
import { atMember, mistakeInInput, throwIfMistake } from '../value-mistakes.ts';
import { checkedRecipe } from './check-status-change.ts';
import { checkWorkspacePatch } from './check-workspace-patch.ts';
import { dropFinalizer, setFinalizer } from './custom-finalizers.ts';
import { type ProviderReader, providerReader } from './provider-reader.ts';
import { reportQuarantine, withQuarantineReport } from './report-quarantine.ts';
import { withSlowCallReport } from './report-slow-call.ts';
import { setOutputs } from './set-outputs.ts';

/** Returns the dependencies of one `ensure` or `destroy` pass. */
export function ensureContextOf<Wanted, Id extends object>(
  session: Session,
  given: ExternalResource<Wanted, Id>,
  all: readonly Wanted[],
): EnsureContext<Wanted, Id> {
  const resource = checkedResource(session.scope, given);
  const isList = Array.isArray(all);
  throwIfMistake(
    session.scope,
    isList ? undefined : `${resource.label}: wanted must be an array of desired states; found ${describeValue(all)}`,
  );
  all.forEach((one, index) => {
    throwIfMistake(session.scope, atMember(`${resource.label}: wanted[${index}]`, mistakeInInput(one)));
  });
  const wanted = wantedObjects(all, resource.nameOf);
  return { session, resource: withRateLimitedObserve(session, resource), wanted };
}

/** Runs a guard that an integration requested itself. Under policy `orphan`, one that declares a deletion is not run. */
async function plainGuard(session: Session, call: GuardCall): Promise<void> {
  checkGuard(session.scope, call);
  if (session.scope.policy === 'orphan' && call.options.op === 'delete') {
    const reason = `orphan: "${call.reason}" is not run`;
    await writeCondition(session, 'Waiting', reason);
    throw new BusyError(`${session.scope.type}: ${reason}`);
  }
  return rateLimitedGuard(session, call);
}

/** Controller with further members, for the sequencer alone. */
export interface InternalController extends ProviderController {
  /** Returns the lock state if no attempt may begin now, or if an earlier one must be recorded first; undefined when the guard is free or was never used. */
  locked(): LockState | undefined;
  /** Sets the condition even if an unresolved attempt has locked it; no request when it is unchanged. @throws StaleError */
  writeCondition(status: ConditionStatus, reason: string): Promise<void>;
  /** Orphans all external objects without a call to the third party, and names them in an event. @throws BusyError, StaleError */
  orphanAll(): Promise<void>;
  /** Reports in the condition that a dead holder's attempt waits for a person, if the integration did not run its guard. */
  reportUnresolved(): Promise<void>;
  /** Recreates the mirror if another client has removed it and the journal is intact; does nothing if `ensure` has done so. @throws the error of the server or the connection, if it is transient */
  recreateMirror(): Promise<void>;
  /**
   * Reports in the condition until when requests of another holder may be carried out. @returns ms until the next report or action; undefined when
   * there is no such holder
   */
  reportQuarantine(): Promise<number | undefined>;
  /**
   * Calls the integration, with `times.call` ms for its own time; the condition reports a long call.
   * @throws the integration's error, or ContractError after too long a call: from then on this controller does nothing
   */
  callIntegration<T>(name: IntegrationFunction, call: () => T | Promise<T>): Promise<T>;
}

function lockOf(session: Session): LockState | undefined {
  const { entry } = session;
  if (isRestorable(session)) return currentLockState(session);
  if (entry === undefined || !isLocked(entry)) return undefined;
  const lock = currentLockState(session);
  const isHeld = lock.kind === 'busy' || lock.kind === 'unknown' || unrecordedOutcome(session) !== undefined;
  return isHeld ? lock : undefined;
}

type ClusterWrites = Pick<ProviderController, 'create' | 'patch' | 'delete'>;

/** Returns functions that write to the cluster, in the workspace's namespace. */
function writesOf(session: Session, { signal }: IntegrationCall): ClusterWrites {
  const { workspace } = session;
  const { client } = session.host;
  const namespace = workspace.metadata.namespace ?? '';
  return {
    async create(kind, object, options) {
      signal.throwIfAborted();
      const made = withOwnerReference(session, kind, object);
      try {
        return await client.create(kind, made, options);
      } catch (error) {
        const { name } = object.metadata;
        if (!(error instanceof AlreadyExistsError) || name === undefined) throw error;
        const existing = await client.get(kind, { namespace, name });
        if (isOwnedBy(existing, workspace)) return existing;
        throw error;
      }
    },
    async patch(kind, key, ...rest) {
      signal.throwIfAborted();
      if (kind.group === group && kind.kind === Workspace.kind) checkWorkspacePatch(session.scope, ...rest);
      return client.patch(kind, keyIn(namespace, kind, key), ...rest);
    },
    async delete(kind, key, options) {
      signal.throwIfAborted();
      return client.delete(kind, keyIn(namespace, kind, key), options);
    },
  };
}

/** Returns the changes that an integration may make through its controller; they reject once its call has been given up. */
function changesOf(session: Session, call: IntegrationCall) {
  const { scope } = session;
  const untilAborted =
    <Args extends readonly unknown[], T>(change: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      call.signal.throwIfAborted();
      return change(...args);
    };
  return {
    updateCondition: untilAborted((status: ConditionStatus, reason: string) =>
      updateCondition(session, status, reason),
    ),
    update: untilAborted(async (recipe: Parameters<ProviderController['update']>[0]) => {
      const changes = statusPatch(session.workspace, checkedRecipe(scope, session.workspace.status, recipe));
      await session.patchStatus(changes);
    }),
    setOutputs: untilAborted((outputs: Outputs) => setOutputs(session, outputs)),
    setFinalizer: untilAborted((finalizer: string) => setFinalizer(session, finalizer)),
    removeFinalizer: untilAborted((finalizer: string) => dropFinalizer(session, finalizer)),
  };
}

/** Creates the controller of one integration for one workspace and one walk. `scope` names its condition and its claim. */
export function createController(host: ProviderHost, workspace: Workspace, scope: Scope): InternalController {
  const session = new Session(host, workspace, scope);
  const call = new IntegrationCall(host, scope);
  let ensured: EarlierEnsure | undefined;
  const changes: Omit<InternalController, keyof ProviderReader> = {
    ...writesOf(session, call),
    ...changesOf(session, call),
    guard: (reason, task, options = {}) => call.runUntimed(() => plainGuard(session, { reason, task, options })),
    ensure: (resource, wanted) =>
      call.runUntimed(async () => {
        const all = ensureContextOf(session, resource, Array.isArray(wanted) ? wanted : [wanted]);
        checkSecondEnsure(scope, ensured, all);
        ensured = all;
        return ensure(withOrphanPolicy(all, all.wanted));
      }),
    destroy: (resource, wanted = []) =>
      call.runUntimed(async () => destroy(withOrphanPolicy(ensureContextOf(session, resource, wanted), []))),
    event: (type, reason, message) => host.events.event(session.workspace, type, reason, message),
    locked: () => lockOf(session),
    reportUnresolved: () => reportUnresolved(session),
    writeCondition: (status, reason) => writeCondition(session, status, reason),
    orphanAll: () => withQuarantineReport(session, () => orphanAll(session)),
    recreateMirror: async () => (ensured ? undefined : recreateMirror(session, requestMsOf(session, {}))),
    reportQuarantine: () => reportQuarantine(session),
    callIntegration: (name, work) => withSlowCallReport(session, call, { name, work }),
  };
  return Object.assign(providerReader(session, call, session), changes);
}

/** Records what an integration would do, without any change. */

import { type Draft, produce } from 'immer';
import { type ConditionStatus, setCondition } from '../../api/condition.ts';
import type { Kind } from '../../api/kind.ts';
import { isOwnedBy, type KubeObject, type ObjectKey } from '../../api/object.ts';
import type { GuardEntry, Workspace, WorkspaceStatus } from '../../api/workspace.ts';
import type { NewObject } from '../../client/client.ts';
import { ignoreNotFound } from '../../client/ignore-not-found.ts';
import { IntegrationCall, type IntegrationFunction } from '../contract/call-deadline.ts';
import type { ExternalResource } from '../contract/external-resource.ts';
import type { ProviderController } from '../contract/integration.ts';
import { completionOutcome } from '../external/change-outcome.ts';
import { readDryRunChanges } from '../external/dry-run-changes.ts';
import type { PlannedChange } from '../external/planned-change.ts';
import { withOwnerReference } from '../external/with-owner-reference.ts';
import { withReadDeadline } from '../guard/read-deadline.ts';
import { keyIn } from '../host/default-namespace-reader.ts';
import type { ProviderHost } from '../host/host.ts';
import type { ExternalObject } from '../journal/external-objects.ts';
import { type Scope, Session } from '../journal/session.ts';
import { checkedRecipe } from './check-status-change.ts';
import { ensureContextOf } from './create-controller.ts';
import { checkFinalizer } from './custom-finalizers.ts';
import { type ProviderReader, providerReader } from './provider-reader.ts';
import { checkOutputs } from './set-outputs.ts';

/** Ends a provider's call in a dry run: the next step would depend on a change that was not made. */
export class DryRunStop extends Error {
  static {
    DryRunStop.prototype.name = 'DryRunStop';
  }
}

/** Planned changes of an integration, as far as they can be known. */
export interface DryRunResult {
  /** Steps in order; none when nothing would be done. */
  readonly steps: readonly PlannedChange[];
  /** Condition that the integration would set if it would do nothing else. */
  readonly condition: { readonly status: ConditionStatus; readonly reason: string } | undefined;
  /** ms until another look is useful; undefined when nothing external was read. */
  readonly requeueAfter: number | undefined;
  /** Workspace with the status that the integration would have written. */
  readonly workspace: Workspace;
}

/** Read-only controller that records the requested changes. */
export interface DryRunController {
  readonly controller: ProviderController;
  result(): DryRunResult;
  /** Calls the integration, with `times.call` ms for its own time. @throws its error, ContractError when it takes too long */
  callIntegration<T>(name: IntegrationFunction, call: () => T | Promise<T>): Promise<T>;
}

/** ms between two looks at objects of a resource without an interval. */
const usualInterval = 300_000;

/** Steps and status recorded so far. */
class DryRunNotes {
  readonly steps: PlannedChange[] = [];
  readonly #scope: Scope;
  readonly #host: ProviderHost;
  workspace: Workspace;
  condition: DryRunResult['condition'];
  requeueAfter: number | undefined;

  constructor(host: ProviderHost, workspace: Workspace, scope: Scope) {
    this.#host = host;
    this.#scope = scope;
    this.workspace = workspace;
  }

  setPlannedCondition(status: ConditionStatus, reason: string): void {
    this.condition = { status, reason };
    const { type } = this.#scope;
    const { generation } = this.workspace.metadata;
    this.write((draft) => {
      const next = { type, status, reason, observedGeneration: generation };
      draft.conditions = setCondition(
        this.workspace.status?.conditions,
        next,
        this.#host.clock.now(),
      ) as typeof draft.conditions;
    });
  }

  write(recipe: (status: Draft<WorkspaceStatus>) => void): void {
    this.workspace = produce(this.workspace, (draft) => {
      draft.status ??= {};
      recipe(draft.status);
    });
  }

  /** Schedules the next look after that time, or up to a quarter earlier. */
  lookAgain(interval = usualInterval): void {
    const ms = interval * (0.75 + this.#host.random() / 4);
    this.requeueAfter = Math.min(ms, this.requeueAfter ?? ms);
  }

  stop(...steps: readonly PlannedChange[]): never {
    this.steps.push(...steps);
    throw new DryRunStop(`${this.#scope.type}: nothing is changed, only planned`);
  }
}

/** Returns the step that resolves an unresolved attempt, which comes before all others. */
const resolving = ({ op }: GuardEntry): PlannedChange => ({
  op: 'task',
  what: `finding out what became of "${op}"`,
  guarded: true,
});

/** External objects of one condition and their desired state. */
interface DryRunTarget<Wanted, Id extends object> {
  readonly session: Session;
  readonly resource: ExternalResource<Wanted, Id>;
  readonly all: readonly Wanted[];
}

/** Names the reads of a plan, for the error of one that does not respond. */
const readsText = ({ label }: { readonly label: string }): string => `${label}: find or observe`;

async function planEnsure<Wanted, Id extends object>(
  notes: DryRunNotes,
  { session, resource, all }: DryRunTarget<Wanted, Id>,
): Promise<void> {
  const context = ensureContextOf(session, resource, all);
  const { entry } = session;
  if (resource.observe !== undefined || resource.find !== undefined) notes.lookAgain(resource.driftInterval);
  const { steps, making } = await withReadDeadline(session.host, readsText(resource), (signal) =>
    readDryRunChanges(context, signal),
  );
  if (entry?.phase === 'intent') notes.stop(resolving(entry), ...steps);
  if (steps.length > 0) notes.stop(...steps);
  if (making) return notes.setPlannedCondition('In Progress', `${resource.label} is being made`);
  const objects = context.wanted.map(({ slot, hash }): ExternalObject => ({ slot, hash, id: {} }));
  const { status, reason } = completionOutcome(context, objects, '');
  notes.setPlannedCondition(status, reason);
}

async function planDestroy<Wanted, Id extends object>(
  notes: DryRunNotes,
  { session, resource, all }: DryRunTarget<Wanted, Id>,
): Promise<void> {
  const context = ensureContextOf(session, resource, all);
  const { steps } = await withReadDeadline(session.host, readsText(resource), (signal) =>
    readDryRunChanges({ ...context, wanted: [] }, signal),
  );
  const { entry } = session;
  const rest: PlannedChange = { op: 'delete', what: `whatever else is found of ${resource.label}` };
  if (entry === undefined || entry.phase === 'intent' || steps.length === 0) steps.push(rest);
  if (entry?.phase !== 'gone' && entry?.phase !== 'none') notes.stop(...steps.map(({ op, what }) => ({ op, what })));
  notes.setPlannedCondition('Terminated', `no ${resource.label} is left`);
}

type PlannedWrites = Pick<ProviderController, 'create' | 'patch' | 'delete'>;

/** Returns functions that record writes to the cluster instead of sending them; reads are unaffected. */
function plannedWrites(notes: DryRunNotes, session: Session): PlannedWrites {
  const { host, workspace } = session;
  const { client } = host;
  const namespace = workspace.metadata.namespace ?? '';
  const there = <T extends KubeObject>(kind: Kind<T>, key: ObjectKey): Promise<T | undefined> =>
    ignoreNotFound(client.get(kind, keyIn(namespace, kind, key)));
  return {
    async create<T extends KubeObject>(kind: Kind<T>, object: NewObject<T>): Promise<T> {
      const made = withOwnerReference(session, kind, object);
      const { name } = made.metadata;
      const existing = name === undefined ? undefined : await there(kind, { name });
      if (existing !== undefined && isOwnedBy(existing, workspace)) return existing;
      const why = existing && 'an object of that name exists, and has another owner';
      notes.steps.push({ op: 'create', what: `${kind.kind} ${name ?? 'with a new name'}`, ...(why && { why }) });
      return made as T;
    },
    async patch(kind, key) {
      notes.steps.push({ op: 'update', what: `${kind.kind} ${key.name}` });
      return client.get(kind, keyIn(namespace, kind, key));
    },
    async delete(kind, key) {
      if ((await there(kind, key)) !== undefined) notes.steps.push({ op: 'delete', what: `${kind.kind} ${key.name}` });
      return 'gone';
    },
  };
}

/**
 * Creates a controller that records what an integration would do. It reads, from the cluster and, by `find` and `observe`, from the third party; it
 * writes nothing. `guard` runs no task; like `ensure` and `destroy` with pending changes, it ends the provider's call with {@link DryRunStop}.
 */
export function createDryRunController(host: ProviderHost, workspace: Workspace, scope: Scope): DryRunController {
  const session = new Session(host, workspace, scope);
  const notes = new DryRunNotes(host, workspace, scope);
  const call = new IntegrationCall(host, scope);
  const planned: Omit<ProviderController, keyof ProviderReader> = {
    guard: async (reason, _task, { op = scope.terminating ? 'delete' : 'task' } = {}) =>
      notes.stop({ op, what: reason, guarded: true }),
    ensure: (resource, wanted) =>
      call.runUntimed(async () => {
        await planEnsure(notes, { session, resource, all: Array.isArray(wanted) ? wanted : [wanted] });
        return {};
      }),
    destroy: (resource, wanted = []) =>
      call.runUntimed(async () => {
        await planDestroy(notes, { session, resource, all: wanted });
        return {};
      }),
    ...plannedWrites(notes, session),
    updateCondition: async (status, reason) => {
      const { entry } = session;
      if (entry?.phase === 'intent') notes.stop(resolving(entry));
      notes.setPlannedCondition(status, reason);
    },
    update: async (recipe) => notes.write(checkedRecipe(scope, notes.workspace.status, recipe)),
    setOutputs: async (outputs) => checkOutputs(session, outputs),
    setFinalizer: async (finalizer) => checkFinalizer(scope, finalizer),
    removeFinalizer: async (finalizer) => checkFinalizer(scope, finalizer),
    event: () => {},
  };
  const controller = Object.assign(providerReader(session, call, notes), planned);
  const result = (): DryRunResult => ({
    steps: notes.steps,
    condition: notes.condition,
    requeueAfter: notes.requeueAfter,
    workspace: notes.workspace,
  });
  return { controller, result, callIntegration: (name, work) => call.run(name, work, () => {}) };
}

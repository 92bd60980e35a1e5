/** Contract of integrations: the functions that they implement and the controller that they get. */

import type { Draft } from 'immer';
import type { ZodType } from 'zod';
import type { Condition, ConditionStatus } from '../../api/condition.ts';
import type { Kind } from '../../api/kind.ts';
import type { KubeObject, ObjectKey } from '../../api/object.ts';
import type { Workspace, WorkspaceStatus } from '../../api/workspace.ts';
import type { DeleteOptions, NewObject, Patch, Reader, WriteOptions } from '../../client/client.ts';
import type { Result } from '../../reconcile/reconciler.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { CallbackPromise } from './callback-return-type.ts';
import type { ExternalResource } from './external-resource.ts';
import type { ManagementPolicy } from './management-policy.ts';
import type { OutputDeclarations, Outputs } from './outputs.ts';
import type { PolicyRule } from './permissions.ts';
import type { WrongField } from './settings.ts';

/** Result of a task: the condition's next status and its reason (not empty, never a secret; cut after 1024 characters). */
export interface Outcome {
  readonly status: ConditionStatus;
  readonly reason: string;
  /** Ids of the existing external objects, replacing the known ones; no secrets, 512 Ki characters of JSON at most. Absent: as checkpointed. */
  readonly refs?: readonly Ref[];
}

/** Id of an external object: plain JSON, 16 Ki characters at most, no secret. A member `id` (with `slot`) identifies it; other members may change. */
export type Ref = Readonly<Record<string, unknown>>;

/** Context of a task. */
export interface TaskContext {
  /** Idempotency key: the same for all attempts of one operation. Use it to name or tag created objects. */
  readonly key: string;
  /** Aborts when the lease is about to expire, when the attempt is fenced, or when the process stops hard. Pass it to each request. */
  readonly signal: AbortSignal;
  /** Ids recorded so far. */
  readonly refs: readonly Ref[];
  /** Input of the operation: on a re-issue, the journalled one, not the currently desired state. */
  readonly input: Ref | undefined;
  /** Makes an id durable before the next step: await it after each creation if more than one object is created. */
  checkpoint(ref: Ref): Promise<void>;
}

/**
 * Changes the outside world once. Throw DefiniteError for a refusal without effect, ThrottledError for throttling; any other error is ambiguous, and
 * so is an invalid outcome: its ids are kept.
 */
export type Task = <T>(
  context: TaskContext,
) => CallbackPromise<Outcome, '{ status: ConditionStatus; reason: string; refs?: Ref[] }', T>;

export interface GuardOptions {
  /** Kind of change, for the journal. Other kinds than `'update'` and `'delete'` may create something: their intent is mirrored too. @default 'task' */
  readonly op?: 'create' | 'update' | 'delete' | 'task';
  /**
   * Way in which an attempt with a lost response is found again.
   * `'name'`: repeating the task is safe, because the objects that it creates have unique names and creating them is conditional (a repeated creation
   * reports that the name exists, and its owner can be read). `'key'`: repeating it with the same key and the journalled input is safe, because the
   * third party remembers keys. A repetition may return an object that has been deleted since: check that it exists, and otherwise return `In Progress`
   * with `refs: []`, so that the next attempt has another key. `'opaque'`: it cannot be found; a person has to decide, unless `recover` finds it. @default 'opaque'
   */
  readonly identity?: 'name' | 'key' | 'opaque';
  /**
   * Searches for the result of an unresolved attempt, by its key or an owner mark: called in a new attempt, when all old requests are dead.
   * Its result is the outcome; undefined means that nothing was created, and then the task runs. Its result is used at once: where lists
   * lag behind writes, it must read a found object itself before it returns it.
   */
  readonly recover?: (context: TaskContext) => Promise<Outcome | undefined>;
  /** For identity `'key'`: ms for which the third party remembers a key, from its first use. @default forever */
  readonly validForMs?: number;
  /** Time in ms within which an abandoned request may still be carried out, if longer than the sequencer's assumption. @default 0 */
  readonly maxRequestMs?: number;
  /** Time in ms for which a new object may be missing from the third party's lists. @default 0 */
  readonly listLagMs?: number;
  /** Input that a re-issue must repeat, kept in the journal: JSON, small, never a secret. */
  readonly input?: Ref;
}

/**
 * Controller of an integration for one workspace: all its operations are safe at any time and never act on stale data. `get` and `list` read from the
 * workspace's namespace by default; `list` with `namespace: ''` reads from all. Invalid arguments are rejected with a ContractError.
 * After a call has been given up, all operations of its controller reject.
 */
export interface ProviderController extends Reader {
  /** Workspace as of the last read or own write; frozen. */
  readonly workspace: Workspace;
  /** Condition of this integration, as of the last own write. */
  readonly condition: Condition;
  readonly namespace: string;
  /** Ids in the journal of this condition, also of an unresolved operation. After a lost journal, create an object that an update does not find. */
  readonly refs: readonly Ref[];
  /** Aborts when the sequencer stops, and when a call has timed out: pass it to each request outside a guard. */
  readonly signal: AbortSignal;
  /** Policy for external objects. `ensure`, `destroy` and guards obey it; a task with other changes must skip its deletions under `orphan`. */
  readonly policy: ManagementPolicy;
  /** Earlier uids of the workspace, before it was restored from a backup, the latest last: external objects with their mark belong to it. */
  readonly formerUids: readonly string[];
  /** Runs a task that changes the outside world while this condition is locked: see docs/guard.md for the contract. */
  guard(reason: string, task: Task, options?: GuardOptions): Promise<void>;
  /**
   * Creates, updates and deletes external objects under guard until all are as wanted, then sets `Completed`. Return its result from `reconcile`. What is
   * not wanted is removed, so pass all that is wanted under the condition. @throws ContractError too after an `ensure` of another resource, or of more
   */
  ensure<Wanted, Id extends object>(
    resource: ExternalResource<Wanted, Id>,
    wanted: NoInfer<Wanted> | readonly NoInfer<Wanted>[],
  ): Promise<Result>;
  /**
   * Deletes all external objects of this condition, known or findable, and sets `Terminated` when they are gone. `wanted` names the objects to search
   * for if the journal was lost and the resource has several objects. @default the recorded ones
   */
  destroy<Wanted, Id extends object>(
    resource: ExternalResource<Wanted, Id>,
    wanted?: readonly NoInfer<Wanted>[],
  ): Promise<Result>;
  /**
   * Sets this condition; no request when it is unchanged. `Terminated`, set from `terminate`, releases the claim where no guard has recorded an id.
   * @throws BusyError while a guard has locked it; ContractError for an unknown status, an empty reason, or `Terminated` while ids are recorded
   */
  updateCondition(status: ConditionStatus, reason: string): Promise<void>;
  /**
   * Sets the outputs of this condition to exactly these, until it is terminated; no request when they are unchanged. Call it from `reconcile`.
   * @throws ContractError for an undeclared name, a value that is not a text of 1024 characters at most, or one that holds a secret
   */
  setOutputs(outputs: Outputs): Promise<void>;
  /**
   * Changes the status by a recipe; sends the smallest patch, refused if the status has changed meanwhile (StaleError). `guards`, `outputs`,
   * `phase`, `observedGeneration` and conditions of others must not be changed. @throws ContractError naming the field
   */
  update(recipe: (status: Draft<WorkspaceStatus>) => void): Promise<void>;
  /**
   * Creates an object in the workspace's namespace, with owner reference and label; an owned one of that name is returned unchanged. @throws
   * ContractError for a cluster-scoped kind, which a workspace cannot own
   */
  create<T extends KubeObject>(kind: Kind<T>, object: NewObject<T>, options?: WriteOptions): Promise<T>;
  /**
   * Patches an object in the workspace's namespace. @throws InvalidError or ConflictError if the patch's tests do not hold; ContractError for the status,
   * finalizers or mirrors of a workspace
   */
  patch<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<T>;
  /** Deletes an object in the workspace's namespace; a missing one counts as gone. */
  delete<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: DeleteOptions): Promise<'gone' | 'deleting'>;
  /**
   * Returns the objects of a kind that the workspace owns: for kinds in the integration's `owns`, from the sequencer's cache, without a request, as
   * of the start of the walk or later; other kinds are read live.
   */
  owned<T extends KubeObject>(kind: Kind<T>): Promise<readonly T[]>;
  /**
   * Returns the other workspaces for which the integration's `uniqueNames` has this name, the oldest first: from the sequencer's cache, without a
   * request. When one of them gives the name up or is gone, this workspace is walked again.
   */
  othersWith(name: string): readonly Workspace[];
  /**
   * Adds a finalizer of the integration's own to the workspace, with a domain of its own such as `acme.example/boxes`.
   * @throws StaleError in `reconcile` if the workspace is being deleted meanwhile, ContractError in `terminate` and for a claim (`se.quencer.io/…`)
   */
  setFinalizer(finalizer: string): Promise<void>;
  /** Removes a finalizer; a missing one counts as removed. @throws ContractError for a claim (`se.quencer.io/…`) */
  removeFinalizer(finalizer: string): Promise<void>;
  /** Records an event about the workspace; best effort, never throws. */
  event(type: 'Normal' | 'Warning', reason: string, message: string): void;
}

/** Arguments of `connect`. */
export interface ProviderConfig {
  readonly workspace: Workspace;
  readonly controller: ProviderController;
}

/**
 * Integration connected to one workspace. Both functions are called repeatedly and must be idempotent. Each has `times.call` ms (60 000), without the
 * time inside `guard`, `ensure` and `destroy`: then it is given up, and the condition reports it.
 */
export interface Provider<Settings = unknown> {
  /**
   * Brings the condition closer to `Completed`. Return `requeueAfter` to be called again without a change; a very short delay is lengthened.
   * `settings` is the result of the integration's schema for `spec.integrations.<name>`; undefined without a schema.
   */
  reconcile(settings: Settings): Promise<Result | undefined | void>;
  /**
   * Deletes all external objects, then sets `Terminated`; until then sets `In Progress` or `Waiting`, or returns `requeueAfter`. Not called on the
   * deletion of a workspace for which nothing was begun: no guard, no condition beyond `Error`, no kind in `owns`, no finalizer of another party.
   */
  terminate(): Promise<Result | undefined | void>;
}

/** Integration of a third party. */
export interface Integration<Settings = unknown> {
  /** DNS label; `se.quencer.io/<name>` is its finalizer, called its claim. */
  readonly name: string;
  /** Condition of the integration. Several may have one condition, if at most one of them handles a workspace. */
  readonly condition: string;
  /** Conditions that must be `Completed` or `Healthy` before it starts, if an integration handles them. @default [] */
  readonly after?: readonly string[];
  /**
   * Zod schema of what users write in `spec.integrations.<name>`, where `name` is its own. Checked before each `reconcile`, which gets the parsed value; a
   * mistake is reported in the condition by field, with the nearest known name, and nothing is called. Its objects are strict or loose, so that no misspelt
   * member is dropped. @default `reconcile` reads the workspace itself
   */
  readonly settings?: ZodType<Settings>;
  /** Outputs of its condition, by name: those that its controller may set. @default none */
  readonly outputs?: OutputDeclarations;
  /**
   * Returns the outputs of other conditions that it uses for this workspace, as `Condition.name`: it is called once they exist, and deleted before
   * what they describe. Pure and cheap; {@link outputReferences} finds those in a spec. @default none
   */
  references?(workspace: Workspace): readonly string[];
  /**
   * Returns what `reconcile` and `terminate` take from the rest of the workspace, such as the statuses of other conditions, as plain JSON: when that
   * changes during a walk, the integration is called again in the same walk. Pure and cheap; neither the time nor its own condition may be part of it. If it
   * throws, the condition becomes `Error`; on deletion `terminate` is called once. @default nothing
   */
  reads?(workspace: Workspace): unknown;
  /**
   * Returns names that one workspace alone should have, such as a host with its path: its controller finds the others that ask for one, see
   * {@link ProviderController.othersWith}. Pure and cheap; 256 names of 1024 characters at most. @default none
   */
  uniqueNames?(workspace: Workspace): readonly string[];
  /**
   * Validates the spec in addition to `settings`: returns the fields that make `Completed` impossible, such as `spec.networking.dns.zone`, each with a
   * message that is complete without the field. The condition reports the messages and the integration is not called; the admission webhook rejects
   * the fields. Pure and cheap; an output that is not there yet is not a mistake. @default nothing
   */
  validate?(workspace: Workspace): readonly WrongField[];
  /** Kinds of objects it creates through its controller: a change of one requeues the workspace. @default [] */
  readonly owns?: readonly Kind[];
  /**
   * Permissions of its controller in the workspace's namespace, in addition to watching what it `owns`: the sequencer checks them at its start, and
   * `sequencer manifests` grants them. @default `get`, `create`, `patch` and `delete` of the kinds it owns
   */
  readonly permissions?: readonly PolicyRule[];
  /**
   * Addresses that it connects to besides the API server, for a NetworkPolicy of `sequencer manifests --egress`: URLs with a host and a port, such as
   * `https://api.example.com`, `tcp://db.example.com:5432` or `udp://192.0.2.53:53`, `*` for any host; `[]`: none. @default not known
   */
  readonly endpoints?: readonly string[];
  /** Policy for its external objects in all workspaces; annotations of a workspace can only make it stricter. @default 'manage' */
  readonly policy?: ManagementPolicy;
  /** Values to redact in conditions, events and logs: tokens, passwords, keys, of 6 characters or more. @default [] */
  readonly secrets?: readonly string[];
  /** Rate limits for calls to its third party, for all workspaces together. @default unlimited */
  readonly limits?: RateLimits;
  /** Reports whether this workspace requests the integration. Pure and cheap; if it throws, the condition becomes `Error` and nothing is changed. */
  handles(workspace: Workspace): boolean;
  /** Connects to one workspace, for each walk that calls the integration; create expensive clients once, outside. Has `times.call` ms, too. */
  connect(config: ProviderConfig): Provider<Settings> | Promise<Provider<Settings>>;
}

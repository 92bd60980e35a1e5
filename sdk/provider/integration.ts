import type { Draft } from 'immer';
import type { Condition, ConditionStatus } from '../api/condition.ts';
import type { Kind } from '../api/kind.ts';
import type { KubeObject, ObjectKey } from '../api/object.ts';
import type { Workspace, WorkspaceStatus } from '../api/workspace.ts';
import type { DeleteOptions, NewObject, Patch, Reader, WriteOptions } from '../client/client.ts';
import { refuseUnknown } from '../options.ts';
import type { Result } from '../reconcile/reconciler.ts';
import { found, isRecord, mistakeInText } from './contract.ts';
import type { ExternalResource } from './external-resource.ts';
import { type Limits, mistakeIn } from './limits.ts';
import { mistakeInPermissions, type PolicyRule } from './permissions.ts';
import { isPolicy, type Policy, policies } from './policy.ts';

/** What a task says when it is through: the condition's next status and its reason (not empty, never a secret; cut after 1024 characters). */
export interface Outcome {
  readonly status: ConditionStatus;
  readonly reason: string;
  /** Ids of what exists outside now, replacing those known before; never secrets, 512 Ki characters of JSON at most. Absent: as checkpointed. */
  readonly refs?: readonly Ref[];
}

/** An id the third party gave: a plain object of JSON, 16 Ki characters at most, and never a secret. One with a member `id` is known by that (and its `slot`); the rest of it may change. */
export type Ref = Readonly<Record<string, unknown>>;

/** What a task is handed. */
export interface TaskContext {
  /** Stable for one operation: every attempt gets the same key. Use it to name or tag what you create. */
  readonly key: string;
  /** Aborts when the lease nears its end, when the attempt is fenced, or when the process stops hard. Pass it to every request. */
  readonly signal: AbortSignal;
  /** The ids recorded so far. */
  readonly refs: readonly Ref[];
  /** What this operation was begun with: on a re-issue what was journalled then, not what is wanted now. */
  readonly input: Ref | undefined;
  /** Makes an id durable before the next step: await it after every creation if more than one thing is created. */
  checkpoint(ref: Ref): Promise<void>;
}

/**
 * Changes the outside world once. Throw DefiniteError for "no, nothing has happened", ThrottledError for "later"; anything else is ambiguous, and so
 * is an outcome that is wrong: the ids in it are kept.
 */
export type Task = (context: TaskContext) => Promise<Outcome>;

export interface GuardOptions {
  /** What the change is, for the journal. @default 'task' */
  readonly op?: 'create' | 'update' | 'delete' | 'task';
  /**
   * How an attempt whose answer was lost is found again.
   * `'name'`: running the task again is safe, because what it creates has a name of its own and creating it is conditional (the same create again
   * says "exists", and whose it is can be read). `'key'`: running it again with the same key and the journalled input is safe, because the third
   * party remembers keys. `'opaque'`: it can't be found; a person is asked, unless `recover` can tell. @default 'opaque'
   */
  readonly identity?: 'name' | 'key' | 'opaque';
  /**
   * Looks for what an unresolved attempt made, by its key or a mark of ours: called inside a new attempt, when every request of the old one is dead.
   * What it answers is the outcome; undefined means that nothing was made, and then the task runs.
   */
  readonly recover?: (context: TaskContext) => Promise<Outcome | undefined>;
  /** For identity `'key'`: how long the third party remembers a key, ms from its first use. @default for ever */
  readonly validForMs?: number;
  /** How long a request that was given up may still be carried out, ms, where that is longer than the sequencer assumes. @default 0 */
  readonly maxRequestMs?: number;
  /** How long something new may be missing from what the third party lists, ms. @default 0 */
  readonly listLagMs?: number;
  /** What a re-issue must repeat, kept in the journal: JSON, small, never a secret. */
  readonly input?: Ref;
}

/**
 * The handle a provider holds: everything an integration may do to its workspace, safe to call at any time, never on stale data. `get` and `list` read
 * from the workspace's namespace unless told otherwise; `list` with `namespace: ''` reads from all. What is handed in and is wrong is refused with a
 * ContractError. A call that is given up takes its controller with it: whatever that is asked for rejects.
 */
export interface ProviderController extends Reader {
  /** As of the last read or own write; frozen. */
  readonly workspace: Workspace;
  /** The condition this integration is responsible for, as of the last own write. */
  readonly condition: Condition;
  readonly namespace: string;
  /**
   * Ids recorded by this condition's guard so far; of an operation that has not come to an end, too: whether all is there, the condition says. An id is
   * never dropped too early, so that after a lost journal one may name what is gone: what an update does not find is to be made anew.
   */
  readonly refs: readonly Ref[];
  /** Aborts when the sequencer stops, and when a call has not answered in time: pass it to every request outside of a guard. */
  readonly signal: AbortSignal;
  /** What may be done about things outside. `ensure`, `destroy` and guards heed it; a task that deletes among other things leaves that out under `orphan`. */
  readonly policy: Policy;
  /** Earlier uids of the workspace, before it was restored from a backup, the latest last: what bears their mark is its own, and is to be marked anew. */
  readonly formerUids: readonly string[];
  /** Runs a task that changes the outside world while this condition is locked: see docs/guard.md for the contract. */
  guard(reason: string, task: Task, options?: GuardOptions): Promise<void>;
  /**
   * Brings what exists outside to what is wanted: creates, changes and removes under guard, one thing after the other, and says `Completed` when all
   * is there. Return its result from `reconcile`: it says when to come back.
   */
  ensure<Wanted, Id extends Ref>(
    resource: ExternalResource<Wanted, Id>,
    wanted: Wanted | readonly Wanted[],
  ): Promise<Result>;
  /**
   * Takes away everything that this condition has made outside, known or findable, and says `Terminated` when it is gone. `wanted` names what to look
   * for where the journal was lost and the resource tells several things apart. @default what was recorded
   */
  destroy<Wanted, Id extends Ref>(resource: ExternalResource<Wanted, Id>, wanted?: readonly Wanted[]): Promise<Result>;
  /**
   * Sets this condition; nothing is sent when it is so already. `Terminated`, said from `terminate`, lets the claim go where no guard has recorded an id.
   * @throws BusyError while a guard has locked it; ContractError for a status that is none, no reason, or `Terminated` while ids are recorded
   */
  updateCondition(status: ConditionStatus, reason: string): Promise<void>;
  /**
   * Changes the status by a recipe; what goes out is the smallest patch, refused if the status has changed meanwhile (StaleError). `guards`, `phase`,
   * `observedGeneration` and conditions of others are not its to change.
   * @throws ContractError naming the field
   */
  update(recipe: (status: Draft<WorkspaceStatus>) => void): Promise<void>;
  /** Creates an object in the workspace's namespace, owned by it and labelled; an object of that name which it owns already is returned as it is. */
  create<T extends KubeObject>(kind: Kind<T>, object: NewObject<T>, options?: WriteOptions): Promise<T>;
  /** Changes an object of the workspace's namespace; as the patch says, refused with InvalidError or ConflictError if its tests do not hold. */
  patch<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<T>;
  /** Deletes an object of the workspace's namespace; one that is not there counts as gone. */
  delete<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: DeleteOptions): Promise<'gone' | 'deleting'>;
  /**
   * The objects of a kind that the workspace owns. For kinds named in the integration's `owns` they come from the sequencer's cache, without a
   * request, as of the begin of the walk or later; other kinds are read live.
   */
  owned<T extends KubeObject>(kind: Kind<T>): Promise<readonly T[]>;
  /**
   * Adds a finalizer of the integration's own to the workspace, with a domain of its own such as `acme.example/boxes`.
   * @throws StaleError in `reconcile` of a workspace that is being deleted by now, ContractError in `terminate` and for a claim (`se.quencer.io/…`)
   */
  setFinalizer(finalizer: string): Promise<void>;
  /** Removes one; one that is not there counts as removed. @throws ContractError for a claim (`se.quencer.io/…`) */
  removeFinalizer(finalizer: string): Promise<void>;
  /** Records an event about the workspace; best effort, never throws. */
  event(type: 'Normal' | 'Warning', reason: string, message: string): void;
}

/** What an integration is connected with. */
export interface ProviderConfig {
  readonly workspace: Workspace;
  readonly controller: ProviderController;
}

/**
 * An integration connected to one workspace. Both functions are called again and again: look first, then do what is missing. Each has to answer within
 * `times.call` ms (60 000), the time inside of `guard`, `ensure` and `destroy` not counted: it is given up then, and the condition says so.
 */
export interface Provider {
  /** Brings the condition nearer to `Completed`. Return `requeueAfter` to be called again without a change. */
  reconcile(): Promise<Result | undefined | void>;
  /**
   * Takes away everything outside, then says `Terminated`; until then `In Progress` or `Waiting`, or returns `requeueAfter`. Not called on the deletion of
   * a workspace for which nothing was ever begun: no guard, no condition beyond `Error`, no kind in `owns`, no finalizer of anybody else.
   */
  terminate(): Promise<Result | undefined | void>;
}

/** A registered third party. */
export interface Integration {
  /** A DNS label; `se.quencer.io/<name>` is its finalizer, its claim. */
  readonly name: string;
  /** The condition it is responsible for; one integration per condition. */
  readonly condition: string;
  /** Conditions that must be `Completed` or `Healthy` before it starts, where somebody handles them. @default [] */
  readonly after?: readonly string[];
  /** Kinds of objects it creates through its controller: a change of one runs the workspace again. @default [] */
  readonly owns?: readonly Kind[];
  /**
   * What its controller does with objects of the workspace's namespace, beside following what it `owns`: the sequencer checks these rights at its start,
   * and `sequencer manifests` grants them. @default `get`, `create`, `patch` and `delete` of what it owns
   */
  readonly permissions?: readonly PolicyRule[];
  /** What may be done about its things, for all workspaces; annotations of a workspace can only make it stricter. @default 'manage' */
  readonly policy?: Policy;
  /** Values that are kept out of conditions, events and logs: tokens, passwords, keys, of 6 characters or more. @default [] */
  readonly secrets?: readonly string[];
  /** How often its third party may be called, by all workspaces together. @default however often there is something to do */
  readonly limits?: Limits;
  /** Whether this workspace asks for it. Pure, cheap, never throws; while it does, its condition is an `Error`, and nothing is begun or taken away. */
  handles(workspace: Workspace): boolean;
  /** Called for every walk that moves it: cheap; what costs is made once, outside. Has to answer in time, as its provider has to. */
  connect(config: ProviderConfig): Provider | Promise<Provider>;
}

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const known = new Set([
  'name',
  'condition',
  'after',
  'owns',
  'permissions',
  'policy',
  'secrets',
  'limits',
  'handles',
  'connect',
]);

const isType = (type: unknown): boolean => mistakeInText(type, 316) === undefined;

const isKind = (kind: unknown): boolean =>
  isRecord(kind) &&
  ['group', 'version', 'kind', 'plural'].every((member) => typeof kind[member] === 'string') &&
  typeof kind.namespaced === 'boolean';

/** Checks an integration and returns it. @throws TypeError naming the field, what was expected and what was found */
export function defineIntegration(integration: Integration): Integration {
  if (!isRecord(integration)) throw new TypeError(`an integration must be an object; found ${found(integration)}`);
  const {
    name,
    condition,
    after = [],
    owns = [],
    permissions,
    policy = 'manage',
    secrets = [],
    limits,
    handles,
    connect,
  } = integration;
  const where = `integration ${found(name ?? '')}`;
  refuseUnknown(where, integration, known);
  const refuse = (field: string, expected: string, value?: unknown): never => {
    throw new TypeError(`${where}: ${field} ${expected}${value === undefined ? '' : `; found ${found(value)}`}`);
  };
  if (typeof name !== 'string' || !label.test(name))
    refuse('name', 'must be a DNS label (a-z, 0-9, -; 63 characters at most)');
  if (!isType(condition) || condition === 'Ready')
    refuse('condition', 'must be a condition type other than Ready, which is the sequencer’s', condition);
  if (!Array.isArray(after) || !after.every(isType)) refuse('after', 'must be an array of condition types', after);
  if (after.includes(condition)) refuse('after', 'must not hold its own condition');
  if (!Array.isArray(owns) || !owns.every(isKind)) refuse('owns', 'must be an array of kinds', owns);
  if (!isPolicy(policy)) refuse('policy', `must be one of ${policies.join(', ')}; found ${JSON.stringify(policy)}`);
  if (limits !== undefined && !isRecord(limits)) refuse('limits', 'must be an object', limits);
  if (!Array.isArray(secrets) || secrets.some((secret) => typeof secret !== 'string'))
    refuse('secrets', 'must be a list of texts');
  const wrong = permissions && mistakeInPermissions(permissions);
  if (wrong !== undefined) refuse('permissions', wrong);
  const mistake = limits && mistakeIn(limits);
  if (mistake !== undefined) refuse('limits:', mistake);
  if (typeof handles !== 'function') refuse('handles', 'must be a function (workspace) => boolean', handles);
  if (typeof connect !== 'function')
    refuse('connect', 'must be a function ({ workspace, controller }) => provider', connect);
  return integration;
}

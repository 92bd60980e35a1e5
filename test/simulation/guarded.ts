import {
  claimOf,
  DefiniteError,
  defineIntegration,
  type GuardOptions,
  type Integration,
  type Outcome,
  type ProviderController,
  type Ref,
  type Task,
  type TaskContext,
  type Workspace,
} from '../../sdk/index.ts';
import { NameTakenError, NotThereError, type Thing } from './inventory.ts';
import type { Port } from './third-party.ts';

/** How the third party lets an attempt be found again. */
export const identities = ['name', 'tag', 'key', 'opaque'] as const;

export type Identity = (typeof identities)[number];

/** How an integration reaches the third party from within an attempt. */
export type Connect = (controller: ProviderController, signal: AbortSignal) => Port;

/** What else there is to the things; what is not said otherwise only with `ensure`. */
export interface Traits {
  /** Whether what is made has a secret. @default false */
  readonly secrets?: boolean;
  /** ms from its creation until a thing is ready. @default 0 */
  readonly readyAfter?: number;
  /** Whether calls do not look at the signal of their attempt, in whatever way it is used. @default false */
  readonly ignoresSignal?: boolean;
  /** ms between two looks for changes made outside. @default never */
  readonly driftInterval?: number;
}

export interface GuardedOptions {
  readonly identity: Identity;
  readonly condition: string;
  readonly traits: Traits;
  readonly connect: Connect;
  /** Whether what is found is looked at before it is taken for ours. @default true */
  readonly checksMark?: boolean;
  readonly listLagMs?: number;
  /** Names of the things that a workspace wants. @default one, without a name */
  slots?(workspace: Workspace): readonly string[];
}

/** The condition that every simulated integration answers for, as long as it is not renamed. */
export const condition = 'Thing';

/** The finalizer of that integration. */
export const claim = claimOf('thing');

/** Whether a workspace asks for things. */
export const isAsked = ({ spec }: Workspace): boolean => spec.integrations?.thing !== undefined;

/** What a thing of this workspace carries: no other workspace ever has the same, not even one of the same name. */
export const markOf = ({ metadata }: Workspace): string => metadata.uid ?? '';

/** The value that is wanted. */
export const wantedOf = ({ spec }: Workspace): number => (spec.integrations?.thing as { value?: number })?.value ?? 0;

interface Wanted {
  readonly name: string;
  readonly mark: string;
  readonly value: number;
}

const idOf = ({ id }: Ref): string => String(id);
const stands = ({ id }: Thing, reason: string): Outcome => ({ status: 'Completed', reason, refs: [{ id }] });

/** What one integration does to one workspace. */
class Guarded {
  readonly #controller: ProviderController;
  readonly #options: GuardedOptions;

  constructor(controller: ProviderController, options: GuardedOptions) {
    this.#controller = controller;
    this.#options = options;
  }

  async reconcile(): Promise<void> {
    const { workspace, refs } = this.#controller;
    const { status, observedGeneration } = this.#controller.condition;
    if (status === 'Completed' && observedGeneration === workspace.metadata.generation && refs.length > 0) return;
    if (this.#isOpen('delete')) await this.terminate();
    else if (refs.length > 0 && !this.#isOpen('create')) {
      if (await this.#update()) return;
      await this.terminate();
    }
    await this.#create();
    if (this.#controller.condition.status === 'In Progress') await this.#update();
  }

  async terminate(): Promise<void> {
    const { identity } = this.#options;
    if (identity === 'key' && this.#isOpen('create')) await this.#create();
    const again = identity === 'name' || identity === 'tag' || this.#controller.refs.length > 0;
    await this.#controller.guard('deleting', (context) => this.#delete(context), {
      op: 'delete',
      identity: again ? 'name' : 'opaque',
      listLagMs: this.#options.listLagMs ?? 0,
    });
  }

  /** Whether such an attempt is unresolved. */
  #isOpen(op: 'create' | 'delete'): boolean {
    const entry = this.#controller.workspace.status?.guards?.[this.#options.condition];
    return entry?.phase === 'intent' && entry.op === op;
  }

  get #wanted(): Wanted {
    const { workspace } = this.#controller;
    return { name: workspace.metadata.name, mark: markOf(workspace), value: wantedOf(workspace) };
  }

  #port({ signal }: Pick<TaskContext, 'signal'>): Port {
    return this.#options.connect(this.#controller, signal);
  }

  /** What is wanted is read before the guard: its intent tests that it still is. */
  #create(): Promise<void> {
    const { identity, listLagMs = 0 } = this.#options;
    const wanted = this.#wanted;
    const options: Readonly<Record<Identity, GuardOptions>> = {
      name: { identity: 'name' },
      tag: { recover: (context) => this.#recover(context, wanted), listLagMs },
      key: { identity: 'key', input: { value: wanted.value } },
      opaque: {},
    };
    const tasks: Readonly<Record<Identity, Task>> = {
      name: (context) => this.#createByName(context, wanted),
      tag: (context) => this.#createByTag(context, wanted),
      key: (context) => this.#createByKey(context, wanted),
      opaque: async (context) => stands(await this.#port(context).create(wanted), 'created'),
    };
    return this.#controller.guard('creating', tasks[identity], { op: 'create', ...options[identity] });
  }

  /** What things of this workspace bear: its own mark, or one of before it was restored from a backup. */
  get #marks(): readonly string[] {
    return [this.#wanted.mark, ...this.#controller.formerUids];
  }

  #isOurs({ mark }: Thing): boolean {
    return this.#options.checksMark === false || this.#marks.includes(mark);
  }

  async #tagged(port: Port): Promise<Thing | undefined> {
    for (const mark of this.#marks) {
      const found = await port.find(mark);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The same conditional create again, then whose it is. */
  async #createByName(context: TaskContext, wanted: Wanted): Promise<Outcome> {
    const port = this.#port(context);
    try {
      return stands(await port.create({ ...wanted, unique: true }), 'created');
    } catch (error) {
      if (!(error instanceof NameTakenError)) throw error;
    }
    const found = await port.named(wanted.name);
    if (found === undefined) throw new Error(`${wanted.name} existed a moment ago`);
    if (!this.#isOurs(found)) throw new DefiniteError(`${found.name} belongs to somebody else`);
    return this.#adopt(found, port, wanted);
  }

  /** Looks first, whatever the journal says: it may have been put back to when nothing was made. */
  async #createByTag(context: TaskContext, wanted: Wanted): Promise<Outcome> {
    return (await this.#recover(context, wanted)) ?? stands(await this.#port(context).create(wanted), 'created');
  }

  async #createByKey(context: TaskContext, wanted: Wanted): Promise<Outcome> {
    const { value } = (context.input ?? wanted) as { value: number };
    const made = await this.#port(context).create({ ...wanted, value, key: context.key });
    const current = value === wanted.value;
    return { ...stands(made, 'created'), ...(!current && { status: 'In Progress' }) };
  }

  async #recover(context: TaskContext, wanted: Wanted): Promise<Outcome | undefined> {
    const port = this.#port(context);
    const found = await this.#tagged(port);
    return found && this.#adopt(found, port, wanted);
  }

  async #adopt(found: Thing, port: Port, { value }: Wanted): Promise<Outcome> {
    if (found.value !== value) await port.update(found.id, value);
    return stands(found, 'adopted');
  }

  /** @returns whether what is recorded is there: a journal that was lost after a deletion comes back with the ids from before it. */
  async #update(): Promise<boolean> {
    const { value } = this.#wanted;
    let isThere = true;
    const task: Task = async ({ refs, signal }) => {
      try {
        for (const ref of refs) await this.#port({ signal }).update(idOf(ref), value);
        return { status: 'Completed', reason: 'updated', refs };
      } catch (error) {
        if (!(error instanceof NotThereError)) throw error;
        isThere = false;
        return { status: 'In Progress', reason: `${error.message}: made anew`, refs };
      }
    };
    await this.#controller.guard('updating', task, { op: 'update', identity: 'name' });
    return isThere;
  }

  async #delete(context: TaskContext): Promise<Outcome> {
    const port = this.#port(context);
    const { identity } = this.#options;
    const known = context.refs.map(idOf);
    const found = identity === 'name' ? await port.named(this.#wanted.name) : undefined;
    const tagged = identity === 'tag' ? await this.#tagged(port) : undefined;
    const ours = [found, tagged].filter((thing) => thing !== undefined).filter((thing) => this.#isOurs(thing));
    for (const id of new Set([...known, ...ours.map(({ id }) => id)])) await port.delete(id);
    return { status: 'Terminated', reason: 'deleted', refs: [] };
  }
}

/** An integration that keeps one thing at the simulated third party, straight on the guard. */
export const guarded = (options: GuardedOptions): Integration =>
  defineIntegration({
    name: 'thing',
    condition: options.condition,
    handles: isAsked,
    connect: ({ controller }) => new Guarded(controller, options),
  });

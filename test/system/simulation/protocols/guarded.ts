/** Integration that uses the guard directly, for each way to identify its thing. */

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
} from '../../../../sdk/index.ts';
import { NameTakenError, NotThereError, type Thing } from '../third-party/inventory.ts';
import { type Maker, makersOf, suffixOf } from '../third-party/makers.ts';
import type { Port } from '../third-party/third-party.ts';
import type { Traits } from './traits.ts';

/** Ways in which the third party identifies an earlier attempt. */
export const identities = ['name', 'tag', 'key', 'opaque'] as const;

export type Identity = (typeof identities)[number];

/** Connects an integration to the third party from within an attempt. */
export type Connect = (controller: ProviderController, signal: AbortSignal) => Port;

export interface GuardedOptions {
  readonly maker: Maker;
  readonly identity: Identity;
  readonly condition: string;
  readonly traits: Traits;
  readonly connect: Connect;
  /** The mark of a found thing is checked before it is adopted. @default true */
  readonly checksMark?: boolean;
  readonly listLagMs?: number;
  /** Names of the things that a workspace wants. @default one, without a name */
  slots?(workspace: Workspace): readonly string[];
}

/** The condition of every simulated integration, unless renamed. */
export const condition = 'Thing';

/** The finalizer of the first one. */
export const claim = claimOf('thing');

/** Reports whether a workspace requests things. */
export const isAsked = ({ spec }: Workspace): boolean => spec.integrations?.thing !== undefined;

/** Mark of a workspace's things; unique to the workspace, also among those of the same name. */
export const markOf = ({ metadata }: Workspace): string => metadata.uid ?? '';

/** Wanted value. */
export const wantedOf = ({ spec }: Workspace): number => (spec.integrations?.thing as { value?: number })?.value ?? 0;

interface Wanted {
  readonly name: string;
  readonly mark: string;
  readonly value: number;
}

const idOf = ({ id }: Ref): string => String(id);
const stands = ({ id }: Thing, reason: string): Outcome => ({ status: 'Completed', reason, refs: [{ id }] });

/** Reconciles one workspace for one integration. */
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

  /** Reports whether such an attempt is unresolved. */
  #isOpen(op: 'create' | 'delete'): boolean {
    const entry = this.#controller.workspace.status?.guards?.[this.#options.condition];
    return entry?.phase === 'intent' && entry.op === op;
  }

  /** Reports whether the attempt in progress repeats an earlier one. */
  get #isRepeated(): boolean {
    return (this.#controller.workspace.status?.guards?.[this.#options.condition]?.attempt ?? 1) > 1;
  }

  get #wanted(): Wanted {
    const { workspace } = this.#controller;
    const suffix = suffixOf(this.#options.maker);
    const [name, mark] = [workspace.metadata.name, markOf(workspace)].map((one) => `${one}${suffix}`);
    return { name: name!, mark: mark!, value: wantedOf(workspace) };
  }

  #port({ signal }: Pick<TaskContext, 'signal'>): Port {
    return this.#options.connect(this.#controller, signal);
  }

  /** Reads the wanted value before the guard runs: the intent tests that it is unchanged. */
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

  /** Marks of this workspace's things: its own, or the one from before a restore. */
  get #marks(): readonly string[] {
    const suffix = suffixOf(this.#options.maker);
    return [this.#wanted.mark, ...this.#controller.formerUids.map((uid) => `${uid}${suffix}`)];
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

  /** Repeats the same conditional create, then checks the owner. */
  async #createByName(context: TaskContext, wanted: Wanted): Promise<Outcome> {
    const port = this.#port(context);
    try {
      return stands(await port.create({ ...wanted, unique: true }), 'created');
    } catch (error) {
      if (!(error instanceof NameTakenError)) throw error;
    }
    const found = await port.named(wanted.name);
    if (found === undefined) throw new Error(`${wanted.name} existed a moment ago`);
    if (!this.#isOurs(found)) throw new DefiniteError(`${found.name} belongs to another`);
    return this.#adopt(found, port, wanted);
  }

  /** Looks up the thing first, whatever the journal says: it may have been restored to a state in which nothing was made. */
  async #createByTag(context: TaskContext, wanted: Wanted): Promise<Outcome> {
    return (await this.#recover(context, wanted)) ?? stands(await this.#port(context).create(wanted), 'created');
  }

  /**
   * Repeats the same create. A third party answers a used key from memory, so what it answers to a repetition is recorded, then changed: that fails where it
   * is gone.
   */
  async #createByKey(context: TaskContext, wanted: Wanted): Promise<Outcome> {
    const { value } = (context.input ?? wanted) as { value: number };
    const port = this.#port(context);
    const made = await port.create({ ...wanted, value, key: context.key });
    if (!this.#isRepeated) return stands(made, 'created');
    await context.checkpoint({ id: made.id });
    try {
      return await this.#adopt(made, port, wanted);
    } catch (error) {
      if (!(error instanceof NotThereError)) throw error;
      return { status: 'In Progress', reason: `${error.message}: made anew, with the next key`, refs: [] };
    }
  }

  async #recover(context: TaskContext, wanted: Wanted): Promise<Outcome | undefined> {
    const port = this.#port(context);
    const found = await this.#tagged(port);
    try {
      return found && (await this.#adopt(found, port, wanted));
    } catch (error) {
      if (error instanceof NotThereError) return undefined;
      throw error;
    }
  }

  /** Adopts by a write: a list may show what is gone. */
  async #adopt(found: Thing, port: Port, { value }: Wanted): Promise<Outcome> {
    await port.update(found.id, value);
    return stands(found, 'adopted');
  }

  /** @returns whether the recorded thing exists: a journal that was lost after a deletion is restored with the ids from before it */
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

/** Integration that keeps one thing at the simulated third party by calling the guard directly. */
export const guarded = (options: GuardedOptions): Integration =>
  defineIntegration({
    name: options.maker,
    condition: options.condition,
    handles: (workspace) => makersOf(workspace).includes(options.maker),
    connect: ({ controller }) => new Guarded(controller, options),
  });

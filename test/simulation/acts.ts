import {
  mirrorAnnotation,
  type ObjectKey,
  objectKeyOf,
  resolveAnnotation,
  Secret,
  Workspace,
} from '../../sdk/index.ts';
import type { Arena } from './arena.ts';
import type { Crew } from './crew.ts';
import { type directedFaults, type Fault, type WatchFault, watchFaults } from './faults.ts';
import { claim, markOf, wantedOf } from './guarded.ts';
import type { History } from './history.ts';
import type { Invariants } from './invariants.ts';
import type { Thing } from './inventory.ts';
import { idIn } from './owners.ts';
import type { World } from './process.ts';
import { workspaceKey } from './replica.ts';
import { type ThirdParty, uidIn } from './third-party.ts';

/** What users and foreign writers act on. */
export interface Scene {
  readonly world: World;
  readonly arena: Arena;
  readonly thirdParty: ThirdParty;
  readonly invariants: Invariants;
  readonly history: History;
  readonly crew: Crew;
}

type DirectedFault = (typeof directedFaults)[number];

const isWatchFault = ({ kind }: Fault): boolean => (watchFaults as readonly string[]).includes(kind);

const foreignFinalizer = 'example.com/foreign';

/** Users and foreign writers. What they do is carried out at once, or fails silently where it makes no sense. */
export class Actors {
  readonly #scene: Scene;
  #recreating = false;
  #count = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Whether somebody waits for the name to be free. */
  get recreating(): boolean {
    return this.#recreating;
  }

  async create(): Promise<void> {
    const spec = { integrations: { thing: { value: 1 } } };
    await this.#scene.arena.foreign.create(Workspace, { metadata: workspaceKey, spec });
  }

  async delete(): Promise<void> {
    await this.#scene.arena.foreign.delete(Workspace, workspaceKey);
  }

  /** Creates the workspace again as soon as its name is free. */
  async step(): Promise<void> {
    if (!this.#recreating || this.#scene.arena.workspace(workspaceKey) !== undefined) return;
    this.#recreating = false;
    this.#scene.world.note('user', 'creates the workspace again');
    await this.create();
  }

  /** A person looks at the third party, and says what became of the attempt: what is there of ours is adopted, what the journal does not know first, else it is tried again. */
  async answer(): Promise<void> {
    const { arena, thirdParty, world } = this.#scene;
    const condition = this.#scene.crew.condition;
    for (const workspace of arena.workspaces()) {
      const answer = answerOf(workspace, condition, thirdParty.things);
      if (answer === undefined) continue;
      world.note('person', `says ${answer}`);
      await this.#merge({ annotations: { [resolveAnnotation(condition)]: answer } }, objectKeyOf(workspace));
    }
  }

  /** The bad times are over: what foreigners have put in the way goes. */
  async clearUp(): Promise<void> {
    this.#scene.thirdParty.vacate();
    await this.#removeForeignSecrets();
    const finalizers = this.#scene.arena.workspace(workspaceKey)?.metadata.finalizers ?? [];
    if (finalizers.includes(foreignFinalizer))
      await this.#merge({ finalizers: finalizers.filter((one) => one !== foreignFinalizer) });
  }

  async act(fault: Fault): Promise<void> {
    if (isWatchFault(fault)) return this.#watch(fault);
    const workspace = this.#scene.arena.workspace(workspaceKey);
    if (workspace === undefined && fault.kind !== 'stranger’s thing' && fault.kind !== 'wall clock jumps') return;
    this.#scene.world.note('foreigner', fault.kind);
    this.#scene.world.plan.strike(fault, this.#scene.world.scheduler.now);
    await this.#do(fault, workspace).catch((error) => this.#scene.world.note('foreigner', String(error)));
  }

  /** What befalls watches, where anybody watches. */
  #watch(fault: Fault): void {
    const { streams, plan, scheduler, note } = this.#scene.world;
    const does: Readonly<Record<WatchFault, () => boolean>> = {
      'watch expired': () => streams.expire(),
      'watch silent': () => streams.silence(fault.ms),
      'stale list': () => streams.makeStale(),
    };
    if (!does[fault.kind as WatchFault]()) return;
    note('server', fault.kind);
    plan.strike(fault, scheduler.now);
  }

  async #do({ kind, ms }: Fault, workspace: Workspace | undefined): Promise<void> {
    const { thirdParty, invariants, crew, world } = this.#scene;
    switch (kind) {
      case 'delete':
        return this.delete();
      case 'recreate':
        this.#recreating = true;
        return this.delete();
      case 'spec change':
        return this.#patch({ spec: { integrations: { thing: { value: wantedOf(workspace!) + 1 } } } });
      case 'status wiped':
        invariants.wiped();
        return this.#status([{ op: 'remove', path: '/status' }]);
      case 'mirror wiped':
        invariants.wiped();
        return this.#merge({ annotations: { [mirrorAnnotation(this.#scene.crew.condition)]: null } });
      case 'conditions wiped':
        return this.#status([{ op: 'remove', path: '/status/conditions' }]);
      case 'label changed':
        this.#count += 1;
        return this.#merge({ labels: { touched: String(this.#count) } });
      case 'finalizers reordered':
        return this.#merge({ finalizers: reordered(workspace!) });
      case 'foreign condition':
        return this.#status([{ op: 'add', path: '/status/conditions/0', value: foreignCondition(++this.#count) }]);
      case 'stranger’s thing':
        return thirdParty.occupy(workspaceKey.name);
      case 'wall clock jumps': {
        const { living } = crew;
        if (living.length > 0) world.random.pick(living).jump(world.random.chance(0.5) ? ms : -ms);
        return;
      }
      default:
        return this.#directed(kind as DirectedFault, ms, workspace!);
    }
  }

  async #directed(kind: DirectedFault, ms: number, workspace: Workspace): Promise<void> {
    const { invariants, history, arena } = this.#scene;
    switch (kind) {
      case 'spec put back':
        return this.#patch({ spec: { integrations: { thing: { value: wantedOf(workspace) - 1 } } } });
      case 'unasked':
        return this.#patch({ spec: { integrations: { thing: null } } });
      case 'asked again':
        return this.#patch({ spec: { integrations: { thing: { value: 1 } } } });
      case 'person answers':
        return this.answer();
      case 'status put back':
        return this.#putBackStatus(history.asOf(ms));
      case 'status and mirror put back':
        invariants.wiped();
        await this.#merge({ annotations: putBack(workspace, history.asOf(ms)) });
        return this.#putBackStatus(history.asOf(ms));
      case 'claim removed':
        invariants.unclaimed(workspace);
        return this.#merge({ finalizers: (workspace.metadata.finalizers ?? []).filter((one) => one !== claim) });
      case 'condition renamed':
        this.#scene.crew.rename();
        return;
      case 'secret’s name taken':
        for (const slot of ['', '-a', '-b', '-c'])
          await arena.foreign.create(Secret, {
            metadata: { ...workspaceKey, name: `${workspaceKey.name}-thing${slot}` },
          });
    }
  }

  #putBackStatus(old: Workspace | undefined): Promise<void> {
    this.#scene.invariants.putBack();
    if (old?.status === undefined) return this.#status([{ op: 'remove', path: '/status' }]);
    return this.#status([{ op: 'add', path: '/status', value: old.status }]);
  }

  /** Secrets of others, which are in our way. */
  async #removeForeignSecrets(): Promise<void> {
    const { foreign } = this.#scene.arena;
    const { items } = await foreign.list(Secret);
    for (const secret of items)
      if (secret.metadata.ownerReferences === undefined) await foreign.delete(Secret, objectKeyOf(secret));
  }

  #merge(metadata: object, key: ObjectKey = workspaceKey): Promise<void> {
    return this.#patch({ metadata }, key);
  }

  async #patch(value: object, key: ObjectKey = workspaceKey): Promise<void> {
    await this.#scene.arena.foreign.patch(Workspace, key, { type: 'merge', value });
  }

  async #status(operations: readonly ({ op: 'remove'; path: string } | { op: 'add'; path: string; value: object })[]) {
    const options = { subresource: 'status' } as const;
    await this.#scene.arena.foreign.patch(Workspace, workspaceKey, { type: 'json', operations }, options);
  }
}

/** What somebody says who sees both sides; undefined when nothing is asked. */
function answerOf(workspace: Workspace, condition: string, things: readonly Thing[]): string | undefined {
  const entry = workspace.status?.guards?.[condition];
  if (entry === undefined) return undefined;
  const { refs = [], late = [], input, token } = entry;
  const known = [...refs, ...late].map(idIn);
  const all = things.filter(({ mark }) => uidIn(mark) === markOf(workspace));
  const unknown = all.filter(({ id }) => !known.includes(id));
  const asked = (input as { readonly slot?: string } | undefined)?.slot;
  const found = unknown.length > 0 ? unknown : all.filter(({ mark }) => !asked || slotIn(mark) === asked).slice(0, 1);
  const ids = found.map(({ id, mark }) => (slotIn(mark) === '' ? id : { slot: slotIn(mark), id }));
  return ids.length === 0 ? `retry@${token}` : `adopt@${token}=${JSON.stringify(ids)}`;
}

const slotIn = (mark: string): string => mark.split('/')[1] ?? '';

/** Annotations as they were; null for those that came since. */
const putBack = ({ metadata }: Workspace, old: Workspace | undefined): Readonly<Record<string, string | null>> => ({
  ...Object.fromEntries(Object.keys(metadata.annotations ?? {}).map((name) => [name, null])),
  ...old?.metadata.annotations,
});

/** A foreign finalizer comes to the front; on an object that is being deleted, where none may come, the order turns. */
function reordered({ metadata: { finalizers = [], deletionTimestamp } }: Workspace): readonly string[] {
  if (deletionTimestamp !== undefined || finalizers.includes(foreignFinalizer)) return finalizers.toReversed();
  return [foreignFinalizer, ...finalizers];
}

const foreignCondition = (count: number) => ({
  type: `Foreign${count}`,
  status: 'True',
  reason: 'Foreign',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

import { mirrorAnnotation, objectKeyOf, Workspace } from '../../../../sdk/index.ts';
import { workspaceKey } from '../processes/replica.ts';
import { wantedOf } from '../protocols/guarded.ts';
import { makersOf } from '../third-party/makers.ts';
import { Administrator, type DirectedFault } from './administrator.ts';
import {
  directedTenantFaults,
  type Fault,
  type TenantFault,
  tenantFaults,
  type WatchFault,
  watchFaults,
} from './faults.ts';
import { removesLastRecord } from './last-record.ts';
import { OtherClients } from './other-clients.ts';
import type { Scene } from './scene.ts';
import { Tenants } from './tenants.ts';

const ofTenants: readonly TenantFault[] = [...tenantFaults, ...directedTenantFaults];

const isTenantFault = (kind: Fault['kind']): kind is TenantFault => (ofTenants as readonly string[]).includes(kind);

const isWatchFault = ({ kind }: Fault): boolean => (watchFaults as readonly string[]).includes(kind);

const foreignFinalizer = 'example.com/foreign';

/** Faults that can be carried out while the workspace does not exist. */
const needsNone: readonly Fault['kind'][] = ['stranger’s thing', 'wall clock jumps', ...ofTenants];

/** Users and foreign writers. Their acts are carried out at once, or fail silently where they do not apply. */
export class Actors {
  readonly #scene: Scene;
  readonly #others: OtherClients;
  readonly #administrator: Administrator;
  readonly #tenants: Tenants;
  #recreating = false;
  #count = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#others = new OtherClients(scene.arena);
    this.#administrator = new Administrator(scene);
    this.#tenants = new Tenants(scene);
  }

  /** Reports whether an act waits for the name to be free. */
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

  /** Deletes the workspaces of every actor. */
  async deleteAll(): Promise<void> {
    const { arena } = this.#scene;
    for (const workspace of arena.workspaces()) await arena.foreign.delete(Workspace, objectKeyOf(workspace));
  }

  /** Has an administrator answer the open question; the integration is registered again with a condition that it is missing under. */
  answer(): Promise<void> {
    this.#scene.supervisor.giveBack(this.#scene.arena.workspace(workspaceKey));
    return this.#administrator.answer();
  }

  /** Creates the workspace again as soon as its name is free. */
  async step(): Promise<void> {
    if (!this.#recreating || this.#scene.arena.workspace(workspaceKey) !== undefined) return;
    this.#recreating = false;
    this.#scene.world.note('user', 'creates the workspace again');
    await this.create();
  }

  /** Ends the faults: removes the obstacles that foreign writers have placed. */
  async clearUp(): Promise<void> {
    this.#scene.thirdParty.vacate();
    this.#scene.supervisor.giveBack(this.#scene.arena.workspace(workspaceKey));
    await this.#administrator.removeForeignSecrets();
    for (const workspace of this.#scene.arena.workspaces()) {
      const key = objectKeyOf(workspace);
      if (makersOf(workspace).length > 1)
        await this.#others.patch({ spec: { integrations: { thing: { by: 'other' } } } }, key);
      const { finalizers = [] } = workspace.metadata;
      if (finalizers.includes(foreignFinalizer))
        await this.#others.merge({ finalizers: finalizers.filter((one) => one !== foreignFinalizer) }, key);
    }
  }

  async act(fault: Fault): Promise<void> {
    if (isWatchFault(fault)) return this.#watch(fault);
    const workspace = this.#scene.arena.workspace(workspaceKey);
    if (workspace === undefined && !needsNone.includes(fault.kind)) return;
    if (workspace !== undefined && removesLastRecord(workspace, fault.kind)) return;
    this.#scene.world.note('foreigner', fault.kind);
    this.#scene.world.plan.strike(fault, this.#scene.world.scheduler.now);
    await this.#do(fault, workspace).catch((error) => this.#scene.world.note('foreigner', String(error)));
  }

  /** Carries out a fault of a watch, if any watch is open. */
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
    if (isTenantFault(kind)) return this.#tenants.act(kind);
    const act = this.#acts[kind];
    if (act === undefined) return this.#administrator.act(kind as DirectedFault, ms, workspace!);
    await act(workspace!, ms);
  }

  /** Faults of users and foreign writers, by kind. */
  readonly #acts: { readonly [kind in Fault['kind']]?: (workspace: Workspace, ms: number) => unknown } = {
    delete: () => this.delete(),
    recreate: () => {
      this.#recreating = true;
      return this.delete();
    },
    'spec change': (workspace) =>
      this.#others.patch({ spec: { integrations: { thing: { value: wantedOf(workspace) + 1 } } } }),
    'status wiped': () => {
      this.#scene.invariants.wiped();
      return this.#others.status([{ op: 'remove', path: '/status' }]);
    },
    'mirror wiped': () => {
      this.#scene.invariants.wiped();
      return this.#others.merge({ annotations: { [mirrorAnnotation(this.#scene.supervisor.condition)]: null } });
    },
    'conditions wiped': () => this.#others.status([{ op: 'remove', path: '/status/conditions' }]),
    'label changed': () => {
      this.#count += 1;
      return this.#others.merge({ labels: { touched: String(this.#count) } });
    },
    'finalizers reordered': (workspace) => this.#others.merge({ finalizers: reordered(workspace) }),
    'foreign condition': () =>
      this.#others.status([{ op: 'add', path: '/status/conditions/0', value: foreignCondition(++this.#count) }]),
    'stranger’s thing': () => this.#scene.thirdParty.occupy(workspaceKey.name),
    'wall clock jumps': (_, ms) => {
      const { supervisor, world } = this.#scene;
      const { living } = supervisor;
      if (living.length > 0) world.random.pick(living).jump(world.random.chance(0.5) ? ms : -ms);
    },
  };
}

/** Moves a foreign finalizer to the front; reverses the order on an object that is being deleted, where none may be added. */
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

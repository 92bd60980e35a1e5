import { isDeleting, mirrorAnnotation, type ObjectKey, resolveAnnotation, Workspace } from '../../../../sdk/index.ts';
import { sealedMirror } from '../../../unit/a-seal.ts';
import { copyKey, tenantKey, workspaceKey } from '../processes/replica.ts';
import { claim, markOf } from '../protocols/guarded.ts';
import { uidIn } from '../third-party/third-party.ts';
import type { TenantFault } from './faults.ts';
import { OtherClients } from './other-clients.ts';
import type { Scene } from './scene.ts';

/** Tenants, who may create, change, copy and delete workspaces with any labels, annotations and finalizers; and backups, which do the same. */
export class Tenants {
  readonly #scene: Scene;
  readonly #others: OtherClients;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#others = new OtherClients(scene.arena);
  }

  async act(kind: TenantFault): Promise<void> {
    await this.#acts[kind](this.#scene.arena.workspace(workspaceKey));
  }

  readonly #acts: Readonly<Record<TenantFault, (shop: Workspace | undefined) => Promise<void>>> = {
    'annotations forged': (shop) => this.#forge(shop?.metadata.annotations ?? {}),
    'ids forged': () => this.#forge(this.#namingOthers()),
    'answer forged': () => this.#forge(this.#answering()),
    'rogue deleted': () => this.#delete(tenantKey),
    copied: (shop) => this.#copy(shop, shop?.metadata.finalizers),
    'copied without finalizers': (shop) => this.#copy(shop, undefined),
    'copy deleted': () => this.#delete(copyKey),
    'status copied': (shop) => this.#copyStatus(shop),
    'moved from another cluster': () => this.#move(),
    'restored from backup': (shop) => this.#restore(shop),
  };

  /** Sets these annotations on the tenant's own workspace, which is created if missing. */
  async #forge(annotations: Readonly<Record<string, string>>): Promise<void> {
    const { arena, invariants } = this.#scene;
    invariants.overwritten();
    if (arena.workspace(tenantKey) !== undefined) return this.#others.merge({ annotations }, tenantKey);
    const spec = { integrations: { thing: { value: 1 } } };
    await arena.foreign.create(Workspace, { metadata: { ...tenantKey, annotations, finalizers: [claim] }, spec });
  }

  /** Creates the tenant's workspace from a backup of another cluster, with the same key, whose own workspace of that name lives on with its thing. */
  async #move(): Promise<void> {
    const { arena, supervisor, thirdParty } = this.#scene;
    thirdParty.occupy(tenantKey.name);
    const refs = thirdParty.things.filter(({ name }) => name === tenantKey.name).flatMap(({ id }) => refsTo(id));
    const original = { metadata: { ...tenantKey, uid: 'uid-in-another-cluster' } } as Workspace;
    const text = sealedMirror(original, supervisor.condition, { cluster: 'another-cluster', claim, refs });
    const annotations = { [mirrorAnnotation(supervisor.condition)]: text };
    if (arena.workspace(tenantKey) === undefined) await this.#forge(annotations);
  }

  /** Ids of everything that belongs to others, in both notations. */
  #theirs(): readonly object[] {
    const { arena, thirdParty } = this.#scene;
    const rogue = arena.workspace(tenantKey);
    const theirs = thirdParty.things.filter(({ mark }) => rogue === undefined || uidIn(mark) !== markOf(rogue));
    return theirs.flatMap(({ id }) => refsTo(id));
  }

  /** Annotations that name those ids: as recorded ids, and as the result of the attempt in progress. */
  #namingOthers(): Readonly<Record<string, string>> {
    const { arena, supervisor } = this.#scene;
    const refs = this.#theirs();
    const { token = 1, holder = '' } = arena.workspace(tenantKey)?.status?.guards?.[supervisor.condition] ?? {};
    const outcome = { token, holder, status: 'Completed', reason: 'forged', refs };
    return {
      [mirrorAnnotation(supervisor.condition)]: JSON.stringify(refs),
      [mirrorAnnotation(supervisor.condition).replace('external', 'outcome')]: JSON.stringify(outcome),
    };
  }

  /** Annotations that answer any question by adopting those ids. */
  #answering(): Readonly<Record<string, string>> {
    const { arena, supervisor } = this.#scene;
    const { token = 1 } = arena.workspace(tenantKey)?.status?.guards?.[supervisor.condition] ?? {};
    return { [resolveAnnotation(supervisor.condition)]: `adopt@${token}=${JSON.stringify(this.#theirs())}` };
  }

  /** Copies the workspace as `kubectl get -o yaml`, a new name, and `kubectl create` do. */
  async #copy(shop: Workspace | undefined, finalizers: readonly string[] | undefined): Promise<void> {
    if (shop === undefined || this.#scene.arena.workspace(copyKey) !== undefined) return;
    const { annotations, labels } = shop.metadata;
    const metadata = { ...copyKey, ...defined({ annotations, labels, finalizers }) };
    await this.#scene.arena.foreign.create(Workspace, { metadata, spec: shop.spec });
  }

  /** Puts the status of the workspace over that of its copy, as a backup tool that restores statuses does. */
  async #copyStatus(shop: Workspace | undefined): Promise<void> {
    const { arena, invariants } = this.#scene;
    const { status } = shop ?? {};
    if (status === undefined || arena.workspace(copyKey) === undefined) return;
    invariants.putBack();
    await this.#others.status([{ op: 'add', path: '/status', value: status }], copyKey);
  }

  async #delete(key: ObjectKey): Promise<void> {
    if (this.#scene.arena.workspace(key) !== undefined) await this.#scene.arena.foreign.delete(Workspace, key);
  }

  /** Recreates the workspace from a backup: another uid, no status. */
  async #restore(shop: Workspace | undefined): Promise<void> {
    if (shop === undefined || isDeleting(shop)) return;
    const { arena, invariants, world } = this.#scene;
    invariants.statusLost();
    const { annotations, labels, finalizers } = shop.metadata;
    await arena.foreign.delete(Workspace, workspaceKey);
    if (arena.workspace(workspaceKey) !== undefined) await this.#others.merge({ finalizers: null });
    const metadata = { ...workspaceKey, ...defined({ annotations, labels, finalizers }) };
    const restored = await arena.foreign.create(Workspace, { metadata, spec: shop.spec });
    world.owners.inherits(markOf(shop), markOf(restored), world.scheduler.now);
  }
}

/** Returns the id in both notations. */
const refsTo = (id: string) => [{ id }, { slot: '', id: { id }, hash: '' }, { slot: 'a', id: { id }, hash: '' }];

/** Drops undefined fields. */
const defined = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

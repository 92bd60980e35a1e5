/** Simulates users with full rights: they edit specs, answer questions and restore backups. */

import { type GuardEntry, objectKeyOf, resolveAnnotation, Secret, Workspace } from '../../../../sdk/index.ts';
import { signedText } from '../../../unit/a-seal.ts';
import { workspaceKey } from '../processes/replica.ts';
import { claim, markOf, wantedOf } from '../protocols/guarded.ts';
import type { Thing } from '../third-party/inventory.ts';
import { type Maker, makersOf } from '../third-party/makers.ts';
import { idIn } from '../third-party/owners.ts';
import { slotIn } from '../third-party/third-party.ts';
import type { directedFaults } from './faults.ts';
import { OtherClients } from './other-clients.ts';
import type { Scene } from './scene.ts';

export type DirectedFault = (typeof directedFaults)[number];

/** Users with full rights: they change specs, answer questions and restore from backups. */
export class Administrator {
  readonly #scene: Scene;
  readonly #others: OtherClients;
  /** The last answer given. */
  #answer: Readonly<Record<string, string>> = {};

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#others = new OtherClients(scene.arena);
  }

  /**
   * Looks at the third party and answers the question of an attempt: adopts a thing of the workspace, one that the journal does not know first, or
   * else has the attempt tried again.
   */
  async answer(say: typeof answerOf = answerOf): Promise<void> {
    const { arena, thirdParty, world } = this.#scene;
    const all = arena.workspaces();
    for (const workspace of all) {
      const ours = thirdParty.things.filter((thing) => world.owners.of(all, thing) === workspace);
      for (const [condition, entry] of Object.entries(workspace.status?.guards ?? {})) {
        const answer = signedText(workspace, condition, say(entry, ours));
        world.note('person', `says ${answer}`);
        this.#answer = { [resolveAnnotation(condition)]: answer };
        await this.#others.merge({ annotations: this.#answer }, objectKeyOf(workspace));
      }
    }
  }

  /** Carries out a fault: see {@link directedFaults}. */
  async act(kind: DirectedFault, ms: number, workspace: Workspace): Promise<void> {
    await this.#acts[kind](workspace, ms);
  }

  #editThing(thing: object | null): Promise<void> {
    return this.#others.patch({ spec: { integrations: { thing } } });
  }

  readonly #acts: Readonly<Record<DirectedFault, (workspace: Workspace, ms: number) => unknown>> = {
    'spec put back': (workspace) => this.#editThing({ value: wantedOf(workspace) - 1 }),
    unhandled: () => this.#editThing(null),
    'asked again': () => this.#editThing({ value: 1 }),
    'person answers': () => this.answer(),
    'person retries': () => this.answer(({ token }) => `retry@${token}`),
    'answer put back': () => this.#others.merge({ annotations: this.#answer }),
    'status put back': (workspace, ms) => this.#putBackStatus(this.#scene.history.asOf(ms, workspace)),
    'status and mirror put back': async (workspace, ms) => {
      const { invariants, history } = this.#scene;
      invariants.wiped();
      await this.#others.merge({ annotations: putBack(workspace, history.asOf(ms, workspace)) });
      return this.#putBackStatus(history.asOf(ms, workspace));
    },
    'claim removed': (workspace) => {
      this.#scene.invariants.unclaimed(workspace);
      return this.#others.merge({ finalizers: (workspace.metadata.finalizers ?? []).filter((one) => one !== claim) });
    },
    'metadata replaced': (workspace) => {
      this.#scene.invariants.unclaimed(workspace);
      this.#scene.invariants.wiped();
      return this.#others.merge({ annotations: null, finalizers: null });
    },
    'journal wiped': () => {
      this.#scene.invariants.wiped();
      return this.#others.status([{ op: 'remove', path: '/status/guards' }]);
    },
    'condition renamed': () => this.#scene.supervisor.rename(),
    'changed hands': (workspace) => this.#editThing({ by: nextOf(workspace) }),
    'claimed by both': () => this.#editThing({ by: 'both' }),
    replaced: (workspace) => this.#replace(workspace),
    'etcd backed up': () => this.#scene.arena.backUp(),
    'etcd restored': () => {
      const { arena, invariants } = this.#scene;
      invariants.putBack();
      invariants.wiped();
      return arena.restore();
    },
    'secret’s name taken': async () => {
      for (const slot of ['', '-a', '-b', '-c'])
        await this.#scene.arena.foreign.create(Secret, {
          metadata: { ...workspaceKey, name: `${workspaceKey.name}-thing${slot}` },
        });
    },
  };

  /** Does `kubectl replace --force` with another spec, from a file that `kubectl get -o yaml` wrote. */
  async #replace(old: Workspace): Promise<void> {
    const { arena, invariants, world } = this.#scene;
    invariants.statusLost();
    const { annotations = {}, finalizers = [] } = old.metadata;
    await arena.foreign.delete(Workspace, workspaceKey);
    if (arena.workspace(workspaceKey) !== undefined) await this.#others.merge({ finalizers: null });
    const thing = { value: wantedOf(old) + 1 };
    const metadata = { ...workspaceKey, annotations: { ...annotations }, finalizers: [...finalizers] };
    const heir = await arena.foreign.create(Workspace, { metadata, spec: { integrations: { thing } } });
    world.owners.inherits(markOf(old), markOf(heir), world.scheduler.now);
  }

  #putBackStatus(old: Workspace | undefined): Promise<void> {
    this.#scene.invariants.putBack();
    if (old?.status === undefined) return this.#others.status([{ op: 'remove', path: '/status' }]);
    return this.#others.status([{ op: 'add', path: '/status', value: old.status }]);
  }

  /** Removes foreign Secrets that block the sequencer's. */
  async removeForeignSecrets(): Promise<void> {
    const { foreign } = this.#scene.arena;
    const { items } = await foreign.list(Secret);
    for (const secret of items)
      if (secret.metadata.ownerReferences === undefined) await foreign.delete(Secret, objectKeyOf(secret));
  }
}

/** Answer of an administrator who sees both the journal and the third party. */
function answerOf(entry: GuardEntry, all: readonly Thing[]): string {
  const { refs = [], late = [], input, token } = entry;
  const known = [...refs, ...late].map(idIn);
  const unknown = all.filter(({ id }) => !known.includes(id));
  const asked = (input as { readonly slot?: string } | undefined)?.slot;
  const found = unknown.length > 0 ? unknown : all.filter(({ mark }) => !asked || slotIn(mark) === asked).slice(0, 1);
  const ids = found.map(({ id, mark }) => (slotIn(mark) === '' ? id : { slot: slotIn(mark), id }));
  return ids.length === 0 ? `retry@${token}` : `adopt@${token}=${JSON.stringify(ids)}`;
}

/** The integration that is to handle a workspace after the one, or after both. */
const nextOf = (workspace: Workspace): Maker => (makersOf(workspace)[0] === 'other' ? 'thing' : 'other');

/** Patch of annotations back to those of an older version; null for those added since. */
const putBack = ({ metadata }: Workspace, old: Workspace | undefined): Readonly<Record<string, string | null>> => ({
  ...Object.fromEntries(Object.keys(metadata.annotations ?? {}).map((name) => [name, null])),
  ...old?.metadata.annotations,
});

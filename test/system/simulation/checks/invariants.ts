/** Checks the invariants of the guard after every step of a life. */

import { claimOf, type GuardEntry, hasFinalizer, type Workspace } from '../../../../sdk/index.ts';
import type { Process, World } from '../processes/process.ts';
import { claim, markOf } from '../protocols/guarded.ts';
import { bounds } from '../protocols/protocol.ts';
import type { Thing } from '../third-party/inventory.ts';
import { makerOf } from '../third-party/makers.ts';
import { idsIn, recordedIds } from '../third-party/owners.ts';
import { type Attempt, type CallWatch, stranger } from '../third-party/third-party.ts';

/** A broken invariant. */
export interface Violation {
  readonly id: 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9' | 'I10';
  readonly at: number;
  readonly text: string;
}

/** A change that was sent and may still be carried out. */
type Pending = Attempt & { readonly text: string };

const nameOf = ({ token, holder }: Pick<GuardEntry, 'token' | 'holder'>): string => `${token} ${holder}`;

/** Checks the guarantees after every step; {@link atRest} checks the rest of them at rest. */
export class Invariants implements CallWatch {
  readonly violations: Violation[] = [];
  readonly #world: World;
  readonly #guarded: boolean;
  readonly #pending = new Set<Pending>();
  /** Holders of attempts that a restored status does not mention. */
  readonly #hidden = new Set<string>();
  /** Entries that a restored status has brought back. */
  readonly #broughtBack = new Set<GuardEntry>();
  #isBroughtBack = false;
  /** Attempts with an intent that was durable once. */
  readonly #begun = new Set<string>();
  readonly #durable = new Map<string, string[]>();
  readonly #received: { readonly id: string; readonly process: Process }[] = [];
  readonly #recorded = new Set<string>();
  /** Ids that were reported to people because the workspace that could hold them was gone. */
  readonly #left = new Set<string>();
  #last: readonly Workspace[] = [];
  #things: readonly Thing[] = [];
  /** Ids that were recorded when a foreign writer wiped their record. */
  readonly #excused = new Set<string>();
  /** Workspaces with a claim that another client removed and that was not made again. */
  readonly #unclaimed = new Set<string>();

  /** @param guarded whether the journal is checked too: controls have none */
  constructor(world: World, guarded: boolean) {
    this.#world = world;
    this.#guarded = guarded;
  }

  /** Number of changes that may still be carried out. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Notes that a foreign writer wiped the record: these ids may be lost with it, later ones may not. */
  wiped(): void {
    for (const id of this.#recorded) this.#excused.add(id);
  }

  /** Notes that a tenant overwrote its own workspace: all ids recorded now may be lost with it. */
  overwritten(): void {
    for (const { id } of this.#things) this.#excused.add(id);
  }

  /** Receives an event or a warning. */
  heard(text: string): void {
    if (text.startsWith('IdsLeft')) for (const id of idsIn(text)) this.#left.add(id);
  }

  /** Notes that the statuses are lost, and with them ids that the server has refused to mirror. */
  statusLost(): void {
    for (const workspace of this.#last) {
      const mirrored = recordedIds({ ...workspace, status: undefined });
      for (const id of recordedIds(workspace)) if (!mirrored.includes(id)) this.#excused.add(id);
    }
  }

  /**
   * Notes that a foreign writer restored an older status, perhaps that of an earlier workspace: tokens may decrease this once, and once more as the
   * journal is restored from the mirror; and the current holder is hidden from others.
   */
  putBack(): void {
    this.statusLost();
    this.#last = [];
    this.#isBroughtBack = true;
    for (const attempts of this.#durable.values()) this.#hidden.add(attempts.at(-1)?.split(' ')[1] ?? '');
    for (const { holder } of this.#pending) this.#hidden.add(holder);
  }

  /** Notes that an administrator removed the claim: until it is restored, things may exist without one. */
  unclaimed(workspace: Workspace): void {
    this.#unclaimed.add(markOf(workspace));
  }

  touched(thing: Thing, { uid, maker }: Attempt): void {
    const { mark, id } = thing;
    const { owners, scheduler } = this.#world;
    const owner = owners.of(this.#last, thing);
    const recreated = owners.inheritedAt(uid) ?? -Infinity;
    const isUnderWay = owners.everHad(uid, thing) && scheduler.now - recreated <= bounds.late; // sent before the restore
    if (mark === stranger || (owner !== undefined && markOf(owner) !== uid && !isUnderWay))
      this.violate('I9', `${id} was touched, which belongs to another`);
    else if (maker !== undefined && makerOf(mark) !== maker)
      this.violate('I9', `${id} was touched, which another integration has made`);
  }

  violate(id: Violation['id'], text: string): void {
    if (this.violations.some((known) => known.id === id && known.text === text)) return;
    this.violations.push({ id, at: this.#world.scheduler.now, text });
    this.#world.note('VIOLATION', `${id}: ${text}`);
  }

  sent(attempt: Attempt, text: string): () => void {
    if (this.#guarded) this.#checkSent(attempt, text);
    const pending = { ...attempt, text };
    this.#pending.add(pending);
    return () => this.#pending.delete(pending);
  }

  received(_attempt: Attempt, process: Process, id: string): void {
    if (!process.dead) this.#received.push({ id, process });
  }

  /** Checks after every step. Both arrays are the same as long as nothing has changed. */
  step(workspaces: readonly Workspace[], things: readonly Thing[]): void {
    if (workspaces === this.#last && things === this.#things) return;
    if (workspaces !== this.#last)
      for (const workspace of workspaces) {
        if (this.#guarded) this.#checkEntries(workspace);
        for (const id of recordedIds(workspace)) this.#recorded.add(id);
        if (hasFinalizer(workspace, claim)) this.#unclaimed.delete(markOf(workspace));
      }
    this.#last = workspaces;
    this.#things = things;
    this.#isBroughtBack = false;
    if (!this.#guarded) return;
    this.#checkClaimed(workspaces, things);
    this.#checkMakers(workspaces, things);
    this.#checkKept(workspaces, things);
  }

  /** Checks at rest: ids that were returned to a living process must be recorded, or reported where there is no object left to record them in. */
  atRest(workspaces: readonly Workspace[], things: readonly Thing[]): void {
    if (!this.#guarded) return;
    for (const { id, process } of this.#received) {
      const thing = things.find((one) => one.id === id);
      const owner = thing && this.#world.owners.of(workspaces, thing);
      const isKept = this.#excused.has(id) || this.#left.has(id) || (owner && recordedIds(owner).includes(id));
      if (owner && !process.dead && !isKept) this.violate('I8', `${id} came back and is written nowhere`);
    }
  }

  #checkClaimed(workspaces: readonly Workspace[], things: readonly Thing[]): void {
    for (const thing of things) {
      if (thing.mark === stranger) continue;
      const owner = this.#world.owners.of(workspaces, thing);
      const claimed =
        owner && (hasFinalizer(owner, claimOf(makerOf(thing.mark))) || this.#unclaimed.has(markOf(owner)));
      if (!claimed) this.violate('I2', `${thing.id} exists, and no claim says so`);
    }
  }

  /**
   * Checks that of two integrations of one condition the former one has nothing left when the next one makes something. Not while the journal of one is
   * in doubt: with a key, its open attempt is made again to learn the id, and its thing is removed.
   */
  #checkMakers(workspaces: readonly Workspace[], things: readonly Thing[]): void {
    if (things.every(({ mark }) => makerOf(mark) === 'thing')) return;
    const marked = things.filter(({ mark }) => mark !== stranger);
    for (const workspace of workspaces) {
      const inDoubt = Object.values(workspace.status?.guards ?? {}).flatMap(({ lost, claim }) => (lost ? [claim] : []));
      const ours = marked.filter(
        (thing) =>
          this.#world.owners.of([workspace], thing) === workspace && !inDoubt.includes(claimOf(makerOf(thing.mark))),
      );
      if (new Set(ours.map(({ mark }) => makerOf(mark))).size > 1)
        this.violate('I1', 'things of two integrations of one condition exist at once');
    }
  }

  #checkKept(workspaces: readonly Workspace[], things: readonly Thing[]): void {
    for (const thing of things) {
      const { id } = thing;
      if (!this.#recorded.has(id) || this.#excused.has(id) || this.#left.has(id)) continue;
      const owner = this.#world.owners.of(workspaces, thing);
      if (owner && !recordedIds(owner).includes(id))
        this.violate('I8', `${id} was written down and dropped while it exists`);
    }
  }

  #checkEntries(workspace: Workspace): void {
    const uid = markOf(workspace);
    const before = this.#last.find((one) => markOf(one) === uid);
    if (before === workspace) return;
    for (const [type, entry] of Object.entries({ ...workspace.status?.guards })) {
      const known = before?.status?.guards?.[type];
      if (this.#isBroughtBack) this.#broughtBack.add(entry);
      if (entry.phase === 'intent') {
        this.#checkBegun(workspace, entry, known);
        const place = `${uid}/${type}`;
        this.#durable.set(place, [...(this.#durable.get(place) ?? []), nameOf(entry)]);
      }
      if (known === undefined || entry.token >= known.token) continue;
      const isRestored = entry.lost === true && this.#broughtBack.has(known);
      if (!isRestored) this.violate('I5', `token ${known.token} became ${entry.token}`);
    }
  }

  /** Checks that an intent that has become durable was begun on the current workspace. */
  #checkBegun(workspace: Workspace, entry: GuardEntry, known: GuardEntry | undefined): void {
    const { generation, deletionTimestamp } = workspace.metadata;
    const { token, op, holder } = entry;
    if (this.#begun.has(holder)) return;
    this.#begun.add(holder);
    const isClaimed = hasFinalizer(workspace, entry.claim ?? claim);
    if (!isClaimed) this.violate('I4', `intent ${token} is durable without a claim`);
    if (entry.generation !== generation)
      this.violate('I4', `intent ${token} is durable for generation ${entry.generation}, when it is ${generation}`);
    const isAfterSettled = known !== undefined && !['intent', 'unknown'].includes(known.phase);
    if (deletionTimestamp !== undefined && isAfterSettled && ['create', 'update'].includes(op))
      this.violate('I4', `intent ${token} to ${op} is durable on a workspace that is being deleted`);
  }

  /** Attempts of the same condition with durable intents, in order; empty if this one's was not durable. */
  #alongside(attempt: Attempt): readonly string[] {
    const name = nameOf(attempt);
    const [own] = [...this.#durable].filter(([place, all]) => place.startsWith(attempt.uid) && all.includes(name));
    return own?.[1] ?? [];
  }

  #checkSent(attempt: Attempt, text: string): void {
    const durable = this.#alongside(attempt);
    if (durable.length === 0) this.violate('I4', `${text} was sent before intent ${attempt.token} was durable`);
    for (const earlier of this.#pending) {
      const isOther = earlier.uid === attempt.uid && earlier.holder !== attempt.holder;
      if (isOther && durable.includes(nameOf(earlier)) && !this.#hidden.has(earlier.holder))
        this.violate(
          'I6',
          `${text} of ${attempt.token} was sent while ${earlier.text} of ${earlier.token} may still be carried out`,
        );
    }
    if (durable.length > 0 && durable.at(-1) !== nameOf(attempt) && !this.#hidden.has(attempt.holder))
      this.violate('I6', `${text} of ${attempt.token} was sent after ${durable.at(-1)} had begun`);
  }
}

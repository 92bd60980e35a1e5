import { type GuardEntry, hasFinalizer, type Workspace } from '../../sdk/index.ts';
import { claim, markOf } from './guarded.ts';
import type { Thing } from './inventory.ts';
import { idsIn, recordedIds } from './owners.ts';
import type { Process, World } from './process.ts';
import { type Attempt, type CallWatch, stranger } from './third-party.ts';

/** What must never be, and was. */
export interface Violation {
  readonly id: 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9' | 'I10';
  readonly at: number;
  readonly text: string;
}

/** A change that was sent and may still be carried out. */
interface Pending extends Attempt {
  readonly text: string;
}

const nameOf = ({ token, holder }: Pick<GuardEntry, 'token' | 'holder'>): string => `${token} ${holder}`;

/** Looks at every step whether what is promised holds; at rest, {@link atRest} asks the rest. */
export class Invariants implements CallWatch {
  readonly violations: Violation[] = [];
  readonly #world: World;
  readonly #guarded: boolean;
  readonly #pending = new Set<Pending>();
  /** Holders of attempts that a status which was put back does not tell of. */
  readonly #hidden = new Set<string>();
  /** Attempts whose intent has been durable once. */
  readonly #begun = new Set<string>();
  readonly #durable = new Map<string, string[]>();
  readonly #received: { readonly id: string; readonly process: Process }[] = [];
  readonly #recorded = new Set<string>();
  /** Ids that people were told, since the workspace that could hold them was gone. */
  readonly #left = new Set<string>();
  #last: readonly Workspace[] = [];
  #things: readonly Thing[] = [];
  /** Ids that were written down when a foreign writer wiped what held them. */
  readonly #excused = new Set<string>();
  /** Workspaces whose claim somebody else has removed, and that did not claim since. */
  readonly #unclaimed = new Set<string>();

  /** @param guarded whether the journal is looked at too: controls have none */
  constructor(world: World, guarded: boolean) {
    this.#world = world;
    this.#guarded = guarded;
  }

  /** Changes that may still be carried out. */
  get pending(): number {
    return this.#pending.size;
  }

  /** A foreign writer takes away what is recorded: these ids may be lost with it, later ones may not. */
  wiped(): void {
    for (const id of this.#recorded) this.#excused.add(id);
  }

  /** A tenant writes over what a workspace of its own holds: whatever is there now may be forgotten with it. */
  overwritten(): void {
    for (const { id } of this.#things) this.#excused.add(id);
  }

  /** An event or a warning. */
  heard(text: string): void {
    if (text.startsWith('IdsLeft')) for (const id of idsIn(text)) this.#left.add(id);
  }

  /** A foreign writer puts back an older status: tokens may fall this once, whoever is at work is hidden from others, and what the mirror does not hold may be lost. */
  putBack(): void {
    for (const workspace of this.#last) {
      const mirrored = recordedIds({ ...workspace, status: undefined });
      for (const id of recordedIds(workspace)) if (!mirrored.includes(id)) this.#excused.add(id);
    }
    this.#last = [];
    for (const attempts of this.#durable.values()) this.#hidden.add(attempts.at(-1)?.split(' ')[1] ?? '');
    for (const { holder } of this.#pending) this.#hidden.add(holder);
  }

  /** An administrator removes our claim: until it is back, things may exist without. */
  unclaimed(workspace: Workspace): void {
    this.#unclaimed.add(markOf(workspace));
  }

  touched(thing: Thing, { uid }: Attempt): void {
    const { mark, id } = thing;
    const owner = this.#world.owners.of(this.#last, thing);
    if (mark === stranger || (owner !== undefined && markOf(owner) !== uid))
      this.violate('I9', `${id} was touched, which is somebody else’s`);
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

  /** After every step. Both are the same arrays as long as nothing has changed. */
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
    if (!this.#guarded) return;
    this.#checkClaimed(workspaces, things);
    this.#checkKept(workspaces, things);
  }

  /** Ids that came back to a process that lives must be written down by now, or told where nothing is left to write them to. */
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
      const claimed = owner && (hasFinalizer(owner, claim) || this.#unclaimed.has(markOf(owner)));
      if (!claimed) this.violate('I2', `${thing.id} exists, and no claim says so`);
    }
  }

  #checkKept(workspaces: readonly Workspace[], things: readonly Thing[]): void {
    for (const thing of things) {
      const { id } = thing;
      if (!this.#recorded.has(id) || this.#excused.has(id)) continue;
      const owner = this.#world.owners.of(workspaces, thing);
      if (owner && !recordedIds(owner).includes(id))
        this.violate('I8', `${id} was written down and dropped while it exists`);
    }
  }

  #checkEntries(workspace: Workspace): void {
    const uid = markOf(workspace);
    const before = this.#last.find((one) => markOf(one) === uid);
    if (before === workspace) return;
    for (const [type, entry] of Object.entries(workspace.status?.guards ?? {})) {
      const known = before?.status?.guards?.[type];
      if (entry.phase === 'intent' && !this.#begun.has(entry.holder)) this.#checkBegun(workspace, entry, known);
      const place = `${uid}/${type}`;
      if (entry.phase === 'intent') this.#durable.set(place, [...(this.#durable.get(place) ?? []), nameOf(entry)]);
      if (known !== undefined && entry.token < known.token)
        this.violate('I5', `token ${known.token} became ${entry.token}`);
    }
  }

  /** An intent that has become durable was begun on what the workspace is now. */
  #checkBegun(workspace: Workspace, entry: GuardEntry, known: GuardEntry | undefined): void {
    const { generation, deletionTimestamp } = workspace.metadata;
    const { token, op, holder } = entry;
    this.#begun.add(holder);
    if (!hasFinalizer(workspace, claim)) this.violate('I4', `intent ${token} is durable without a claim`);
    if (entry.generation !== generation)
      this.violate('I4', `intent ${token} is durable for generation ${entry.generation}, when it is ${generation}`);
    const settled = known !== undefined && known.phase !== 'intent' && known.phase !== 'unknown';
    if (deletionTimestamp !== undefined && settled && (op === 'create' || op === 'update'))
      this.violate('I4', `intent ${token} to ${op} is durable on a workspace that is being deleted`);
  }

  /** Attempts of the same condition whose intents were durable, in order; none if this one's was not. */
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

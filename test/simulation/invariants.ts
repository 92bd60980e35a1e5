import { claimOf, type GuardEntry, hasFinalizer, mirrorAnnotation, type Workspace } from '../../sdk/index.ts';
import { condition, markOf } from './guarded.ts';
import type { Process, World } from './process.ts';
import { type Attempt, type CallWatch, stranger, type Thing, uidIn } from './third-party.ts';

/** What must never be, and was. */
export interface Violation {
  readonly id: 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9';
  readonly at: number;
  readonly text: string;
}

/** A change that was sent and may still be carried out. */
interface Pending extends Attempt {
  readonly text: string;
}

const claim = claimOf('thing');
const nameOf = ({ token, holder }: Pick<GuardEntry, 'token' | 'holder'>): string => `${token} ${holder}`;

/** Ids that the workspace holds, wherever. */
function recordedIds(workspace: Workspace): readonly string[] {
  const entry = workspace.status?.guards?.[condition];
  const mirror = workspace.metadata.annotations?.[mirrorAnnotation(condition)] ?? '{"refs":[]}';
  const refs = [
    ...(entry?.refs ?? []),
    ...(entry?.late ?? []),
    ...(JSON.parse(mirror) as { readonly refs: object[] }).refs,
  ];
  return refs.map((ref) => idIn(ref));
}

/** An id is the ref's own, or, of things of an external resource, one level down. */
export function idIn(ref: object): string {
  const { id } = ref as { id?: unknown };
  return typeof id === 'object' && id !== null ? idIn(id) : String(id);
}

/** Looks at every step whether what is promised holds; at rest, {@link atRest} asks the rest. */
export class Invariants implements CallWatch {
  readonly violations: Violation[] = [];
  readonly #world: World;
  readonly #guarded: boolean;
  readonly #pending = new Set<Pending>();
  readonly #durable = new Map<string, string[]>();
  readonly #received: { readonly id: string; readonly process: Process }[] = [];
  readonly #recorded = new Set<string>();
  #last: Workspace | undefined;
  #things: readonly Thing[] = [];
  /** Ids that were written down when a foreign writer wiped what held them. */
  readonly #excused = new Set<string>();

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

  /** Something of somebody else was changed or taken away. */
  touched(thing: Thing): void {
    this.violate('I9', `${thing.id} was touched, which is somebody else’s`);
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

  /** After every step. `things` is the same array as long as nothing has changed. */
  step(workspace: Workspace | undefined, things: readonly Thing[]): void {
    if (workspace === this.#last && things === this.#things) return;
    if (workspace !== this.#last && workspace !== undefined) {
      if (this.#guarded) this.#checkEntry(workspace);
      for (const id of recordedIds(workspace)) this.#recorded.add(id);
    }
    this.#last = workspace;
    this.#things = things;
    if (!this.#guarded) return;
    for (const { id, mark } of things) {
      if (mark === stranger) continue;
      const claimed = workspace !== undefined && markOf(workspace) === uidIn(mark) && hasFinalizer(workspace, claim);
      if (!claimed) this.violate('I2', `${id} exists, and no claim says so`);
    }
    if (workspace !== undefined) this.#checkKept(workspace, things);
  }

  /** Ids that came back to a process that lives must be written down by now. */
  atRest(workspace: Workspace | undefined, things: readonly Thing[]): void {
    if (!this.#guarded || workspace === undefined) return;
    const recorded = new Set(recordedIds(workspace));
    for (const { id, process } of this.#received) {
      const there = things.some((thing) => thing.id === id && uidIn(thing.mark) === markOf(workspace));
      if (there && !process.dead && !recorded.has(id) && !this.#excused.has(id))
        this.violate('I8', `${id} came back and is written nowhere`);
    }
  }

  #checkKept(workspace: Workspace, things: readonly Thing[]): void {
    const recorded = new Set(recordedIds(workspace));
    for (const { id, mark } of things)
      if (uidIn(mark) === markOf(workspace) && this.#recorded.has(id) && !recorded.has(id) && !this.#excused.has(id))
        this.violate('I8', `${id} was written down and dropped while it exists`);
  }

  #checkEntry(workspace: Workspace): void {
    const entry = workspace.status?.guards?.[condition];
    const uid = markOf(workspace);
    if (entry === undefined) return;
    if (entry.phase === 'intent') this.#durable.set(uid, [...(this.#durable.get(uid) ?? []), nameOf(entry)]);
    const before = this.#last?.metadata.uid === uid ? this.#last.status?.guards?.[condition] : undefined;
    if (before !== undefined && entry.token < before.token)
      this.violate('I5', `token ${before.token} became ${entry.token}`);
  }

  #checkSent(attempt: Attempt, text: string): void {
    const durable = this.#durable.get(attempt.uid) ?? [];
    if (!durable.includes(nameOf(attempt)))
      this.violate('I4', `${text} was sent before intent ${attempt.token} was durable`);
    for (const earlier of this.#pending) {
      if (earlier.uid === attempt.uid && earlier.holder !== attempt.holder)
        this.violate(
          'I6',
          `${text} of ${attempt.token} was sent while ${earlier.text} of ${earlier.token} may still be carried out`,
        );
    }
    if (durable.length > 0 && durable.at(-1) !== nameOf(attempt))
      this.violate('I6', `${text} of ${attempt.token} was sent after ${durable.at(-1)} had begun`);
  }
}

import { DefiniteError } from '../../sdk/index.ts';

/** Something that exists at the third party, or did. */
export interface Thing {
  readonly id: string;
  readonly name: string;
  /** Whose it is. */
  readonly mark: string;
  readonly value: number;
  /** ms when it came, and how long lists do not show it. */
  readonly since: number;
  readonly lag: number;
}

/** There is one of that name. */
export class NameTakenError extends Error {}

/** There is nothing of that id: it was never there, or is gone. */
export class NotThereError extends DefiniteError {}

/** What a creation is asked with. `unique`: only if nothing of that name exists. `key`: the same answer for the same key. */
export interface NewThing {
  readonly name: string;
  readonly mark: string;
  readonly value: number;
  readonly unique?: boolean;
  readonly key?: string;
}

/** What a third party holds: now, and at every moment before. */
export class Inventory {
  readonly #now: () => number;
  readonly #lag: () => number;
  readonly #things = new Map<string, Thing>();
  readonly #keys = new Map<string, Thing>();
  #all: readonly Thing[] | undefined;
  /** What existed from when on, the oldest first. */
  readonly #past: { readonly at: number; readonly things: readonly Thing[] }[] = [];
  #count = 0;

  /** @param lag draws how many ms lists do not show a new thing */
  constructor(now: () => number, lag: () => number) {
    this.#now = now;
    this.#lag = lag;
  }

  /** What exists now; the same array as long as nothing changes. */
  get things(): readonly Thing[] {
    this.#all ??= [...this.#things.values()];
    return this.#all;
  }

  /** What existed so many ms ago. */
  before(ms: number): readonly Thing[] {
    return this.#past.findLast(({ at }) => at <= this.#now() - ms)?.things ?? [];
  }

  /** What lists show by now of these. */
  listed(things: readonly Thing[], isMeant: (mark: string) => boolean): readonly Thing[] {
    return things.filter(({ mark, since, lag }) => isMeant(mark) && since + lag <= this.#now());
  }

  named(name: string): Thing | undefined {
    return this.things.find((thing) => thing.name === name);
  }

  get(id: string): Thing | undefined {
    return this.#things.get(id);
  }

  /** @throws NameTakenError */
  create({ name, mark, value, unique = false, key }: NewThing): Thing {
    const known = key === undefined ? undefined : this.#keys.get(key);
    if (known !== undefined) return known;
    if (unique && this.named(name)) throw new NameTakenError(`${name} exists`);
    this.#count += 1;
    const thing: Thing = { id: `t${this.#count}`, name, mark, value, since: this.#now(), lag: this.#lag() };
    this.#put(thing);
    if (key !== undefined) this.#keys.set(key, thing);
    return thing;
  }

  /** @throws NotThereError */
  update(id: string, value: number): void {
    const thing = this.#things.get(id);
    if (thing === undefined) throw new NotThereError(`${id} is not there`);
    this.#put({ ...thing, value });
  }

  /** What is not there is gone. */
  delete(id: string): void {
    this.#things.delete(id);
    this.#changed();
  }

  #put(thing: Thing): void {
    this.#things.set(thing.id, thing);
    this.#changed();
  }

  #changed(): void {
    this.#all = undefined;
    this.#past.push({ at: this.#now(), things: this.things });
  }
}

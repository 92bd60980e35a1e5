/** Stores the things of the simulated third party. */

import { DefiniteError } from '../../../../sdk/index.ts';

/** A thing that exists or existed at the third party. */
export interface Thing {
  readonly id: string;
  readonly name: string;
  /** Owner of the thing. */
  readonly mark: string;
  readonly value: number;
  /** ms of its creation, and how long lists do not show it. */
  readonly since: number;
  readonly lag: number;
}

/** A thing of that name exists. */
export class NameTakenError extends Error {}

/** No thing has that id: it never existed or is gone. */
export class NotThereError extends DefiniteError {}

/** Request to create a thing. `unique`: only if no thing of that name exists. `key`: idempotency key, the same answer for the same key. */
export interface NewThing {
  readonly name: string;
  readonly mark: string;
  readonly value: number;
  readonly unique?: boolean;
  readonly key?: string;
}

/** Things of a third party, now and at every earlier moment. */
export class Inventory {
  readonly #now: () => number;
  readonly #lag: () => number;
  readonly #things = new Map<string, Thing>();
  readonly #keys = new Map<string, Thing>();
  #all: readonly Thing[] | undefined;
  /** Earlier states with their start, oldest first. */
  readonly #past: { readonly at: number; readonly things: readonly Thing[] }[] = [];
  #count = 0;

  /** @param lag draws how many ms lists do not show a new thing */
  constructor(now: () => number, lag: () => number) {
    this.#now = now;
    this.#lag = lag;
  }

  /** Existing things; the same array as long as nothing changes. */
  get things(): readonly Thing[] {
    this.#all ??= [...this.#things.values()];
    return this.#all;
  }

  /** Things that existed that many ms ago. */
  before(ms: number): readonly Thing[] {
    return this.#past.findLast(({ at }) => at <= this.#now() - ms)?.things ?? [];
  }

  /** Those of these things that lists show by now. */
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

  /** Replaces the mark of a thing. @throws NotThereError */
  replaceMark(id: string, mark: string): void {
    const thing = this.#things.get(id);
    if (thing === undefined) throw new NotThereError(`${id} is not there`);
    this.#put({ ...thing, mark });
  }

  /** Deletes a thing; does nothing if it does not exist. */
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

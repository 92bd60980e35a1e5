/** Simulates a third party with lost, late and stale calls. */

import { DefiniteError, ThrottledError } from '../../../../sdk/index.ts';
import type { Fault } from '../faults/faults.ts';
import { type Course, perform } from '../processes/effect.ts';
import type { Process, World } from '../processes/process.ts';
import { Inventory, type NewThing, type Thing } from './inventory.ts';
import type { Maker } from './makers.ts';

/** The attempt that makes a call. */
export interface Attempt {
  readonly uid: string;
  /** Integration that makes it. @default not checked */
  readonly maker?: Maker;
  readonly token: number;
  readonly holder: string;
}

/** Observer of sent changes and received answers. */
export interface CallWatch {
  /** A change is sent. @returns a function to call when it can no longer be carried out */
  sent(attempt: Attempt, text: string): () => void;
  /** An id was returned to a living process. */
  received(attempt: Attempt, process: Process, id: string): void;
  /** A thing was changed or deleted. */
  touched(thing: Thing, attempt: Attempt): void;
}

/** Access of one attempt of one process to the third party. */
export interface Port {
  /** ms since the creation of a thing. */
  ageOf(thing: Thing): number;
  create(wanted: NewThing): Promise<Thing>;
  update(id: string, value: number): Promise<void>;
  replaceMark(id: string, mark: string): Promise<void>;
  /** Deletes a thing; does nothing if it does not exist. */
  delete(id: string): Promise<void>;
  /** Reads a thing by name, up to date. */
  named(name: string): Promise<Thing | undefined>;
  /** Finds a thing by mark in a list that may lag. */
  find(mark: string): Promise<Thing | undefined>;
  /** Reads a thing by id, up to date. */
  get(id: string): Promise<Thing | undefined>;
  /** Lists all things with a mark equal to an owner or beginning with it; the list may lag. */
  list(owner: string): Promise<readonly Thing[]>;
}

interface Caller {
  readonly process: Process;
  readonly attempt: Attempt;
  readonly signal: AbortSignal;
  readonly timeout: number;
}

interface Call<T> {
  readonly text: string;
  readonly changes: boolean;
  /** `things`: the visible state, which for a read may be an earlier one. */
  carryOut(things: readonly Thing[]): T;
}

/** Returns the uid of the workspace in a mark. */
export const uidIn = (mark: string): string => mark.split(/[/@]/, 1)[0]!;

/** Returns the slot in a mark: one of several things of a workspace; empty for the only one. */
export const slotIn = (mark: string): string => mark.split('/')[1] ?? '';

/** Mark of a foreign thing. */
export const stranger = 'stranger';

const hangUp = (): Promise<never> => Promise.reject(new Error('socket hang up'));

function bend<T>({ kind, ms }: Fault, asOf: (ms: number) => T | undefined): Course<T> | undefined {
  const lost = (carriedOut: Course<T>['carriedOut']): Course<T> => ({ carriedOut, answer: hangUp });
  const refused = (error: Error): Course<T> => ({ carriedOut: 'never', answer: () => Promise.reject(error) });
  switch (kind) {
    case 'call refused':
      return refused(new DefiniteError('refused'));
    case 'call throttled':
      return refused(new ThrottledError('slow down', ms));
    case 'call lost':
      return lost('never');
    case 'call late':
      return lost(ms);
    case 'call answer lost':
      return lost('on arrival');
    case 'call slow':
      return { carriedOut: 'on arrival', slow: ms, answer: async (value) => value as T };
    case 'call stale':
      return { carriedOut: 'never', answer: async () => asOf(ms) as T };
    default:
      return undefined;
  }
}

/** The simulated third party: holds things and answers calls. */
export class ThirdParty {
  readonly #world: World;
  readonly #watch: CallWatch;
  readonly #held: Inventory;

  /** @param listLag largest lag of lists, ms */
  constructor(world: World, watch: CallWatch, listLag: number) {
    this.#world = world;
    this.#watch = watch;
    this.#held = new Inventory(
      () => world.scheduler.now,
      () => world.random.below(listLag + 1),
    );
  }

  /** Existing things; the same array as long as nothing changes. */
  get things(): readonly Thing[] {
    return this.#held.things;
  }

  occupy(name: string): void {
    if (!this.#held.named(name)) this.#create({ name, mark: stranger, value: 0 });
  }

  vacate(): void {
    for (const { id, mark } of this.things) if (mark === stranger) this.#held.delete(id);
  }

  /** Returns the access of one attempt. A call is given up after `timeout` ms, and when the signal aborts. */
  port(process: Process, attempt: Attempt, limits: { readonly signal: AbortSignal; readonly timeout: number }): Port {
    const call = <T>(one: Call<T>): Promise<T> => this.#call({ process, attempt, ...limits }, one);
    const received = (thing: Thing | undefined): void => {
      if (thing !== undefined && thing.mark !== stranger) this.#watch.received(attempt, process, thing.id);
    };
    return {
      ageOf: ({ since }) => this.#world.scheduler.now - since,
      create: async (wanted) => {
        const made = await call({ text: 'create', changes: true, carryOut: () => this.#create(wanted) });
        received(made);
        return made;
      },
      update: (id, value) =>
        call({ text: `update ${id}`, changes: true, carryOut: () => this.#update(id, value, attempt) }),
      replaceMark: (id, mark) =>
        call({ text: `replaceMark ${id}`, changes: true, carryOut: () => this.#replaceMark(id, mark, attempt) }),
      delete: (id) => call({ text: `delete ${id}`, changes: true, carryOut: () => this.#delete(id, attempt) }),
      named: (name) =>
        call({ text: 'look by name', changes: false, carryOut: (things) => things.find((one) => one.name === name) }),
      get: (id) =>
        call({ text: `look at ${id}`, changes: false, carryOut: (things) => things.find((one) => one.id === id) }),
      list: (owner) =>
        call({
          text: 'list',
          changes: false,
          carryOut: (things) => this.#held.listed(things, (mark) => mark.split('/', 1)[0] === owner),
        }),
      find: (mark) =>
        call({
          text: 'find',
          changes: false,
          carryOut: (things) => this.#held.listed(things, (one) => one === mark)[0],
        }),
    };
  }

  #create(wanted: NewThing): Thing {
    const before = this.things;
    const thing = this.#held.create(wanted);
    if (this.things !== before) this.#world.note('third party', `${thing.id} exists`);
    return thing;
  }

  #update(id: string, value: number, attempt: Attempt): void {
    this.#touch(id, attempt);
    this.#held.update(id, value);
  }

  #replaceMark(id: string, mark: string, attempt: Attempt): void {
    this.#touch(id, attempt);
    this.#held.replaceMark(id, mark);
  }

  #delete(id: string, attempt: Attempt): void {
    this.#touch(id, attempt);
    this.#held.delete(id);
  }

  #touch(id: string, attempt: Attempt): void {
    const thing = this.#held.get(id);
    if (thing !== undefined) this.#watch.touched(thing, attempt);
  }

  async #call<T>({ process, attempt, signal, timeout }: Caller, { text, changes, carryOut }: Call<T>): Promise<T> {
    signal.throwIfAborted();
    let over = (): void => {};
    const answered = perform<T>(this.#world, process, {
      kind: 'call',
      text,
      onSend: () => {
        if (changes) over = this.#watch.sent(attempt, text);
      },
      carryOut: async () => {
        over();
        return carryOut(this.things);
      },
      bend: (fault) => {
        if (fault.kind === 'call stale' && changes) return undefined;
        const course = bend<T>(fault, (ms) => carryOut(this.#held.before(ms)));
        if (course?.carriedOut === 'never') over();
        return course;
      },
      describe: (answer) =>
        typeof answer === 'object' && answer !== null && 'id' in answer ? String(answer.id) : 'ok',
    });
    return this.#patiently(answered, { process, signal, timeout });
  }

  #patiently<T>(
    answered: Promise<T>,
    { process, signal, timeout }: Pick<Caller, 'process' | 'signal' | 'timeout'>,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => end(() => reject(signal.reason));
      const cancel = process.after(timeout, () => end(() => reject(new Error(`no answer in ${timeout} ms`))));
      const end = (settle: () => void): void => {
        cancel();
        signal.removeEventListener('abort', onAbort);
        settle();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      answered.then(
        (value) => end(() => resolve(value)),
        (error) => end(() => reject(error)),
      );
    });
  }
}

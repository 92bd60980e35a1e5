/** In-memory third party with named objects of one owner each; shared by the in-memory databases, buckets and certificates. */

import { createHash } from 'node:crypto';
import {
  DefiniteError,
  ExternalAlreadyExistsError,
  type ExternalResource,
  externalResource,
  type Owner,
} from '../../sdk/index.ts';
import { optionChecks } from '../option-checks.ts';

/** Object in a {@link MemoryStore}, with the mark of its owner. */
export interface MemoryObject<State extends object> {
  readonly name: string;
  readonly mark: string;
  readonly state: State;
}

/** Context of each call: as over a network, it may be given up. */
interface StoreCall {
  readonly signal: AbortSignal;
}

/** Third party with objects in a Map: names are unique, and only the owner can change or delete an object. */
export interface MemoryStore<State extends object> {
  /** Returns all objects, in the order of creation. */
  objects(): readonly MemoryObject<State>[];
  /** Returns the object of an owner. */
  find(mark: string, call: StoreCall): Promise<MemoryObject<State> | undefined>;
  /** Returns the object of a name. */
  read(name: string, call: StoreCall): Promise<MemoryObject<State> | undefined>;
  /** Creates an object. @throws ExternalAlreadyExistsError when the name is taken */
  create(object: MemoryObject<State>, call: StoreCall): Promise<void>;
  /** Changes an object. @throws DefiniteError when it is missing or has another owner */
  update(object: MemoryObject<State>, call: StoreCall): Promise<void>;
  /** Replaces one of the former marks of an object. @throws DefiniteError when it is missing or has another owner */
  replaceMark(
    name: string,
    marks: { readonly mark: string; readonly former: readonly string[] },
    call: StoreCall,
  ): Promise<void>;
  /** Deletes an object; a missing one counts as deleted. @throws DefiniteError when it has another owner */
  delete(object: Pick<MemoryObject<State>, 'name' | 'mark'>, call: StoreCall): Promise<void>;
}

/** Checks that a server is one that {@link createMemoryStore} returns. @throws TypeError */
export function checkMemoryStore(integration: string, server: unknown): void {
  optionChecks(integration).functions('server', server, ['find', 'read', 'create', 'update', 'replaceMark', 'delete']);
}

/** Creates an empty third party. */
export function createMemoryStore<State extends object>(): MemoryStore<State> {
  const objects = new Map<string, MemoryObject<State>>();
  const ofOwner = (name: string, marks: readonly string[]): MemoryObject<State> => {
    const object = objects.get(name);
    if (object === undefined) throw new DefiniteError(`there is no ${name}`);
    if (!marks.includes(object.mark)) throw new DefiniteError(`${name} belongs to ${object.mark}`);
    return object;
  };
  return {
    objects: () => [...objects.values()],
    find: async (mark) => [...objects.values()].find((object) => object.mark === mark),
    read: async (name) => objects.get(name),
    async create(object) {
      if (objects.has(object.name)) throw new ExternalAlreadyExistsError(`${object.name} exists`);
      objects.set(object.name, object);
    },
    async update(object) {
      ofOwner(object.name, [object.mark]);
      objects.set(object.name, object);
    },
    async replaceMark(name, { mark, former }) {
      objects.set(name, { ...ofOwner(name, [mark, ...former]), mark });
    },
    async delete({ name, mark }) {
      if (objects.has(name)) ofOwner(name, [mark]);
      objects.delete(name);
    },
  };
}

/** Returns a name that only this owner has: a prefix, and 48 bits of the hash of its mark. */
export const memoryName = (prefix: string, { mark }: Owner): string =>
  `${prefix}${createHash('sha256').update(mark).digest('hex').slice(0, 12)}`;

/** Options of {@link memoryResource}. */
export interface MemoryResourceOptions<State extends object> {
  readonly label: string;
  readonly prefix: string;
  readonly store: MemoryStore<State>;
  /** Returns the secret of an object. */
  readonly secretFor: (name: string, state: State) => Readonly<Record<string, string>>;
  /** A changed desired state replaces the object, with a new secret. @default it is changed in place */
  readonly isReplaced?: boolean;
}

/** Returns the resource for one object per owner in a store. */
export function memoryResource<State extends object>({
  label,
  prefix,
  store,
  secretFor,
  isReplaced = false,
}: MemoryResourceOptions<State>): ExternalResource<State, { readonly name: string }> {
  return externalResource<State, { readonly name: string }>({
    label,
    identity: 'name',
    driftInterval: 60_000,
    async find({ mark }, call) {
      const found = await store.find(mark, call);
      return found && { name: found.name };
    },
    async create(state, { owner, signal }) {
      const name = memoryName(prefix, owner);
      await store.create({ name, mark: owner.mark, state }, { signal });
      return { id: { name }, secret: secretFor(name, state) };
    },
    async observe({ name }, { signal }) {
      const found = await store.read(name, { signal });
      return found && { state: found.state, mark: found.mark };
    },
    async secretOf({ name }, { signal }) {
      const found = await store.read(name, { signal });
      if (found === undefined) throw new DefiniteError(`there is no ${name}`);
      return secretFor(name, found.state);
    },
    ...(!isReplaced && {
      update: ({ name }, state, { owner, signal }) => store.update({ name, mark: owner.mark, state }, { signal }),
    }),
    replaceMark: ({ name }, { owner, former, signal }) =>
      store.replaceMark(name, { mark: owner.mark, former: former.map(({ mark }) => mark) }, { signal }),
    delete: ({ name }, { owner, signal }) => store.delete({ name, mark: owner.mark }, { signal }),
  });
}

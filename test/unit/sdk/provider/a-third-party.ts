/** A third party that keeps boxes, with faults on demand. */

import {
  DefiniteError,
  defineIntegration,
  ExternalAlreadyExistsError,
  type ExternalResource,
  externalResource,
  type Integration,
} from '../../../../sdk/index.ts';

/** Desired state of a box. */
export interface Box {
  readonly name: string;
  readonly size: number;
}

/** Stored state of a box. */
export interface Stored extends Box {
  readonly id: string;
  readonly mark: string;
  readonly key: string;
}

export interface BoxId {
  readonly id: string;
}
type Identity = ExternalResource<Box, BoxId>['identity'];

/** A third party that keeps boxes and loses answers on demand. */
export interface ThirdParty {
  readonly boxes: Stored[];
  /** Mutating calls, in order. */
  readonly calls: string[];
  /** Errors of the next calls, after or before their execution. */
  readonly faults: {
    readonly call: 'create' | 'update' | 'delete' | 'replaceMark';
    readonly carriedOut: boolean;
    readonly error: Error;
  }[];
  readonly resource: (identity: Identity, more?: Partial<ExternalResource<Box, BoxId>>) => ExternalResource<Box, BoxId>;
  /** Hook of resources that replaceMark; not part of `resource` by itself. */
  readonly replaceMark: NonNullable<ExternalResource<Box, BoxId>['replaceMark']>;
}

/** Calls of a third party with the given identity, on these boxes. */
function callsOf({ boxes, calls, faults }: Pick<ThirdParty, 'boxes' | 'calls' | 'faults'>, identity: Identity) {
  const carryOut = async <T>(call: ThirdParty['faults'][number]['call'], work: () => T): Promise<T> => {
    const index = faults.findIndex((fault) => fault.call === call);
    const [fault] = index === -1 ? [] : faults.splice(index, 1);
    if (fault !== undefined && !fault.carriedOut) throw fault.error;
    const done = work();
    if (fault !== undefined) throw fault.error;
    return done;
  };
  const indexOf = (id: string): number => boxes.findIndex((box) => box.id === id);
  const make = ({ name, size }: Box, key: string, mark: string) => {
    if (identity === 'name' && boxes.some((box) => box.name === name)) throw new ExternalAlreadyExistsError(name);
    const known = identity === 'key' ? boxes.find((box) => box.key === key) : undefined;
    if (known !== undefined) return { id: { id: known.id } };
    calls.push(`create ${name}`);
    const id = `box-${calls.length}`;
    boxes.push({ id, name, size, mark, key });
    return { id: { id } };
  };
  const calling: Required<
    Pick<ExternalResource<Box, BoxId>, 'create' | 'update' | 'delete' | 'observe' | 'replaceMark'>
  > = {
    create: (wanted, { key, owner }) => carryOut('create', () => make(wanted, key, owner.mark)),
    update: ({ id }, { size }) =>
      carryOut('update', () => {
        const box = boxes[indexOf(id)];
        if (box === undefined) throw new DefiniteError(`no ${id}`);
        boxes[indexOf(id)] = { ...box, size };
        calls.push(`update ${box.name}`);
      }),
    replaceMark: ({ id }, { owner }) =>
      carryOut('replaceMark', () => {
        const box = boxes[indexOf(id)];
        if (box === undefined) throw new DefiniteError(`no ${id}`);
        boxes[indexOf(id)] = { ...box, mark: owner.mark };
        calls.push(`replaceMark ${box.name}`);
      }),
    delete: ({ id }) =>
      carryOut('delete', () => {
        if (indexOf(id) !== -1) calls.push(`delete ${boxes.splice(indexOf(id), 1)[0]?.name}`);
        return 'gone' as const;
      }),
    observe: async ({ id }) => {
      const found = boxes[indexOf(id)];
      return found && { state: { size: found.size } };
    },
  };
  return calling;
}

/** Creates one without boxes and faults. */
export function aThirdParty(): ThirdParty {
  const state: Pick<ThirdParty, 'boxes' | 'calls' | 'faults'> = { boxes: [], calls: [], faults: [] };
  const find = async ({ mark }: { readonly mark: string }) => {
    const found = state.boxes.find((box) => box.mark === mark);
    return found && { id: found.id };
  };
  const identified = (identity: Identity) => {
    if (identity === 'key') return { identity, validForMs: 86_400_000 };
    return identity === 'opaque' ? { identity } : { identity, find };
  };
  return {
    ...state,
    replaceMark: callsOf(state, 'tag').replaceMark,
    resource(identity, more = {}) {
      const { replaceMark: _, ...calls } = callsOf(state, identity);
      return externalResource<Box, BoxId>({
        label: 'box',
        nameOf: ({ name }: Box) => name,
        ...calls,
        ...identified(identity),
        ...more,
      } as ExternalResource<Box, BoxId>);
    },
  };
}

/** An integration that keeps the boxes in the workspace's spec (`integrations.boxes`: sizes by name). */
export const boxKeeper = (resource: ExternalResource<Box, BoxId>): Integration =>
  defineIntegration({
    name: 'boxes',
    condition: 'Boxes',
    handles: () => true,
    connect: ({ workspace, controller }) => {
      const sizes = (workspace.spec.integrations?.boxes ?? {}) as Readonly<Record<string, number>>;
      const wanted = Object.entries(sizes).map(([name, size]) => ({ name, size }));
      return {
        reconcile: () => controller.ensure(resource, wanted),
        terminate: () => controller.destroy(resource, wanted),
      };
    },
  });

import {
  type CreateContext,
  type Created,
  defineIntegration,
  ExternalAlreadyExistsError,
  type ExternalResource,
  externalResource,
  type Integration,
  type Owner,
  type ProviderController,
  type ReplaceMarkContext,
} from '../../../../sdk/index.ts';
import { NameTakenError, type Thing } from '../third-party/inventory.ts';
import { makersOf, suffixOf } from '../third-party/makers.ts';
import type { Port } from '../third-party/third-party.ts';
import { condition, type GuardedOptions, wantedOf } from './guarded.ts';

/** Desired state of a thing. */
interface Wanted {
  readonly slot: string;
  readonly name: string;
  readonly value: number;
}

type Id = Readonly<{ id: string }>;

const nameFor = (workspace: string, slot: string): string => (slot === '' ? workspace : `${workspace}-${slot}`);

const idOf = (thing: Thing | undefined): Id | undefined => thing && { id: thing.id };

/** Returns the texts that identify things of an owner: as a whole, and of one slot. */
function marksOf(maker: GuardedOptions['maker']) {
  const ownerMark = ({ uid, condition: type }: Pick<Owner, 'uid' | 'condition'>): string =>
    `${type === condition ? uid : `${uid}@${type}`}${suffixOf(maker)}`;
  const markFor = ({ slot, ...owner }: Pick<Owner, 'uid' | 'condition' | 'slot'>): string =>
    slot === '' ? ownerMark(owner) : `${ownerMark(owner)}/${slot}`;
  return { ownerMark, markFor };
}

/** Presents the simulated third party's things as an external resource of one workspace. */
function resourceOf(controller: ProviderController, options: GuardedOptions): ExternalResource<Wanted, Id> {
  const { identity, connect, checksMark = true, listLagMs = 0, slots, traits, maker } = options;
  const { ownerMark, markFor } = marksOf(maker);
  const { secrets = false, readyAfter = 0, driftInterval, replacesMarks = false } = traits;
  const port = ({ signal }: { readonly signal: AbortSignal }): Port => connect(controller, signal);
  const isOurs = (thing: Thing | undefined, owner: Owner): boolean => !checksMark || thing?.mark === markFor(owner);
  const byName = async (owner: Owner, context: { readonly signal: AbortSignal }) => {
    const found = await port(context).named(nameFor(`${owner.workspace}${suffixOf(maker)}`, owner.slot));
    return isOurs(found, owner) ? idOf(found) : undefined;
  };
  const byMark = async (owner: Owner, context: { readonly signal: AbortSignal }) =>
    idOf(await port(context).find(markFor(owner)));
  const findAll = async (owner: Owner, context: { readonly signal: AbortSignal }) =>
    (await port(context).list(ownerMark(owner))).map(({ id, mark }) => ({
      slot: mark.slice(ownerMark(owner).length + 1),
      id: { id },
    }));
  const create = async ({ name, value }: Wanted, context: CreateContext): Promise<Created<Id>> => {
    const asked = { name, value, mark: markFor(context.owner), unique: identity === 'name' };
    try {
      const made = await port(context).create({ ...asked, ...(identity === 'key' && { key: context.key }) });
      return { id: { id: made.id }, ...(secrets && { secret: { token: made.id } }), ready: readyAfter === 0 };
    } catch (error) {
      throw error instanceof NameTakenError ? new ExternalAlreadyExistsError(error.message) : error;
    }
  };
  const calls = {
    label: 'thing',
    ...(slots !== undefined && { nameOf: ({ slot }: Wanted) => slot }),
    listLagMs,
    ...(driftInterval !== undefined && { driftInterval }),
    ...(secrets && { secretOf: async ({ id }: Id) => ({ token: id }) }),
    create,
    observe: async ({ id }: Id, context: { readonly signal: AbortSignal }) => {
      const found = await port(context).get(id);
      return found && { state: { value: found.value }, ready: port(context).ageOf(found) >= readyAfter };
    },
    update: ({ id }: Id, { value }: Wanted, context: { readonly signal: AbortSignal }) =>
      port(context).update(id, value),
    ...(replacesMarks && {
      replaceMark: ({ id }: Id, context: ReplaceMarkContext) => port(context).replaceMark(id, markFor(context.owner)),
    }),
    delete: ({ id }: Id, context: { readonly signal: AbortSignal }) => port(context).delete(id),
  };
  const lists = slots !== undefined && { findAll };
  switch (identity) {
    case 'name':
      return externalResource({ ...calls, identity, find: byName, ...lists });
    case 'tag':
      return externalResource({ ...calls, identity, find: byMark, ...lists });
    case 'key':
      return externalResource({ ...calls, identity, validForMs: 30 * 86_400_000 });
    case 'opaque':
      return externalResource({ ...calls, identity });
  }
}

/** Integration that keeps one thing at the simulated third party as an external resource. */
export const ensured = (options: GuardedOptions): Integration =>
  defineIntegration({
    name: options.maker,
    condition: options.condition,
    handles: (workspace) => makersOf(workspace).includes(options.maker),
    connect: ({ workspace, controller }) => {
      const resource = resourceOf(controller, options);
      const value = wantedOf(workspace);
      const wanted = (options.slots?.(workspace) ?? ['']).map(
        (slot): Wanted => ({
          slot,
          name: nameFor(`${workspace.metadata.name}${suffixOf(options.maker)}`, slot),
          value,
        }),
      );
      return {
        reconcile: () => controller.ensure(resource, wanted),
        terminate: () => controller.destroy(resource, wanted),
      };
    },
  });

/** External resource of a workspace at a server of hooks. */

import {
  ContractError,
  type ExternalResource,
  externalResource,
  type FoundExternalObject,
  type Owner,
} from '../../sdk/index.ts';
import { serverDescriptionCheck } from './check-server-description.ts';
import type { HooksClient } from './client.ts';
import type { CheckedHooksOptions, HookFunction } from './options.ts';
import { type HookSettings, serverSettingsOf } from './settings.ts';

/** Id of an object, as returned by the server. */
export type HookId = Readonly<Record<string, unknown>>;

/** Maximum characters of an output in an id. */
const maxOutputLength = 1024;

const ownerOf = ({ uid, namespace, workspace, condition, slot, mark }: Owner) => ({
  uid,
  namespace,
  workspace,
  condition,
  ...(slot !== '' && { slot }),
  mark,
});

/** Describes the first declared output that an id lacks; undefined when it has all. */
function missingOutput(id: HookId, { outputs }: CheckedHooksOptions): string | undefined {
  for (const [name, { secret = false }] of Object.entries(outputs)) {
    const value = Object.hasOwn(id, name) ? id[name] : undefined;
    const isText = typeof value === 'string' && value !== '' && value.length <= maxOutputLength;
    if (!secret && !isText)
      return `id.${name} must be a text of 1 to ${maxOutputLength} characters, since it is declared as an output`;
  }
  return undefined;
}

/** Describes the first declared output that a secret lacks; undefined when it has all. */
function missingKey(secret: Readonly<Record<string, string>>, { outputs }: CheckedHooksOptions): string | undefined {
  const missing = Object.entries(outputs).find(([name, one]) => one.secret === true && !Object.hasOwn(secret, name));
  return missing && `secret.${missing[0]} is missing, and declared as an output`;
}

/** Returns the functions that the server always has. */
function always(client: HooksClient, options: CheckedHooksOptions) {
  const agreed = serverDescriptionCheck(client, options);
  return {
    async create(wanted: HookSettings, { owner, key, signal }: { owner: Owner; key: string; signal: AbortSignal }) {
      await agreed(signal);
      const request = { owner: ownerOf(owner), key, wanted: serverSettingsOf(wanted, options.several) };
      const created = await client.call('create', request, signal);
      const unasked = created.secret !== undefined && !options.functions.includes('secretOf');
      const mistake =
        missingOutput(created.id, options) ??
        (created.secret && missingKey(created.secret, options)) ??
        (unasked ? 'a secret needs secretOf among the option functions' : undefined) ??
        (created.upToDate === false && !options.functions.includes('update')
          ? 'upToDate: false needs update among the option functions'
          : undefined);
      if (mistake !== undefined)
        throw new ContractError(`${options.name}: create: ${mistake}`, [{ slot: owner.slot, id: created.id }]);
      return created;
    },
    async delete(id: HookId, { owner, signal }: { owner: Owner; signal: AbortSignal }): Promise<'gone' | 'deleting'> {
      const { gone } = await client.call('delete', { owner: ownerOf(owner), id }, signal);
      return gone ? 'gone' : 'deleting';
    },
  };
}

type Optional = Required<Pick<ExternalResource<HookSettings, HookId>, Exclude<HookFunction, 'find' | 'findAll'>>>;

/** Returns the optional functions of a server. */
function optional(client: HooksClient, options: CheckedHooksOptions): Optional {
  return {
    async observe(id, { owner, signal }) {
      const { state, ...seen } = await client.call('observe', { owner: ownerOf(owner), id }, signal);
      return state === null ? undefined : { state: serverSettingsOf(state, options.several), ...seen };
    },
    async update(id, wanted, { owner, signal }) {
      await client.call(
        'update',
        { owner: ownerOf(owner), id, wanted: serverSettingsOf(wanted, options.several) },
        signal,
      );
    },
    async secretOf(id, { owner, signal }) {
      const { secret } = await client.call('secretOf', { owner: ownerOf(owner), id }, signal);
      const mistake = missingKey(secret, options);
      if (mistake !== undefined) throw new ContractError(`${options.name}: secretOf: ${mistake}`);
      return secret;
    },
    async replaceMark(id, { owner, former, signal }) {
      await client.call('replaceMark', { owner: ownerOf(owner), former: former.map(ownerOf), id }, signal);
    },
  };
}

/** Returns the functions that search for external objects, where the server has no `findAll` by its `find`. */
function searches(client: HooksClient, options: CheckedHooksOptions) {
  const find = async (owner: Owner, { signal }: { signal: AbortSignal }): Promise<HookId | undefined> => {
    const { id } = await client.call('find', { owner: ownerOf(owner) }, signal);
    const mistake = id === null ? undefined : missingOutput(id, options);
    if (mistake !== undefined) throw new ContractError(`${options.name}: find: ${mistake}`);
    return id ?? undefined;
  };
  const findAll = async (
    owner: Owner,
    context: { signal: AbortSignal },
  ): Promise<readonly FoundExternalObject<HookId>[]> => {
    if (options.functions.includes('findAll'))
      return (await client.call('findAll', { owner: ownerOf(owner) }, context.signal)).things;
    const id = await find(owner, context);
    return id === undefined ? [] : [{ slot: '', id }];
  };
  return { find, findAll };
}

/** Reports whether all objects of a workspace can be listed; with the identity `key`, `find` returns the only one. */
const isListable = ({ identity, functions, several }: CheckedHooksOptions): boolean =>
  functions.includes('findAll') || (identity === 'key' && functions.includes('find') && !several);

/** Returns the external resource of one workspace; each function is one request. */
export function hookResource(
  client: HooksClient,
  options: CheckedHooksOptions,
): ExternalResource<HookSettings, HookId> {
  const { label, identity, functions, several, listLag, maxRequest, driftInterval, validForMs } = options;
  const { find, findAll } = searches(client, options);
  const finds = functions.includes('find') && { find };
  const lists = isListable(options) && { findAll };
  const had = Object.entries(optional(client, options)).filter(([name]) => functions.includes(name as HookFunction));
  const common = {
    label,
    ...(several && { nameOf: ({ name }: HookSettings) => name as string }),
    ...always(client, options),
    ...(Object.fromEntries(had) as Partial<Optional>),
    ...(functions.includes('observe') && { driftInterval }),
    ...(maxRequest !== undefined && { maxRequestMs: maxRequest }),
    listLagMs: listLag,
  };
  if (identity === 'opaque') return externalResource({ ...common, identity });
  if (identity !== 'key') return externalResource({ ...common, identity, find, ...lists });
  return externalResource({ ...common, identity, validForMs, ...finds, ...lists });
}

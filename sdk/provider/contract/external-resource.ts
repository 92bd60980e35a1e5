/** Contract of external resources: the functions that create, find, update and delete external objects. */

import { isJsonObject } from '../../api/json.ts';
import { unknownIn } from '../../options.ts';
import { describeValue } from '../describe-value.ts';
import {
  atMember,
  inheritedAmong,
  inheritedMistake,
  mistakeInDuration,
  mistakeInText,
  mistakeInUnboundedDuration,
} from '../value-mistakes.ts';
import type { CallbackPromise } from './callback-return-type.ts';
import type { Ref } from './integration.ts';

/** Owner recorded in the external object's mark. */
export interface Owner {
  /** Uid of the workspace. */
  readonly uid: string;
  readonly namespace: string;
  readonly workspace: string;
  readonly condition: string;
  /** Name of the object among several of one condition; empty for the only one. */
  readonly slot: string;
  /** `uid/condition/slot`: store this on the object, as a tag, a label or a comment. */
  readonly mark: string;
}

/** Context of each call. */
export interface ExternalCallContext {
  readonly owner: Owner;
  /** Aborts when the lease is about to expire: pass it to each request. */
  readonly signal: AbortSignal;
}

/** Context of a creation. */
export interface CreateContext extends ExternalCallContext {
  /** Idempotency key: the same for all attempts of this one creation, and unique to it. Use it as key, name or tag. */
  readonly key: string;
}

/** Context of `replaceMark`: `owner.mark` replaces any of the former marks. */
export interface ReplaceMarkContext extends ExternalCallContext {
  /** Former owners, whose mark the object may still bear: earlier uids of the workspace, the latest last. */
  readonly former: readonly Owner[];
}

/** Result of a creation. */
export interface Created<Id extends object> {
  readonly id: Id;
  /**
   * Stored in a Secret that the workspace owns, `<workspace>-<condition>` with the condition in lower case, and `-<slot>` where the object has a name;
   * never in status. A resource that returns a secret should implement `secretOf`. If it implements `secretOf` and returns no secret here, `secretOf` is
   * called before the condition becomes `Completed`.
   */
  readonly secret?: Readonly<Record<string, string>>;
  /** `false`: creation is in progress; `observe`, which it needs, is called until the object is ready. @default true */
  readonly ready?: boolean;
  /** `false`: the object exists and bears its mark, but is not as wanted yet: `update` follows at once. @default true */
  readonly upToDate?: boolean;
}

/** Observed state of an object. */
export interface Observed<Wanted> {
  /** State as far as it can be read; only members present are compared with the desired state. */
  readonly state: Partial<Wanted>;
  /** @default true */
  readonly ready?: boolean;
  /**
   * Mark of the object, if it can be read: an object with another mark than {@link Owner.mark} has another owner and is neither changed nor deleted.
   */
  readonly mark?: string;
}

interface ExternalOperations<Wanted, Id extends object> {
  /** Kind of the object, for messages: `DNS record`. */
  readonly label: string;
  /**
   * Returns the name of an object among several of one condition; must be stable for its lifetime. When the name changes,
   * the old object is deleted and a new one created: derive the name from members that the third party cannot change. @default there is only one
   */
  readonly nameOf?: (wanted: Wanted) => string;
  /**
   * Creates the object, once. With identity `'name'` the request must be conditional: throw {@link ExternalAlreadyExistsError} when the name exists.
   * `wanted` is journalled before: it is plain JSON and contains no secret, only the name of a Secret.
   */
  create<T>(
    wanted: Wanted,
    context: CreateContext,
  ): CallbackPromise<Created<Id>, '{ id: Id; secret?; ready?; upToDate? }', T>;
  /** Reads the object; undefined when it is gone. Without it, drift is not detected. */
  observe?<T>(
    id: Id,
    context: ExternalCallContext,
  ): CallbackPromise<Observed<Wanted> | undefined, '{ state: Partial<Wanted>; ready?; mark? } | undefined', T>;
  /** Returns the secret of an existing object, a new one if needed: called when `create` returned none, or its response was lost. */
  secretOf?(id: Id, context: ExternalCallContext): Promise<Readonly<Record<string, string>>>;
  /** Updates the object to the desired state; idempotent. Without it, an object whose desired state changes is deleted and recreated. */
  update?(id: Id, wanted: Wanted, context: ExternalCallContext): Promise<void>;
  /**
   * Puts `owner.mark` in place of the mark of a former owner, after the workspace came back from a backup with another uid. Idempotent.
   * Throw DefiniteError when the object does not exist. Never replace the mark of another owner.
   * @default the former mark stays, and each call about the object has its former owner
   */
  replaceMark?(id: Id, context: ReplaceMarkContext): Promise<void>;
  /** Deletes the object; a missing one counts as gone. `'deleting'`: in progress, called again later. */
  delete(id: Id, context: ExternalCallContext): Promise<'gone' | 'deleting' | void>;
  /** Longest interval in ms between two drift checks: each comes up to a quarter earlier. @default never */
  readonly driftInterval?: number;
  /** Time in ms within which an abandoned request may still be carried out. @default the sequencer's assumption */
  readonly maxRequestMs?: number;
  /** Time in ms by which `find`, `findAll` and `observe` may lag behind writes; with `find`, requires `observe`. @default 0 */
  readonly listLagMs?: number;
}

/** Finds the object of this owner, by its mark or name; never one of another owner. */
type Find<Id extends object> = <T>(
  owner: Owner,
  context: Pick<ExternalCallContext, 'signal'>,
) => CallbackPromise<Id | undefined, 'Id | undefined', T>;

/** Found object with its slot, the part of its mark after the owner's. */
export interface FoundExternalObject<Id extends object> {
  readonly slot: string;
  readonly id: Id;
}

/**
 * Finds all objects of a condition: `owner.slot` is empty, and `owner.mark` is the common prefix of their marks. Called after a lost journal, to find
 * objects that the spec does not name any more.
 */
type FindAll<Id extends object> = <T>(
  owner: Owner,
  context: Pick<ExternalCallContext, 'signal'>,
) => CallbackPromise<readonly FoundExternalObject<Id>[], '{ slot: string; id: Id }[]', T>;

/** Way in which a creation with a lost response is found again: see docs/guard/external-resources.md. */
type Identified<Id extends object> =
  | {
      readonly identity: 'name' | 'tag';
      readonly find: Find<Id>;
      /** @default only objects that the spec or the mirror names are searched */
      readonly findAll?: FindAll<Id>;
    }
  | {
      readonly identity: 'key';
      /** Time in ms for which the third party remembers a key. */
      readonly validForMs: number;
      readonly find?: Find<Id>;
      /** @default a person has to decide after a lost journal */
      readonly findAll?: FindAll<Id>;
    }
  | { readonly identity: 'opaque'; readonly find?: undefined; readonly findAll?: undefined };

/** External object type: the functions by which it is created exactly once, kept in its desired state and deleted. */
export type ExternalResource<Wanted, Id extends object> = ExternalOperations<Wanted, Id> & Identified<Id>;

/** Error of `create` when an object of that name exists, owned or not: `find` decides. */
export class ExternalAlreadyExistsError extends Error {
  static {
    ExternalAlreadyExistsError.prototype.name = 'ExternalAlreadyExistsError';
  }
}

const known = new Set([
  'label',
  'nameOf',
  'create',
  'observe',
  'secretOf',
  'update',
  'replaceMark',
  'delete',
  'driftInterval',
  'maxRequestMs',
  'listLagMs',
  'identity',
  'find',
  'findAll',
  'validForMs',
]);
const identities = ['name', 'tag', 'key', 'opaque'];
const required = ['create', 'delete'] as const;
const optional = ['nameOf', 'observe', 'secretOf', 'update', 'replaceMark', 'find', 'findAll'] as const;

/** Describes an invalid time for which a key is remembered; `Infinity` is for ever. */
function mistakeInValidity(ms: unknown): string | undefined {
  if (ms === undefined) return 'must be a number of ms for identity key; found undefined';
  return mistakeInUnboundedDuration(ms);
}

function mistakeInIdentity({ identity, find, validForMs }: ExternalResource<never, Ref> & { validForMs?: number }) {
  if (!identities.includes(identity))
    return `identity must be one of ${identities.join(', ')}, found ${describeValue(identity)}`;
  if ((identity === 'name' || identity === 'tag') && typeof find !== 'function')
    return `find must be a function for identity ${identity}; found ${describeValue(find)}`;
  return identity === 'key' ? atMember('validForMs', mistakeInValidity(validForMs)) : undefined;
}

/** Requires `observe` if `find` may lag: a found object may be gone already, and is observed before it is used. */
const mistakeInLateness = ({ listLagMs = 0, find, observe }: ExternalResource<never, Ref>) =>
  listLagMs > 0 && find !== undefined && observe === undefined
    ? 'observe is needed beside find and listLagMs, to read again what a late search has found; found undefined'
    : undefined;

function mistakeInFunctions(resource: ExternalResource<never, Ref>): string | undefined {
  const inherited = inheritedAmong(resource, [...required, ...optional]);
  if (inherited !== undefined) return `${inherited} ${inheritedMistake}`;
  const given = optional.filter((name) => resource[name] !== undefined);
  const wrong = [...given, ...required].find((name) => typeof resource[name] !== 'function');
  return wrong && `${wrong} must be a function; found ${describeValue(resource[wrong])}`;
}

const mistakeInTimes = ({ driftInterval = 60_000, maxRequestMs, listLagMs }: ExternalResource<never, Ref>) =>
  atMember('driftInterval', mistakeInDuration(driftInterval, 1)) ??
  atMember('maxRequestMs', mistakeInDuration(maxRequestMs)) ??
  atMember('listLagMs', mistakeInDuration(listLagMs));

/** Describes an invalid resource, as `member expected; found`; undefined when it is valid. */
export const mistakeInResource = (resource: ExternalResource<never, Ref>): string | undefined =>
  unknownIn(resource, known) ??
  atMember('label', mistakeInText(resource.label, 253)) ??
  mistakeInIdentity(resource) ??
  mistakeInFunctions(resource) ??
  mistakeInTimes(resource) ??
  mistakeInLateness(resource);

/** Validates a resource and returns it. @throws TypeError naming the member, the expected and the actual value */
export function externalResource<Wanted, Id extends object>(
  resource: ExternalResource<Wanted, Id>,
): ExternalResource<Wanted, Id> {
  if (!isJsonObject(resource))
    throw new TypeError(`an external resource must be an object; found ${describeValue(resource)}`);
  const mistake = mistakeInResource(resource as unknown as ExternalResource<never, Ref>);
  if (mistake !== undefined) throw new TypeError(`external resource ${describeValue(resource.label)}: ${mistake}`);
  return resource;
}

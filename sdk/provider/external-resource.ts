import { unknownIn } from '../options.ts';
import { found, isRecord, mistakeInMs, mistakeInText, within } from './contract.ts';
import type { Ref } from './integration.ts';

/** Whose a thing is: what its mark at the third party has to say. */
export interface Owner {
  /** The workspace's uid. */
  readonly uid: string;
  readonly namespace: string;
  readonly workspace: string;
  readonly condition: string;
  /** Which of several things of one condition; empty for the only one. */
  readonly slot: string;
  /** `uid/condition/slot`: put this on the thing, as a tag, a label, a comment. */
  readonly mark: string;
}

/** What every call is made with. */
export interface ThingContext {
  readonly owner: Owner;
  /** Aborts when the lease nears its end: pass it to every request. */
  readonly signal: AbortSignal;
}

/** What a creation is made with. */
export interface CreateContext extends ThingContext {
  /** The same for every attempt of this one creation, and for no other: an idempotency key, a name, a tag. */
  readonly key: string;
}

/** What marking anew is done with: `owner.mark` is to be there in place of any of the former ones. */
export interface RemarkContext extends ThingContext {
  /** Whose mark it may bear until then: earlier uids of the workspace, the latest last. */
  readonly former: readonly Owner[];
}

/** What a creation gave. */
export interface Created<Id extends Ref> {
  readonly id: Id;
  /** Kept in a Secret that the workspace owns; never in status. A resource that gives one says by `secretOf` how it is had again. */
  readonly secret?: Readonly<Record<string, string>>;
  /** `false`: it is still being made; `observe` is asked until it is ready. @default true */
  readonly ready?: boolean;
}

/** What exists now. */
export interface Observed<Wanted> {
  /** As far as it can be read; only what is there is compared with what is wanted. */
  readonly state: Partial<Wanted>;
  /** @default true */
  readonly ready?: boolean;
  /** The mark that it bears, where it can be read: one that is not {@link Owner.mark} is somebody else's thing, which is neither changed nor deleted. */
  readonly mark?: string;
}

interface Calls<Wanted, Id extends Ref> {
  /** What it is, in words: `DNS record`. */
  readonly label: string;
  /** Tells several wanted things of one condition apart; must stay the same as long as the thing. @default there is only one */
  readonly nameOf?: (wanted: Wanted) => string;
  /**
   * Makes it, once. With identity `'name'` the request must be conditional: throw {@link ThereAlreadyError} when something of that name exists.
   * `wanted` is journalled before: it is plain JSON and holds no secret, only the name of a Secret.
   */
  create(wanted: Wanted, context: CreateContext): Promise<Created<Id>>;
  /** Reads it; undefined when it is gone. Without it, changes made outside go unnoticed. */
  observe?(id: Id, context: ThingContext): Promise<Observed<Wanted> | undefined>;
  /** Gives the secret of a thing that exists, a new one if need be: asked when `create` gave one and its answer was lost. */
  secretOf?(id: Id, context: ThingContext): Promise<Readonly<Record<string, string>>>;
  /** Makes it as wanted, however often it is asked. Without it, a thing of which something else is wanted is deleted and made anew. */
  update?(id: Id, wanted: Wanted, context: ThingContext): Promise<void>;
  /**
   * Puts `owner.mark` in place of the mark of a former owner, after the workspace came back from a backup with another uid. However often it is asked, and
   * also where it is done already, it means the same; what is not there is a DefiniteError. Never on what bears another's mark.
   * @default the former mark stays, and each call about the thing names its former owner
   */
  remark?(id: Id, context: RemarkContext): Promise<void>;
  /** Takes it away; what is not there is gone. `'deleting'`: not gone yet, asked again later. */
  delete(id: Id, context: ThingContext): Promise<'gone' | 'deleting' | void>;
  /** ms between two looks for changes made outside, at most: each comes up to a quarter earlier. @default never */
  readonly driftInterval?: number;
  /** How long a request that was given up may still be carried out, ms. @default what the sequencer assumes */
  readonly maxRequestMs?: number;
  /** How long a new thing may be missing from what `find` sees, ms. @default 0 */
  readonly listLagMs?: number;
}

/** Finds the thing of this owner, by its mark or name; never somebody else's. */
type Find<Id extends Ref> = (owner: Owner, context: Pick<ThingContext, 'signal'>) => Promise<Id | undefined>;

/** One of several things that were found, and which it is: what its mark has after the owner's. */
export interface FoundThing<Id extends Ref> {
  readonly slot: string;
  readonly id: Id;
}

/**
 * Finds all things of a condition: `owner.slot` is empty, and `owner.mark` is what the marks of all of them begin with. Asked where the journal was
 * lost, so that what the spec does not name any more is found too.
 */
type FindAll<Id extends Ref> = (
  owner: Owner,
  context: Pick<ThingContext, 'signal'>,
) => Promise<readonly FoundThing<Id>[]>;

/** How a creation whose answer was lost is found again: see docs/guard.md. */
type Identified<Id extends Ref> =
  | {
      readonly identity: 'name' | 'tag';
      readonly find: Find<Id>;
      /** @default only what the spec or the mirror names is looked for */
      readonly findAll?: FindAll<Id>;
    }
  | {
      readonly identity: 'key' /** How long the third party remembers a key. */;
      readonly validForMs: number;
      readonly find?: Find<Id>;
      /** @default after a lost journal a person is asked */
      readonly findAll?: FindAll<Id>;
    }
  | { readonly identity: 'opaque'; readonly find?: undefined; readonly findAll?: undefined };

/** Something outside the cluster: what it takes to make it exactly once, keep it as wanted and take it away. */
export type ExternalResource<Wanted, Id extends Ref> = Calls<Wanted, Id> & Identified<Id>;

/** Thrown by `create` when something of that name exists already, ours or not: `find` tells which. */
export class ThereAlreadyError extends Error {
  static {
    ThereAlreadyError.prototype.name = 'ThereAlreadyError';
  }
}

const known = new Set([
  'label',
  'nameOf',
  'create',
  'observe',
  'secretOf',
  'update',
  'remark',
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
const functions = ['nameOf', 'observe', 'secretOf', 'update', 'remark', 'find', 'findAll'] as const;

function mistakeInIdentity({ identity, find, validForMs }: ExternalResource<never, Ref> & { validForMs?: number }) {
  if (!identities.includes(identity))
    return `identity must be one of ${identities.join(', ')}, found ${found(identity)}`;
  if ((identity === 'name' || identity === 'tag') && typeof find !== 'function')
    return `find must be a function for identity ${identity}; found ${found(find)}`;
  if (identity === 'key' && !(typeof validForMs === 'number' && validForMs > 0))
    return `validForMs must be a positive number of ms for identity key; found ${found(validForMs)}`;
  return undefined;
}

/** What is wrong with a resource, as `member expected; found`; undefined when nothing is. */
export function mistakeInResource(resource: ExternalResource<never, Ref>): string | undefined {
  const { label, driftInterval = 1, maxRequestMs, listLagMs } = resource;
  const wrong = functions.find((name) => resource[name] !== undefined && typeof resource[name] !== 'function');
  const called = wrong ?? (['create', 'delete'] as const).find((name) => typeof resource[name] !== 'function');
  return (
    unknownIn(resource, known) ??
    within('label', mistakeInText(label, 253)) ??
    mistakeInIdentity(resource) ??
    (called && `${called} must be a function; found ${found(resource[called])}`) ??
    within('driftInterval', mistakeInMs(driftInterval, 1)) ??
    within('maxRequestMs', mistakeInMs(maxRequestMs)) ??
    within('listLagMs', mistakeInMs(listLagMs))
  );
}

/** Checks a resource and returns it. @throws TypeError naming the member, what was expected and what was found */
export function externalResource<Wanted, Id extends Ref>(
  resource: ExternalResource<Wanted, Id>,
): ExternalResource<Wanted, Id> {
  if (!isRecord(resource)) throw new TypeError(`an external resource must be an object; found ${found(resource)}`);
  const mistake = mistakeInResource(resource as unknown as ExternalResource<never, Ref>);
  if (mistake !== undefined) throw new TypeError(`external resource ${found(resource.label)}: ${mistake}`);
  return resource;
}

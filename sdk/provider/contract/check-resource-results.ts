/** Validates external resources and the results of their functions. */

import { isJsonObject } from '../../api/json.ts';
import { misspeltIn } from '../../options.ts';
import { errorThrownBy } from '../../thrown.ts';
import { describeShape, describeValue, isPlainJson } from '../describe-value.ts';
import {
  atMember,
  type IntegrationRef,
  ignoreRejection,
  mistakeInRef,
  mistakeInSlotName,
  mistakeInText,
  runCheck,
  throwIfMistake,
} from '../value-mistakes.ts';
import { type ExternalResource, mistakeInResource, type Owner } from './external-resource.ts';
import type { Ref } from './integration.ts';

const mistakeInReady = ({ ready }: Readonly<Record<string, unknown>>): string | undefined =>
  ready === undefined || typeof ready === 'boolean'
    ? undefined
    : `ready must be a boolean; found ${describeValue(ready)}`;

/** Longest valid mark: a uid, a condition (316 characters) and a slot (253), with room for marks that other owners have written. */
const maxMarkLength = 1024;

const mistakeInFound = (id: unknown): string | undefined =>
  id === undefined ? undefined : atMember('the id, or undefined,', mistakeInRef(id));

function mistakeInAll(all: unknown): string | undefined {
  if (!Array.isArray(all)) return `the result must be an array of { slot, id }; found ${describeShape(all)}`;
  for (const [index, one] of all.entries()) {
    if (!isJsonObject(one) || typeof one.slot !== 'string')
      return `[${index}] must be { slot, id }; found ${describeShape(one)}`;
    if (one.slot.length > maxMarkLength)
      return `[${index}].slot must have at most ${maxMarkLength} characters; found ${one.slot.length}`;
    const mistake = mistakeInRef(one.id);
    if (mistake !== undefined) return `[${index}].id ${mistake}`;
    const misnamed = mistakeInRef({ slot: one.slot });
    if (misnamed !== undefined) return `[${index}].slot ${misnamed}`;
  }
  return undefined;
}

const mistakeInSecret = (secret: unknown): string | undefined =>
  isJsonObject(secret) && isPlainJson(secret) && Object.values(secret).every((text) => typeof text === 'string')
    ? undefined
    : 'the secret must be an object of strings';

function mistakeInUpToDate(upToDate: unknown, canUpdate: boolean): string | undefined {
  if (upToDate !== undefined && typeof upToDate !== 'boolean')
    return `upToDate must be a boolean; found ${describeValue(upToDate)}`;
  return upToDate === false && !canUpdate ? 'upToDate: false needs a function update' : undefined;
}

function mistakeInUnready({ ready }: Readonly<Record<string, unknown>>, canObserve: boolean): string | undefined {
  return ready === false && !canObserve
    ? 'ready: false needs a function observe, which tells when it is ready'
    : undefined;
}

/** Optional functions that some results of `create` require. */
interface Abilities {
  readonly canUpdate: boolean;
  readonly canObserve: boolean;
}

function mistakeInCreated(created: unknown, { canUpdate, canObserve }: Abilities): string | undefined {
  if (!isJsonObject(created))
    return `the result must be { id, secret?, ready?, upToDate? }; found ${describeShape(created)}`;
  return (
    atMember('id', mistakeInRef(created.id)) ??
    (created.secret === undefined ? undefined : mistakeInSecret(created.secret)) ??
    misspeltIn(created, ['id', 'secret', 'ready', 'upToDate']) ??
    mistakeInReady(created) ??
    mistakeInUnready(created, canObserve) ??
    mistakeInUpToDate(created.upToDate, canUpdate)
  );
}

function mistakeInObserved(seen: unknown): string | undefined {
  if (seen === undefined) return undefined;
  const inMark = isJsonObject(seen) && seen.mark !== undefined && mistakeInText(seen.mark, maxMarkLength);
  if (inMark) return `mark ${inMark}; leave it out where it cannot be read`;
  if (!isJsonObject(seen) || !isJsonObject(seen.state))
    return `the result must be { state, ready? } with an object as state, or undefined; found ${describeShape(seen)}`;
  return misspeltIn(seen, ['state', 'ready', 'mark']) ?? mistakeInReady(seen);
}

const mistakeInDeletion = (answer: unknown): string | undefined =>
  answer === undefined || answer === 'gone' || answer === 'deleting'
    ? undefined
    : `the result must be gone, deleting or undefined; found ${describeValue(answer)}`;

const nothingWrong = (): undefined => undefined;

/** Returns the id in an invalid result of `create`, with its slot; empty when it cannot be read. */
function idIn(created: unknown, { slot }: Owner): readonly Ref[] {
  const refs: Ref[] = [];
  runCheck(() => {
    const id = isJsonObject(created) ? created.id : undefined;
    if (mistakeInRef(id) === undefined) refs.push({ slot, id });
    return undefined;
  });
  return refs;
}

/** Members whose results are checked in the same way, with their checks. */
const checkedMembers = [
  ['update', nothingWrong],
  ['replaceMark', nothingWrong],
  ['delete', mistakeInDeletion],
  ['observe', mistakeInObserved],
  ['secretOf', mistakeInSecret],
  ['find', mistakeInFound],
  ['findAll', mistakeInAll],
] as const;

type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** Checks of one resource. */
interface ResourceChecks {
  /** @throws ContractError if there is a mistake */
  refuse(member: string, mistake: string | undefined): void;
  /** Returns what a member has thrown as an Error that names it. */
  thrownBy(name: string, error: unknown): Error;
}

/** Returns the function that wraps a member, so that what it throws names it, and its result is validated. */
const checkedCalls =
  ({ refuse, thrownBy }: ResourceChecks) =>
  <Args extends readonly unknown[], T>(
    name: string,
    call: (...args: Args) => Promise<T>,
    mistakeIn: (answer: unknown) => string | undefined,
  ) =>
  async (...args: Args): Promise<T> => {
    let answer: T;
    try {
      answer = await call(...args);
    } catch (error) {
      throw thrownBy(name, error);
    }
    const mistake = runCheck(() => mistakeIn(answer));
    refuse(`${name}: `, mistake);
    return answer;
  };

/**
 * Wraps a resource so that each result is validated at once.
 * @throws ContractError for an invalid resource; and from each call with an invalid result, with the id in it
 */
export function checkedResource<Wanted, Id extends object>(
  integration: IntegrationRef,
  resource: ExternalResource<Wanted, Id>,
): ExternalResource<Wanted, Id> {
  const label = isJsonObject(resource) && typeof resource.label === 'string' ? resource.label : 'resource';
  const refuse = (member: string, mistake: string | undefined, refs?: readonly Ref[]): void =>
    throwIfMistake(integration, mistake && `${label}: ${member}${mistake}`, refs);
  if (!isJsonObject(resource)) refuse('', `must be an external resource; found ${describeValue(resource)}`);
  refuse('', mistakeInResource(resource as unknown as ExternalResource<never, Ref>));
  const thrownBy = (name: string, error: unknown): Error => errorThrownBy(`${label}: ${name}`, error);
  const checked = checkedCalls({ refuse, thrownBy });
  const { nameOf } = resource;
  const abilities = { canUpdate: resource.update !== undefined, canObserve: resource.observe !== undefined };
  const calls = checkedMembers.flatMap(([name, mistakeIn]) => {
    const call = resource[name] as Call | undefined;
    return call === undefined
      ? []
      : [[name, checked(name, async (...args) => call.call(resource, ...args), mistakeIn)]];
  });
  return {
    ...resource,
    ...(nameOf && {
      nameOf(wanted: Wanted) {
        let name: string;
        try {
          name = nameOf.call(resource, wanted);
        } catch (error) {
          throw thrownBy('nameOf', error);
        }
        ignoreRejection(name);
        refuse('nameOf: the name ', mistakeInSlotName(name));
        return name;
      },
    }),
    async create(...args) {
      let created: Awaited<ReturnType<typeof resource.create>>;
      try {
        created = await resource.create(...args);
      } catch (error) {
        throw thrownBy('create', error);
      }
      const mistake = runCheck(() => mistakeInCreated(created, abilities));
      refuse('create: ', mistake, mistake === undefined ? [] : idIn(created, args[1].owner));
      return created;
    },
    ...Object.fromEntries(calls),
  } as ExternalResource<Wanted, Id>;
}

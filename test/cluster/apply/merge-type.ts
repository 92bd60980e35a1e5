import { isFields } from '../objects/object.ts';
import { keyElement, valueElement } from './element.ts';

/** What a scalar may be; `untyped` is any of them. */
export type ScalarKind = 'string' | 'numeric' | 'boolean' | 'untyped';

/** How a list is merged. */
export interface ListType {
  /** Atomic lists are replaced as a whole, sets merged by their values, maps by their keys. */
  readonly relation: 'atomic' | 'set' | 'map';
  readonly keys: readonly string[];
  readonly of: () => MergeType;
}

/** A field that a type names. */
export interface FieldType {
  readonly type: MergeType;
  readonly default?: unknown;
}

/** How an object is merged. */
export interface MapType {
  readonly atomic: boolean;
  /** The field of that name; undefined when it is not among the named ones. */
  readonly field: (name: string) => FieldType | undefined;
  /** What fields that have no name of their own are; undefined: there may be none. */
  readonly others: (() => MergeType) | undefined;
  /** Whether nothing is known of its fields: it may not become atomic, nor has it ever been. */
  readonly isFree: boolean;
}

/** How values of a type are merged, by what the value is. */
export interface MergeType {
  readonly scalar?: ScalarKind;
  readonly list?: ListType;
  readonly map?: MapType;
}

/** What a kind tells server-side apply. */
export interface ApplyShape {
  readonly type: MergeType;
  /** What the server takes a missing object for: what Go writes of one that was never filled. */
  readonly blank: Readonly<Record<string, unknown>>;
}

/** A part of a type: what one of its values can be. */
export type MergeKind = 'map' | 'scalar' | 'list';

const noField = (): undefined => undefined;

/** Anything, replaced as a whole. */
export const untypedAtomic: MergeType = {
  scalar: 'untyped',
  list: { relation: 'atomic', keys: [], of: () => untypedAtomic },
  map: { atomic: true, field: noField, others: () => untypedAtomic, isFree: false },
};

/** Anything: objects are merged, lists replaced. */
export const deduced: MergeType = {
  scalar: 'untyped',
  list: { relation: 'atomic', keys: [], of: () => untypedAtomic },
  map: { atomic: false, field: noField, others: () => deduced, isFree: true },
};

/** As what a type takes a value. */
export function kindOf({ map, scalar, list }: MergeType, value: unknown): MergeKind | undefined {
  if (list !== undefined && Array.isArray(value)) return 'list';
  if (map !== undefined && isFields(value)) return 'map';
  if (scalar !== undefined && value !== null && typeof value !== 'object') return 'scalar';
  return map !== undefined ? 'map' : scalar !== undefined ? 'scalar' : list !== undefined ? 'list' : undefined;
}

/** The type of a member of an object; undefined when there may be none of that name. */
export const memberTypeOf = (map: MapType, name: string): MergeType | undefined =>
  map.field(name)?.type ?? map.others?.();

/** A value that does not fit its type; the message says where. */
export class TypedError extends Error {
  override readonly name: string = 'TypedError';
}

/** An object that was made one of another version does not fit the type there. */
export class OtherVersionError extends TypedError {
  override readonly name = 'OtherVersionError';
}

function keyedElement({ keys, of }: ListType, item: unknown): string {
  if (item === null) throw new TypedError('associative list with keys may not have a null element');
  if (!isFields(item)) throw new TypedError('associative list with keys may not have non-map elements');
  const { map } = of();
  const pairs = keys.flatMap((name): [string, unknown][] => {
    const value = item[name] === undefined ? map?.field(name)?.default : item[name];
    return value === undefined ? [] : [[name, value]];
  });
  if (pairs.length > 0) return keyElement(pairs);
  const list = keys.map((name) => JSON.stringify(name)).join(' ');
  throw new TypedError(
    `associative list with keys has an element that omits all key fields [${list}] (and doesn't have default values for any key fields)`,
  );
}

function setElement(item: unknown): string {
  if (isFields(item)) throw new TypedError("associative list without keys has an element that's a map type");
  if (Array.isArray(item)) throw new TypedError('not supported: associative list with lists as elements');
  if (item === null) throw new TypedError("associative list without keys has an element that's an explicit null");
  return valueElement(item);
}

/** The element of an item of a list that is a set or a map. Throws a {@link TypedError} when the item can have none. */
export const itemElement = (list: ListType, item: unknown): string =>
  list.relation === 'map' ? keyedElement(list, item) : setElement(item);

/** Merge types: the schema that server-side apply works with. */

import { isFields } from '../apimachinery/object.ts';
import { keyElement, valueElement } from './path-element.ts';

/** Scalar type; `untyped` accepts any. */
export type ScalarKind = 'string' | 'numeric' | 'boolean' | 'untyped';

/** Merge strategy of a list. */
export interface ListType {
  /** List type: atomic is replaced as a whole, a set merged by value, a map by keys. */
  readonly relation: 'atomic' | 'set' | 'map';
  readonly keys: readonly string[];
  readonly of: () => MergeType;
}

/** Declared field of a type. */
export interface FieldType {
  readonly type: MergeType;
  readonly default?: unknown;
}

/** Merge strategy of an object. */
export interface MapType {
  readonly atomic: boolean;
  /** Returns a declared field, or undefined. */
  readonly field: (name: string) => FieldType | undefined;
  /** Type of undeclared fields; undefined when there may be none. */
  readonly others: (() => MergeType) | undefined;
  /** True when no field is declared: the type is exempt from changes between atomic and granular. */
  readonly isFree: boolean;
}

/** Merge type of a value, one part per kind of value it may be. */
export interface MergeType {
  readonly scalar?: ScalarKind;
  readonly list?: ListType;
  readonly map?: MapType;
}

/** Server-side apply data of a kind. */
export interface ApplyShape {
  readonly type: MergeType;
  /** Object that a create is compared with: Go's encoding of an empty object. */
  readonly blank: Readonly<Record<string, unknown>>;
}

/** Kind of a value. */
export type MergeKind = 'map' | 'scalar' | 'list';

const noField = (): undefined => undefined;

/** Type of any value, replaced as a whole. */
export const untypedAtomic: MergeType = {
  scalar: 'untyped',
  list: { relation: 'atomic', keys: [], of: () => untypedAtomic },
  map: { atomic: true, field: noField, others: () => untypedAtomic, isFree: false },
};

/** Type of any value: objects are merged, lists replaced. */
export const deduced: MergeType = {
  scalar: 'untyped',
  list: { relation: 'atomic', keys: [], of: () => untypedAtomic },
  map: { atomic: false, field: noField, others: () => deduced, isFree: true },
};

/** Returns the kind that a type treats a value as that matches none of its parts. */
function preferredKind({ map, scalar, list }: MergeType): MergeKind | undefined {
  if (map !== undefined) return 'map';
  if (scalar !== undefined) return 'scalar';
  return list === undefined ? undefined : 'list';
}

/** Returns the kind that a type treats a value as. */
export function kindOf(type: MergeType, value: unknown): MergeKind | undefined {
  const { map, scalar, list } = type;
  if (list !== undefined && Array.isArray(value)) return 'list';
  if (map !== undefined && isFields(value)) return 'map';
  if (scalar !== undefined && value !== null && typeof value !== 'object') return 'scalar';
  return preferredKind(type);
}

/** Returns the type of a member; undefined for an undeclared one. */
export const memberTypeOf = (map: MapType, name: string): MergeType | undefined =>
  map.field(name)?.type ?? map.others?.();

/** Value that does not match its type; the message contains the path. */
export class TypedError extends Error {
  override readonly name: string = 'TypedError';
}

/** Object that does not match its type after conversion to another version. */
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

/** Returns the element of an item of a set or map list. Throws a {@link TypedError} for an item without a valid key. */
export const itemElement = (list: ListType, item: unknown): string =>
  list.relation === 'map' ? keyedElement(list, item) : setElement(item);

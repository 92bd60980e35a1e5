/** CEL's types. */

import type { Literal } from '../syntax/expression.ts';
import { visitedTypes } from '../syntax/part-limit.ts';

/** Kind of a type; `param` is an unresolved type variable. */
export type TypeKind =
  | 'any'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'param'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'type'
  | 'uint';

/** CEL type. */
export interface Type {
  readonly kind: TypeKind;
  /** Name in errors, without parameters. */
  readonly name: string;
  readonly params: readonly Type[];
}

const made = (kind: TypeKind, name: string, params: readonly Type[] = []): Type => ({ kind, name, params });

const scalar = (kind: TypeKind): Type => made(kind, kind);

/** Types without parameters. */
export const types = {
  any: scalar('any'),
  bool: scalar('bool'),
  bytes: scalar('bytes'),
  double: scalar('double'),
  duration: scalar('duration'),
  dyn: scalar('dyn'),
  error: made('error', '!error!'),
  int: scalar('int'),
  null: scalar('null'),
  string: scalar('string'),
  timestamp: scalar('timestamp'),
  type: scalar('type'),
  uint: scalar('uint'),
} as const;

/** Type `list(item)`. */
export const listOf = (item: Type): Type => made('list', 'list', [item]);

/** Type `map(key, value)`. */
export const mapOf = (key: Type, value: Type): Type => made('map', 'map', [key, value]);

/** Type `type(what)`. */
export const typeOf = (what: Type): Type => made('type', 'type', [what]);

/** Named type with fields. */
export const structOf = (name: string): Type => made('struct', name);

/** Opaque named type. */
export const opaqueOf = (name: string, ...params: readonly Type[]): Type => made('opaque', name, params);

/** Type `optional_type(what)`. */
export const optionalOf = (what: Type): Type => opaqueOf('optional_type', what);

/** Type variable. */
export const paramOf = (name: string): Type => made('param', name);

/** Returns the type inside an optional; undefined for other types. */
export const unwrap = (type: Type): Type | undefined =>
  type.kind === 'opaque' && type.name === 'optional_type' ? type.params[0] : undefined;

/** Reports whether the type is dynamic. */
export const isDyn = ({ kind }: Type): boolean => kind === 'dyn' || kind === 'any';

/** Reports whether two types are identical. */
export function isSame(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.params.length !== b.params.length) return false;
  if (a.params.length > 0) visitedTypes.count();
  return a.params.every((param, index) => isSame(param, b.params[index]!));
}

/** Formats a type as in errors. */
export function typeText({ name, params }: Type): string {
  if (params.length > 0) visitedTypes.count();
  return params.length === 0 ? name : `${name}(${params.map(typeText).join(', ')})`;
}

/** Returns the type of a literal. */
export function typeOfLiteral(value: Literal['value']): Type {
  if (value === null) return types.null;
  if (typeof value === 'boolean') return types.bool;
  if (typeof value === 'bigint') return types.int;
  if (typeof value === 'number') return types.double;
  if (typeof value === 'string') return types.string;
  return value instanceof Uint8Array ? types.bytes : types.uint;
}

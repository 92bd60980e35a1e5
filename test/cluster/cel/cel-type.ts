import type { Literal } from './expression.ts';

/** What a type is of; `param` is a variable of types that is yet to be found. */
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

/** A type of CEL. */
export interface Type {
  readonly kind: TypeKind;
  /** As errors print it, without parameters. */
  readonly name: string;
  readonly params: readonly Type[];
}

const made = (kind: TypeKind, name: string, params: readonly Type[] = []): Type => ({ kind, name, params });

const scalar = (kind: TypeKind): Type => made(kind, kind);

/** The types without parameters. */
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

/** `list(item)`. */
export const listOf = (item: Type): Type => made('list', 'list', [item]);

/** `map(key, value)`. */
export const mapOf = (key: Type, value: Type): Type => made('map', 'map', [key, value]);

/** `type(what)`. */
export const typeOf = (what: Type): Type => made('type', 'type', [what]);

/** A type with fields, known by its name. */
export const structOf = (name: string): Type => made('struct', name);

/** A type known by its name alone. */
export const opaqueOf = (name: string, ...params: readonly Type[]): Type => made('opaque', name, params);

/** `optional_type(what)`. */
export const optionalOf = (what: Type): Type => opaqueOf('optional_type', what);

/** A variable of types. */
export const paramOf = (name: string): Type => made('param', name);

/** What is inside an optional type; undefined for others. */
export const unwrapped = (type: Type): Type | undefined =>
  type.kind === 'opaque' && type.name === 'optional_type' ? type.params[0] : undefined;

/** Whether any type is taken where this one is. */
export const isDyn = ({ kind }: Type): boolean => kind === 'dyn' || kind === 'any';

/** Whether two types are one. */
export function isSame(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.params.length !== b.params.length) return false;
  return a.params.every((param, index) => isSame(param, b.params[index]!));
}

/** A type as errors print it. */
export function printed({ name, params }: Type): string {
  return params.length === 0 ? name : `${name}(${params.map(printed).join(', ')})`;
}

/** What a value that is written out is of. */
export function typeOfLiteral(value: Literal['value']): Type {
  if (value === null) return types.null;
  if (typeof value === 'boolean') return types.bool;
  if (typeof value === 'bigint') return types.int;
  if (typeof value === 'number') return types.double;
  if (typeof value === 'string') return types.string;
  return value instanceof Uint8Array ? types.bytes : types.uint;
}

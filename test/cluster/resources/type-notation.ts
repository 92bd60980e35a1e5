/** Parses the fields and types in the tables of built-in types. */

import type { FieldInfo, Scalar, TypeRef } from './type-table.ts';

const scalars: Record<string, Scalar> = {
  s: 'string',
  i: 'int32',
  l: 'int64',
  b: 'bool',
  d: 'double',
  q: 'quantity',
  t: 'time',
  u: 'microTime',
  o: 'intOrString',
  y: 'bytes',
  any: 'any',
  schemaOrBool: 'schemaOrBool',
  schemaOrArray: 'schemaOrArray',
  schemaOrStrings: 'schemaOrStrings',
};

/** Resolves the names in a section of a type table. */
export interface SectionNames {
  readonly section: string;
  /** Returns the name of a type in Go's errors. */
  goNameOf(name: string): string;
  /** Returns the values of an enum; undefined for a name that is none. */
  enumOf(name: string): readonly string[] | undefined;
}

/** Returns a name with its section. */
export const qualifiedTypeName = (name: string, section: string): string =>
  name.includes('.') ? name : `${section}.${name}`;

/** Notations of types other than plain names: each pattern with the type of its groups. The first that matches counts. */
const notations: readonly (readonly [RegExp, (names: SectionNames, ...groups: readonly string[]) => TypeRef])[] = [
  [
    /^(?<plain>.+)<(?<name>[\w.]+)>$/,
    (names, plain = '', name = '') => {
      const type = typeRefFrom(plain, names);
      if (type.is === 'struct') throw new RangeError(`${plain}<${name}> names a struct twice`);
      const values = names.enumOf(name);
      return { ...type, goName: names.goNameOf(name), ...(values !== undefined && { enum: values }) };
    },
  ],
  [/^\[(?<item>.+)\]$/, (names, item = '') => ({ is: 'list', of: typeRefFrom(item, names) })],
  [
    /^\{<(?<key>[\w.]+)>(?<member>.+)\}$/,
    (names, key = '', member = '') => ({ is: 'map', of: typeRefFrom(member, names), keyName: names.goNameOf(key) }),
  ],
  [/^\{(?<member>.+)\}$/, (names, member = '') => ({ is: 'map', of: typeRefFrom(member, names) })],
];

function typeRefFrom(text: string, names: SectionNames): TypeRef {
  for (const [pattern, typeOf] of notations) {
    const [, ...groups] = pattern.exec(text) ?? [];
    if (groups.length > 0) return typeOf(names, ...groups);
  }
  const scalar = scalars[text];
  return scalar === undefined
    ? { is: 'struct', name: qualifiedTypeName(text, names.section) }
    : { is: 'scalar', scalar };
}

const fieldPattern =
  /^([^/*:]+)(?:\/([\d.]+))?(\*?)([+?-]*):([[\]{}<>\w.]+)(?:~(\w*))?(\^?)([!%]?)(?:(@)([\w,]*))?(?:=(.*))?$/;

/** Structs and times that are neither pointers nor `omitzero` are always encoded. */
function whenEmptyOf(mark: string, type: TypeRef): FieldInfo['whenEmpty'] {
  if (mark === '?') return 'kept';
  if (mark === '+?') return 'null';
  if (mark === '+') return 'shown';
  const isValue = type.is === 'struct' || (type.is === 'scalar' && shownWhenZero.has(type.scalar));
  return mark === '' && isValue ? 'shown' : 'dropped';
}

const shownWhenZero: ReadonlySet<Scalar> = new Set<Scalar>(['time', 'microTime', 'quantity', 'intOrString']);

/** Returns the list type by the marks after a field's type. */
function listTypeOf(whole: string | undefined, listed: string | undefined, keys: string): FieldInfo['listType'] {
  if (whole === '!') return 'atomic';
  if (listed === undefined) return undefined;
  return keys === '' ? 'set' : 'map';
}

/** Parses a field: a word of a line, in the notation of `parseTypes`. */
export function fieldFrom(word: string, names: SectionNames): FieldInfo {
  const [
    ,
    name = '',
    protobuf = '',
    required,
    mark = '',
    typeText = '',
    mergeKey,
    retainKeys,
    whole,
    listed,
    keys = '',
    value,
  ] = fieldPattern.exec(word) ?? [];
  const type = typeRefFrom(typeText, names);
  const listType = listTypeOf(whole, listed, keys);
  return {
    name,
    type,
    required: required === '*',
    whenEmpty: whenEmptyOf(mark, type),
    isPointer: mark.includes('?'),
    protobuf,
    retainKeys: retainKeys === '^',
    mapKeys: keys === '' ? [] : keys.split(','),
    ...(mergeKey !== undefined && { mergeKey }),
    ...(listType !== undefined && { listType }),
    ...(whole === '%' && { granular: true }),
    ...(value !== undefined && { default: value }),
  };
}

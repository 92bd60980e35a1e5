/** A value that is not made of fields: what Go reads it as. */
export type Scalar =
  | 'string'
  | 'int32'
  | 'int64'
  | 'bool'
  | 'double'
  | 'quantity'
  | 'time'
  | 'microTime'
  | 'intOrString'
  | 'bytes'
  | 'any'
  | 'schemaOrBool'
  | 'schemaOrArray'
  | 'schemaOrStrings';

/** What a field holds. */
export type TypeRef =
  | { readonly is: 'scalar'; readonly scalar: Scalar }
  | { readonly is: 'list'; readonly of: TypeRef }
  | { readonly is: 'map'; readonly of: TypeRef }
  | { readonly is: 'struct'; readonly name: string };

/** One field of a built-in type. */
export interface FieldInfo {
  readonly name: string;
  readonly type: TypeRef;
  readonly required: boolean;
  /** How Go writes it when it is empty: `kept` when set (a pointer), `dropped`, `shown` always (as its zero value), `null` when absent. */
  readonly whenEmpty: 'kept' | 'dropped' | 'shown' | 'null';
  /** Whether Go can tell it from its zero value: protobuf leaves it out when it is not set. */
  readonly isPointer: boolean;
  /** Its number in protobuf messages; with a dot when it is inside an embedded message of that number. */
  readonly protobuf: string;
  /** Strategic merge patches merge the list; by the key, or as a set when it is empty. */
  readonly mergeKey?: string;
  /** Strategic merge patches may name the keys to retain. */
  readonly retainKeys: boolean;
  /** How server-side apply treats a list; `map` by `mapKeys`. */
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly mapKeys: readonly string[];
  /** What it is when absent, where the schema says so. */
  readonly default?: string;
}

/** One built-in type, such as `core.PodSpec`. */
export interface TypeInfo {
  /** Section and name. */
  readonly name: string;
  /** The Go package's last part, as decoding errors name it: `v1`. */
  readonly goPackage: string;
  readonly goName: string;
  /** The name in OpenAPI documents. */
  readonly openapiName: string;
  /** Whether server-side apply replaces it as a whole. */
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, FieldInfo>;
  /** What fields are when absent, where the schema says so. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/** All built-in types; throws a RangeError for a name that is not there. */
export type TypeTable = (name: string) => TypeInfo;

/** A group's types: text as {@link parseTypes} reads it, and where they come from. */
export interface Section {
  readonly package: string;
  readonly text: string;
}

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

function typeRefFrom(text: string, section: string): TypeRef {
  if (text.startsWith('[')) return { is: 'list', of: typeRefFrom(text.slice(1, -1), section) };
  if (text.startsWith('{')) return { is: 'map', of: typeRefFrom(text.slice(1, -1), section) };
  const scalar = scalars[text];
  if (scalar !== undefined) return { is: 'scalar', scalar };
  return { is: 'struct', name: text.includes('.') ? text : `${section}.${text}` };
}

const fieldPattern =
  /^([^/*:]+)(?:\/([\d.]+))?(\*?)([+?-]*):([[\]{}\w.]+)(?:~(\w*))?(\^?)(!?)(?:(@)([\w,]*))?(?:=(.*))?$/;

/** Structs and times that are neither pointers nor `omitzero` are written even when empty. */
function whenEmptyOf(mark: string, type: TypeRef): FieldInfo['whenEmpty'] {
  if (mark === '?') return 'kept';
  if (mark === '+?') return 'null';
  if (mark === '+') return 'shown';
  const isValue = type.is === 'struct' || (type.is === 'scalar' && shownWhenZero.has(type.scalar));
  return mark === '' && isValue ? 'shown' : 'dropped';
}

const shownWhenZero: ReadonlySet<Scalar> = new Set<Scalar>(['time', 'microTime', 'quantity', 'intOrString']);

function fieldFrom(word: string, section: string): FieldInfo {
  const [
    ,
    name = '',
    protobuf = '',
    required,
    mark = '',
    typeText = '',
    mergeKey,
    retainKeys,
    atomic,
    listed,
    keys,
    value,
  ] = fieldPattern.exec(word) ?? [];
  const type = typeRefFrom(typeText, section);
  const mapKeys = keys === undefined || keys === '' ? [] : keys.split(',');
  const listType = atomic === '!' ? 'atomic' : mapKeys.length > 0 ? 'map' : listed === undefined ? undefined : 'set';
  return {
    name,
    type,
    required: required === '*',
    whenEmpty: whenEmptyOf(mark, type),
    isPointer: mark.includes('?'),
    protobuf,
    retainKeys: retainKeys === '^',
    mapKeys,
    ...(mergeKey !== undefined && { mergeKey }),
    ...(listType !== undefined && { listType }),
    ...(value !== undefined && { default: value }),
  };
}

const objectFields = ['apiVersion:s', 'kind:s'];

const scalarFrom = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text);

const defaultsOf = (fields: readonly FieldInfo[]): TypeInfo['defaults'] =>
  Object.fromEntries(
    fields.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, scalarFrom(value)]])),
  );

function typeFrom(line: string, section: string, packageName: string): TypeInfo {
  const [head = '', ...rest] = line.split(' ');
  const isObject = rest[0] === 'object';
  const words = isObject ? [...objectFields, ...rest.slice(1)] : rest;
  const goName = head.replace('!', '');
  const fields = words.map((word) => fieldFrom(word, section));
  return {
    name: `${section}.${goName}`,
    goPackage: packageName.split('.').at(-1)!,
    goName,
    openapiName: `${packageName}.${goName}`,
    atomic: head.endsWith('!'),
    fields: new Map(fields.map((field) => [field.name, field])),
    defaults: defaultsOf(fields),
  };
}

/**
 * The types of sections of text. A line is a type: its name (`!` when atomic), the word `object` when it has apiVersion and kind, then its
 * fields, continued on indented lines. A field is `name/number:type`, the number protobuf's; before the colon `*` when required, `?` a pointer, `+` without
 * omitempty, `-` with omitzero; after the type: `~key` merges lists in strategic patches, `^` lets them retain keys, `!` is an atomic list, `@` a set, `@a,b` a list with these keys, `=x` a default.
 * Types are a letter for a scalar, `[x]` a list, `{x}` a map, or a name, of another section when it has a dot. Parsed when asked for.
 */
export function parseTypes(sections: Readonly<Record<string, Section>>): TypeTable {
  const lines = new Map<string, string>();
  const parsed = new Map<string, TypeInfo>();
  for (const [section, { text }] of Object.entries(sections)) {
    for (const line of text.trim().replaceAll(/\n\s+/g, ' ').split('\n')) {
      lines.set(`${section}.${/^\w+/.exec(line)?.[0]}`, line);
    }
  }
  return (name) => {
    const known = parsed.get(name);
    if (known !== undefined) return known;
    const line = lines.get(name);
    const section = name.slice(0, name.indexOf('.'));
    if (line === undefined) throw new RangeError(`the built-in type ${name} is not in the tables`);
    const made = typeFrom(line, section, sections[section]!.package);
    parsed.set(name, made);
    return made;
  };
}

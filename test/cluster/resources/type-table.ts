/** Parses the tables of built-in types. */

import type { InternalField } from './internal-structs.ts';
import { fieldFrom, qualifiedTypeName, type SectionNames } from './type-notation.ts';

/** Scalar types, by their decoding in Go. */
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

/** Type of a field's value. `goName` is the name that Go has for it, as decoding errors show it: `v1.Protocol`. */
export type TypeRef =
  | { readonly is: 'scalar'; readonly scalar: Scalar; readonly goName?: string; readonly enum?: readonly string[] }
  | { readonly is: 'list'; readonly of: TypeRef; readonly goName?: string }
  | { readonly is: 'map'; readonly of: TypeRef; readonly goName?: string; readonly keyName?: string }
  | { readonly is: 'struct'; readonly name: string };

/** Field of a built-in type. */
export interface FieldInfo {
  readonly name: string;
  readonly type: TypeRef;
  readonly required: boolean;
  /** Go's encoding of an empty value: `kept` when set (a pointer), `dropped`, always `shown` (as zero value), or `null` when absent. */
  readonly whenEmpty: 'kept' | 'dropped' | 'shown' | 'null';
  /** True when Go distinguishes unset from zero: protobuf omits the unset field. */
  readonly isPointer: boolean;
  /** Field number in protobuf; with a dot inside an embedded message of the first number. */
  readonly protobuf: string;
  /** Merge key of a list in strategic merge patches; empty for a list merged as a set. */
  readonly mergeKey?: string;
  /** True when strategic merge patches may name keys to retain. */
  readonly retainKeys: boolean;
  /** List type of server-side apply; `map` uses `mapKeys`. */
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly mapKeys: readonly string[];
  /** True when server-side apply merges a value whose type is atomic, and the schema says so. */
  readonly granular?: boolean;
  /** Default in the schema; empty for the zero value of a field that Go omits. */
  readonly default?: string;
}

/** Built-in type, such as `core.PodSpec`. */
export interface TypeInfo {
  /** Section and name. */
  readonly name: string;
  /** Last segment of the Go package, as decoding errors show it: `v1`. */
  readonly goPackage: string;
  readonly goName: string;
  /** Name in OpenAPI documents. */
  readonly openapiName: string;
  /** True when server-side apply replaces the struct as a whole. */
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, FieldInfo>;
  /** Fields of the internal struct, where the version has others than {@link internalStruct} says. */
  readonly internalFields?: readonly InternalField[];
  /** Defaults of fields in the schema. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/** Returns a built-in type; throws a RangeError for an unknown name. */
export type TypeTable = (name: string) => TypeInfo;

/** Types of a group: text in the format of {@link parseTypes}, and their Go package. */
export interface Section {
  readonly package: string;
  readonly text: string;
}

const objectFields = ['apiVersion:s', 'kind:s'];

const scalarFrom = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text);

const defaultsOf = (fields: readonly FieldInfo[]): TypeInfo['defaults'] =>
  Object.fromEntries(
    fields.flatMap(({ name, default: value }) =>
      value === undefined || value === '' ? [] : [[name, scalarFrom(value)]],
    ),
  );

const lastSegment = (packageName: string): string => packageName.slice(packageName.lastIndexOf('.') + 1);

function typeFrom(line: string, names: SectionNames, packageName: string): TypeInfo {
  const [head = '', ...rest] = line.split(' ');
  const isObject = rest[0] === 'object';
  const words = isObject ? [...objectFields, ...rest.slice(1)] : rest;
  const goName = head.replace('!', '');
  const fields = words.map((word) => fieldFrom(word, names));
  return {
    name: `${names.section}.${goName}`,
    goPackage: lastSegment(packageName),
    goName,
    openapiName: `${packageName}.${goName}`,
    atomic: head.endsWith('!'),
    fields: new Map(fields.map((field) => [field.name, field])),
    defaults: defaultsOf(fields),
  };
}

/**
 * Parses sections of types, each lazily. A line is a type: its name (`!` when atomic), the word `object` when it has
 * apiVersion and kind, then its fields, continued on indented lines.
 * A field is `name/number:type` with the number in protobuf. Before the colon: `*` required, `?` pointer, `+` no
 * omitempty, `-` omitzero. After the type: `~key` merge key in strategic patches, `^` retains keys, `!` atomic list,
 * `%` granular map, `@` set, `@a,b` list with these keys, `=x` default, `=` the zero value as default.
 * Types are a letter for a scalar, `[x]` a list, `{x}` a map, or a name, with a dot when in another section. `x<Name>`
 * has that name in Go, and `{<Name>x}` such keys. A line `Name =a|b` states the values of one, where schemas have them.
 */
export function parseTypes(sections: Readonly<Record<string, Section>>): TypeTable {
  const lines = new Map<string, string>();
  const parsed = new Map<string, TypeInfo>();
  for (const [section, { text }] of Object.entries(sections)) {
    for (const line of text.trim().replaceAll(/\n\s+/g, ' ').split('\n')) {
      lines.set(`${section}.${/^\w+/.exec(line)?.[0]}`, line);
    }
  }
  const enums = new Map<string, readonly string[]>();
  const enumOf = (name: string): readonly string[] | undefined => {
    const [, text] = /^\w+ =(.*)$/.exec(lines.get(name) ?? '') ?? [];
    if (text !== undefined && !enums.has(name))
      enums.set(
        name,
        text.split('|').map((value) => value.trim()),
      );
    return enums.get(name);
  };
  const namesOf = (section: string): SectionNames => ({
    section,
    enumOf: (name) => enumOf(qualifiedTypeName(name, section)),
    goNameOf(name) {
      const [owner = '', goName] = qualifiedTypeName(name, section).split('.');
      return `${lastSegment(sections[owner]?.package ?? owner)}.${goName}`;
    },
  });
  return (name) => {
    const known = parsed.get(name);
    if (known !== undefined) return known;
    const line = lines.get(name);
    const section = name.slice(0, name.indexOf('.'));
    if (line === undefined) throw new RangeError(`the built-in type ${name} is not in the tables`);
    const made = typeFrom(line, namesOf(section), sections[section]!.package);
    parsed.set(name, made);
    return made;
  };
}

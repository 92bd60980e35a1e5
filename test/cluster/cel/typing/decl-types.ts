/** Derives CEL types with sizes from schemas. */

import { additionalOf, type Structural } from '../../schema/structural.ts';
import type { FieldTypes } from '../scope.ts';
import { listOf, mapOf, structOf, type Type, types } from './cel-type.ts';

/** Type with the known sizes of its values. */
export interface SizedType {
  /** CEL type of a value without parts. */
  readonly type?: Type;
  /** Largest number of characters, items or members. */
  readonly max: number;
  /** Smallest size in JSON, in bytes. */
  readonly bytes: number;
  readonly fields?: ReadonlyMap<string, SizedType>;
  readonly key?: SizedType;
  readonly element?: SizedType;
}

const requestBytes = 3 * 1024 * 1024;

const keywords: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const signs: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** Returns the escaped name of a property in rules; undefined for inaccessible properties. */
export function celName(name: string): string | undefined {
  if (keywords.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_.\-/][A-Za-z\d_.\-/]*$/.test(name)) return undefined;
  return name.replace(/__|[.\-/]/g, (sign) => signs[sign]!);
}

const text: SizedType = { type: types.string, max: requestBytes - 2, bytes: 2 };

/** Types of texts by format. */
const formatted: Readonly<Record<string, SizedType>> = {
  byte: { type: types.bytes, max: requestBytes - 2, bytes: 2 },
  duration: { type: types.duration, max: 32, bytes: 3 },
  date: { type: types.timestamp, max: 12, bytes: 12 },
  'date-time': { type: types.timestamp, max: 32, bytes: 21 },
};

const longest = (values: readonly unknown[]): number =>
  values.reduce<number>((most, one) => (typeof one === 'string' ? Math.max(most, Buffer.byteLength(one)) : most), 0);

function textType({ format = '', maxLength, enum: choices = [] }: Structural): SizedType {
  const known = Object.hasOwn(formatted, format) ? formatted[format] : undefined;
  if (known !== undefined) return format === 'byte' && maxLength !== undefined ? { ...known, max: maxLength } : known;
  if (maxLength !== undefined) return { ...text, max: 4 * Math.max(0, maxLength) };
  return choices.length > 0 ? { ...text, max: longest(choices) } : text;
}

const simple: Readonly<Record<string, SizedType>> = {
  boolean: { type: types.bool, max: 0, bytes: 4 },
  number: { type: types.double, max: 0, bytes: 1 },
  integer: { type: types.int, max: 0, bytes: 1 },
};

/** Returns a schema with the fields of every resource: apiVersion, kind and name. */
export function withResourceFields(schema: Structural): Structural {
  const names = { type: 'object', properties: { name: { type: 'string' }, generateName: { type: 'string' } } };
  const added = { kind: { type: 'string' }, apiVersion: { type: 'string' }, metadata: names };
  return { ...schema, properties: { ...schema.properties, ...added } };
}

function arrayType({ items, maxItems }: Structural): SizedType | undefined {
  const element = items === undefined ? undefined : sizedTypeOf(items, items['x-kubernetes-embedded-resource']);
  if (element === undefined) return undefined;
  return { max: maxItems ?? Math.trunc((requestBytes - 2) / (element.bytes + 1)), bytes: 2, element };
}

function mapType(additional: Structural, maxProperties: number | undefined): SizedType | undefined {
  const element = sizedTypeOf(additional, additional['x-kubernetes-embedded-resource']);
  if (element === undefined) return undefined;
  const key: SizedType = { type: types.string, max: 0, bytes: 2 };
  return { max: maxProperties ?? Math.trunc((requestBytes - 2) / (element.bytes + 6)), bytes: 2, key, element };
}

function objectType(schema: Structural): SizedType | undefined {
  const additional = additionalOf(schema);
  if (additional !== undefined) return mapType(additional, schema.maxProperties);
  const fields = new Map<string, SizedType>();
  let bytes = 2;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const type = sizedTypeOf(property, property['x-kubernetes-embedded-resource']);
    if (type === undefined) continue;
    const escaped = celName(name);
    if (escaped !== undefined) fields.set(escaped, type);
    const isNeeded = schema.required?.includes(name) === true && property.default === undefined;
    if (isNeeded) bytes += Buffer.byteLength(name) + type.bytes + 4;
  }
  return { max: 0, bytes, fields };
}

/** Returns the type of a schema; undefined for schemas that rules cannot access. */
export function sizedTypeOf(schema: Structural, isResource = false): SizedType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) {
    const { maxLength } = schema;
    return { type: types.dyn, max: maxLength === undefined ? requestBytes - 2 : 4 * maxLength, bytes: 1 };
  }
  if (schema.type === 'array') return arrayType(schema);
  if (schema.type === 'object') return objectType(isResource ? withResourceFields(schema) : schema);
  return schema.type === 'string' ? textType(schema) : simple[schema.type ?? ''];
}

/** Returns the largest number of occurrences of a value in an object, from its smallest size. */
export const occurrences = ({ bytes }: SizedType): number => Math.trunc(requestBytes / (bytes + 1));

/** CEL types for sized types; objects get names, by which their fields are found. */
export interface NamedTypes {
  nameOf(sized: SizedType, name: string): Type;
  fieldsOf(struct: string): FieldTypes | undefined;
}

/** Creates named types, each on first use. */
export function createNamedTypes(): NamedTypes {
  const known = new Map<string, SizedType>();
  const names: NamedTypes = {
    nameOf(sized, name) {
      if (sized.key !== undefined) return mapOf(sized.key.type!, names.nameOf(sized.element!, `${name}.@elem`));
      if (sized.element !== undefined) return listOf(names.nameOf(sized.element, `${name}.@idx`));
      if (sized.fields === undefined) return sized.type!;
      known.set(name, sized);
      return structOf(name);
    },
    fieldsOf(struct) {
      const fields = known.get(struct)?.fields;
      if (fields === undefined) return undefined;
      return (field) => {
        const sized = fields.get(field) ?? (keywords.has(field) ? fields.get(`__${field}__`) : undefined);
        return sized === undefined ? undefined : names.nameOf(sized, `${struct}.${field}`);
      };
    },
  };
  return names;
}

/** Merge types of custom resources, from their structural schemas. */

import { additionalOf, type Structural } from '../schema/structural.ts';
import {
  deduced,
  type FieldType,
  type ListType,
  type MapType,
  type MergeType,
  type ScalarKind,
  untypedAtomic,
} from './merge-type.ts';

const scalarOf = ({ type, format }: Structural): ScalarKind => {
  if (type === 'integer' || type === 'number') return 'numeric';
  if (type === 'boolean') return 'boolean';
  return type === 'string' && (format === undefined || format === 'byte') ? 'string' : 'untyped';
};

/** Context of a schema from its definition. */
export interface StructuralTypeOptions {
  /** Type of metadata, at the root and in embedded resources. */
  readonly metadata: MergeType;
  /** Keeps unknown fields everywhere (`preserveUnknownFields`). */
  readonly preserve: boolean;
}

const text: MergeType = { scalar: 'string' };

interface SchemaContext extends StructuralTypeOptions {
  /** True for the schema of a whole object, with apiVersion, kind and metadata. */
  readonly isObject: boolean;
}

const keeps = (schema: Structural, { preserve }: SchemaContext): boolean =>
  preserve || schema['x-kubernetes-preserve-unknown-fields'] === true;

/** Returns the type of undeclared fields; undefined when there may be none. */
function othersOf(schema: Structural, context: SchemaContext): (() => MergeType) | undefined {
  const additional = additionalOf(schema);
  if (additional !== undefined) {
    let made: MergeType | undefined;
    return () => {
      made ??= typeOf(additional, context);
      return made;
    };
  }
  if (schema.additionalProperties === false) return undefined;
  const isOpen = schema.additionalProperties === true || keeps(schema, context);
  const isFree = Object.keys(schema.properties ?? {}).length === 0 && !context.isObject;
  return isOpen || isFree ? () => deduced : undefined;
}

/** Returns the fields that every object has. */
function wholeFields({ isObject, metadata }: SchemaContext): [string, FieldType][] {
  return isObject
    ? [
        ['apiVersion', { type: text }],
        ['kind', { type: text }],
        ['metadata', { type: metadata }],
      ]
    : [];
}

function mapOf(schema: Structural, context: SchemaContext): MapType {
  const { properties = {} } = schema;
  const below: SchemaContext = { ...context, preserve: keeps(schema, context), isObject: false };
  const fields = new Map(wholeFields(context));
  const others = othersOf(schema, { ...below, isObject: context.isObject });
  return {
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    field(name) {
      const known = fields.get(name);
      if (known !== undefined || !Object.hasOwn(properties, name)) return known;
      const member = properties[name]!;
      const made = { type: typeOf(member, below), ...(member.default !== undefined && { default: member.default }) };
      fields.set(name, made);
      return made;
    },
    others,
    isFree: !context.isObject && Object.keys(properties).length === 0 && schema.additionalProperties === undefined,
  };
}

function listOf(schema: Structural, context: SchemaContext): ListType {
  const { items } = schema;
  let of = items === undefined ? untypedAtomic : undefined;
  return {
    relation: schema['x-kubernetes-list-type'] ?? 'atomic',
    keys: schema['x-kubernetes-list-map-keys'] ?? [],
    of: () => {
      of ??= typeOf(items!, { ...context, preserve: keeps(schema, context) });
      return of;
    },
  };
}

function typeOf(schema: Structural, outer: SchemaContext): MergeType {
  const context = { ...outer, isObject: outer.isObject || schema['x-kubernetes-embedded-resource'] === true };
  if (schema.type === 'object') return { map: mapOf(schema, context) };
  if (schema.type === 'array') return { list: listOf(schema, { ...context, isObject: false }) };
  if (schema.type !== undefined && schema.type !== '') return { scalar: scalarOf(schema) };
  return { scalar: 'untyped', list: listOf(schema, { ...context, isObject: false }), map: mapOf(schema, context) };
}

/** Returns the merge type of a custom resource; without a schema objects are merged and lists replaced. */
export const structuralMergeType = (schema: Structural | undefined, options: StructuralTypeOptions): MergeType =>
  typeOf(schema === undefined ? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } : schema, {
    ...options,
    isObject: true,
  });

/** CEL types of built-in and custom kinds. */

import type { FieldTypes } from '../cel/scope.ts';
import { listOf, mapOf, structOf, type Type, types } from '../cel/typing/cel-type.ts';
import { createNamedTypes, sizedTypeOf } from '../cel/typing/decl-types.ts';
import type { Resource } from '../resources/registry.ts';
import type { Scalar, TypeRef, TypeTable } from '../resources/type-table.ts';
import { structuralOf } from '../schema/structural.ts';

/** CEL types of objects, for type checking. */
export interface KindTypes {
  /** Returns the type of a resource's objects; undefined without a schema. */
  typeOf(resource: Resource): Type | undefined;
  fieldsOf(struct: string): FieldTypes | undefined;
}

const scalars: Readonly<Record<Scalar, Type>> = {
  string: types.string,
  int32: types.int,
  int64: types.int,
  bool: types.bool,
  double: types.double,
  quantity: types.string,
  time: types.timestamp,
  microTime: types.timestamp,
  intOrString: types.dyn,
  bytes: types.bytes,
  any: types.dyn,
  schemaOrBool: types.dyn,
  schemaOrArray: types.dyn,
  schemaOrStrings: types.dyn,
};

function typeAt(reference: TypeRef): Type {
  if (reference.is === 'scalar') return scalars[reference.scalar];
  if (reference.is === 'list') return listOf(typeAt(reference.of));
  return reference.is === 'map' ? mapOf(types.string, typeAt(reference.of)) : structOf(reference.name);
}

const common: Readonly<Record<string, Type>> = {
  apiVersion: types.string,
  kind: types.string,
  metadata: structOf('meta.ObjectMeta'),
};

const commonType = (field: string): Type | undefined => (Object.hasOwn(common, field) ? common[field] : undefined);

/** Derives types of built-in kinds from the type table, and of custom kinds from their schemas. */
export function createKindTypes(table: TypeTable): KindTypes {
  const names = createNamedTypes();
  const roots = new Set<string>();
  const builtin = (struct: string): FieldTypes | undefined => {
    if (!/^[a-z]\w*\.[A-Z]\w*$/.test(struct)) return undefined;
    const { fields } = table(struct);
    return (field) => {
      const known = fields.get(field);
      return known === undefined ? undefined : typeAt(known.type);
    };
  };
  return {
    typeOf({ info }) {
      const name = info.type ?? `${info.kind}1`;
      roots.add(name);
      if (info.type !== undefined) return structOf(name);
      const schema = info.schema?.();
      const sized = schema === undefined ? undefined : sizedTypeOf(structuralOf(schema), true);
      return sized && names.nameOf(sized, name);
    },
    fieldsOf(struct) {
      const fields = builtin(struct) ?? names.fieldsOf(struct);
      if (!roots.has(struct)) return fields;
      return (field) => commonType(field) ?? fields?.(field);
    },
  };
}

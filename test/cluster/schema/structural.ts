/** Structural schemas and functions on them. */

import type { JsonSchema } from '../../../sdk/api/kind.ts';

/** CEL rule of a schema. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** Keywords of a structural schema. */
export interface Structural {
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Structural>>;
  readonly additionalProperties?: Structural | boolean;
  readonly items?: Structural;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly Structural[];
  readonly anyOf?: readonly Structural[];
  readonly oneOf?: readonly Structural[];
  readonly not?: Structural;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** Returns a schema as structural, which accepted definitions guarantee. */
export const structuralOf = (schema: JsonSchema): Structural => schema as Structural;

/** Returns the schema of members not named in `properties`; undefined when there is none. */
export const additionalOf = ({ additionalProperties }: Structural): Structural | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined;

/** Returns the schema of an object's member; undefined when it is not described. */
export const memberOf = (schema: Structural, name: string): Structural | undefined =>
  schema.properties !== undefined && Object.hasOwn(schema.properties, name)
    ? schema.properties[name]
    : additionalOf(schema);

/** Reports whether nulls can be removed or replaced by defaults. */
export const refusesNull = (schema: Structural | undefined): boolean =>
  schema !== undefined && schema.nullable !== true;

/** Returns the path of a member, as in messages. */
export const memberPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Yields a schema and all nested ones that describe values (not those in allOf, anyOf, oneOf and not). */
export function* nestedSchemas(schema: Structural): Generator<Structural> {
  yield schema;
  for (const member of Object.values(schema.properties ?? {})) yield* nestedSchemas(member);
  const additional = additionalOf(schema);
  if (additional !== undefined) yield* nestedSchemas(additional);
  if (schema.items !== undefined) yield* nestedSchemas(schema.items);
}

/** Reports whether a schema or any nested one has CEL rules. */
export function hasRules(schema: Structural): boolean {
  for (const nested of nestedSchemas(schema)) {
    if ((nested['x-kubernetes-validations'] ?? []).length > 0) return true;
  }
  return false;
}

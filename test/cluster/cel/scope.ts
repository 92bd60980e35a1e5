/** Names that are visible to an expression. */

import type { Type } from './typing/cel-type.ts';
import type { Functions } from './typing/declarations.ts';

/** Returns the type of a field; undefined for an unknown field. */
export type FieldTypes = (field: string) => Type | undefined;

/** Functions, variables and struct types of an expression. */
export interface Scope {
  readonly functions: Functions;
  readonly variables: ReadonlyMap<string, Type>;
  /** Returns the field types of a struct; undefined for opaque structs. */
  fieldsOf(struct: string): FieldTypes | undefined;
}

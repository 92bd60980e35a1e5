import type { Type } from './cel-type.ts';
import type { Functions } from './declarations.ts';

/** The type of a field; undefined when there is no such field. */
export type FieldTypes = (field: string) => Type | undefined;

/** What expressions may speak of. */
export interface Scope {
  readonly functions: Functions;
  readonly variables: ReadonlyMap<string, Type>;
  /** The types of a struct's fields; undefined for structs that nobody can look into. */
  fieldsOf(struct: string): FieldTypes | undefined;
}

/** Position and result of a check. */

import type { FieldError } from '../apimachinery/field-error.ts';
import { memberPath, type Structural } from './structural.ts';

/** Errors of a value; `matches` counts valid parts, to choose the best alternative. */
export interface Result {
  readonly errors: readonly FieldError[];
  readonly matches: number;
}

/** Position of a value, and its former state. */
export interface ValuePosition {
  /** Path in messages. */
  readonly path: string;
  /** Prefix of the path in the error's field: empty, or the part of the object that is validated. */
  readonly prefix: string;
  /** Former value, where one corresponds; unchanged values pass. */
  readonly old?: unknown;
}

/** Returns the error's field: `<nil>` for the root. */
export const fieldOf = ({ prefix, path }: ValuePosition, name = path): string =>
  prefix === '' ? name || '<nil>' : name === '' ? prefix : memberPath(prefix, name);

/** Value with its schema and position. */
export interface SchemaCheck {
  readonly schema: Structural;
  readonly value: unknown;
  readonly position: ValuePosition;
}

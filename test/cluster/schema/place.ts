import type { FieldError } from '../field-error.ts';
import { memberPath, type Structural } from './structural.ts';

/** What a value's check found; `matches` counts what was right, to choose the alternative that fits best. */
export interface Result {
  readonly errors: readonly FieldError[];
  readonly matches: number;
}

/** Where a value stands, and what it was before. */
export interface Place {
  /** The path in error texts. */
  readonly path: string;
  /** What stands before the path in the error's field; empty, or the part of the object that is validated alone. */
  readonly prefix: string;
  /** The former value, where there is one that corresponds: what has not changed is not wrong. */
  readonly old?: unknown;
}

/** The error's field: `<nil>` for the root. */
export const fieldOf = ({ prefix, path }: Place, name = path): string =>
  prefix === '' ? name || '<nil>' : name === '' ? prefix : memberPath(prefix, name);

/** One value, the schema it is checked against, and where it stands. */
export interface Checked {
  readonly schema: Structural;
  readonly value: unknown;
  readonly place: Place;
}

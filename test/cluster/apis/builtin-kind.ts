/** Rules of one built-in kind, as the folder of its group states them. */

import type { NameCheck } from '../apimachinery/name-validation.ts';
import type { Fields } from '../apimachinery/object.ts';
import type { Check } from '../apimachinery/validation/errors.ts';
import type { DefaultRule } from '../resources/defaulting.ts';

/** Returns warnings for an accepted object; `former` is the one that it replaces. */
export type Warn = (object: Fields, former: Fields | undefined) => Iterable<string>;

/** Rules of one built-in kind; all members are optional. */
export interface BuiltinKind {
  /** Validates a name. @default it is a DNS subdomain */
  readonly checkName?: NameCheck;
  /** Constant defaults of absent fields, by type. */
  readonly values?: Readonly<Record<string, Fields>>;
  /** Defaults that depend on other fields, by type. */
  readonly defaults?: Readonly<Record<string, DefaultRule>>;
  /** Validates an object. */
  readonly check?: Check;
  /** Validates a status update. @default `check` */
  readonly checkStatus?: Check;
  /** Warns of an object. */
  readonly warn?: Warn;
  /** Warns of a status update. */
  readonly warnOfStatus?: Warn;
  /** True when the server validates updates twice, reporting each error twice. */
  readonly isCheckedTwice?: boolean;
}

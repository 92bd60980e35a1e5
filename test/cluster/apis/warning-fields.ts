/** Fields that warnings read. */

import type { Fields } from '../apimachinery/object.ts';
import { fieldsOf } from '../apimachinery/validation/errors.ts';

/** Returns a list of texts; empty for any other value. */
export const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : []);

/** Returns the annotations of an object. */
export const annotationsOf = ({ metadata }: Fields): Fields => fieldsOf(fieldsOf(metadata).annotations);

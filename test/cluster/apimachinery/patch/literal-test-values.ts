/** Makes the tests of JSON patches compare texts and numbers as they are written, as the server's library does. */

import { escapeHtml } from '../go/go-json.ts';
import { type Fields, isFields } from '../object.ts';

/** Value that is unequal to every stored value, so that a `test` of it fails. */
const neverEqual = Symbol('value that is not in the form of Go');

/** Characters of texts, or of numbers, that may be written otherwise than Go writes them. */
const unusual = /[<>&\u2028\u2029]|\\[u/]|[.eE]/;

/** Reports whether a scalar is written as Go's encoder writes it; true where JSON.parse passes no source text. */
function isAsGoWrites(value: unknown, source: string | undefined): boolean {
  if (source === undefined) return true;
  if (typeof value === 'string') return value.isWellFormed() && escapeHtml(JSON.stringify(value)) === source;
  return typeof value !== 'number' || JSON.stringify(value) === source;
}

type Reviver = (name: string, value: unknown, written?: { readonly source?: string }) => unknown;

const marked: Reviver = (_, value, written) => (isAsGoWrites(value, written?.source) ? value : neverEqual);

const containsNeverEqual = (value: unknown): boolean =>
  value === neverEqual ||
  (typeof value === 'object' && value !== null && Object.values(value).some((member) => containsNeverEqual(member)));

/**
 * Returns the operations of a JSON patch. `test` operations with scalars that are not written as Go writes them get a value that never matches: the
 * server compares bytes, such as `&` with `\u0026`. Values that the same patch has written are compared like any other.
 */
export function withLiteralTests(text: string, operations: unknown): unknown {
  if (!Array.isArray(operations) || !unusual.test(text)) return operations;
  const written = JSON.parse(text, marked) as readonly Fields[];
  return operations.map((operation: unknown, index) => {
    const isOdd = isFields(operation) && operation.op === 'test' && containsNeverEqual(written[index]?.value);
    return isOdd ? { ...operation, value: neverEqual } : operation;
  });
}

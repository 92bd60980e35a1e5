/** Limits, error messages and escaping of Go's `encoding/json`. */

/**
 * Deepest nesting that is accepted. Go accepts 10 000; the readers here are recursive, and twice this fits into the stack of any thread:
 * 1 MB by default.
 */
export const maxLevels = 500;

/** Deepest nesting of YAML that is not JSON, which takes several times the stack. */
export const maxYamlLevels = 200;

/** Names a value as Go's JSON decoder does in its errors; fractional numbers are quoted. */
export const goKind = (value: unknown): string => {
  if (typeof value === 'number') return Number.isInteger(value) ? 'number' : `number ${value}`;
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** Message of Go's JSON decoder for a value of the wrong type. */
export const unmarshalError = (value: unknown, type: string): string =>
  `json: cannot unmarshal ${goKind(value)} into Go value of type ${type}`;

/** Go type of an object with unknown fields. */
export const goObject = 'map[string]interface {}';

/** Go type that the server decodes first to find an object's kind. */
export const goHead =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

const unsafe = /[<>&\u2028\u2029]/;
const everyUnsafe = /[<>&\u2028\u2029]/g;

/** Escapes JSON text as Go does: `<`, `>`, `&` and the Unicode line separators. */
export const escapeHtml = (json: string): string =>
  unsafe.test(json)
    ? json.replace(everyUnsafe, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : json;

/** Encodes a value as JSON as Go does. */
export const goJson = (value: unknown): string => escapeHtml(JSON.stringify(value));

/** Escape of a half of a surrogate pair. */
const surrogate = /\\u[dD][89a-fA-F]/;

/** Reports whether a JSON text holds escapes of surrogates. */
export const hasSurrogates = (json: string): boolean => surrogate.test(json);

function withoutLoneSurrogates(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutLoneSurrogates);
  const members = Object.entries(value).map(([name, member]) => [name.toWellFormed(), withoutLoneSurrogates(member)]);
  return Object.fromEntries(members);
}

/** Returns the value of a JSON text with lone surrogates replaced by U+FFFD, as Go decodes them. */
export const wellFormed = (json: string, value: unknown): unknown =>
  hasSurrogates(json) ? withoutLoneSurrogates(value) : value;

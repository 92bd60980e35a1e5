/** How many objects and lists may be within each other. Go takes 10 000 of them; who reads them here goes down by recursion. */
export const mostLevels = 1000;

/** What Go's JSON decoder calls a value that does not fit; numbers that are not whole are quoted. */
export const goKind = (value: unknown): string => {
  if (typeof value === 'number') return Number.isInteger(value) ? 'number' : `number ${value}`;
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** What Go's JSON decoder says of a value that is not of a type. */
export const misfit = (value: unknown, type: string): string =>
  `json: cannot unmarshal ${goKind(value)} into Go value of type ${type}`;

/** Go's type of an object whose fields are not known. */
export const goObject = 'map[string]interface {}';

/** Go's type of what it reads of an object first: whose kind it is. */
export const goHead =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

const unsafe = /[<>&\u2028\u2029]/;
const everyUnsafe = /[<>&\u2028\u2029]/g;

/** JSON as Go writes it: what a browser might take for markup, or a script for the end of a line, is escaped. */
export const escaped = (json: string): string =>
  unsafe.test(json)
    ? json.replace(everyUnsafe, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : json;

/** A value as JSON, as Go writes it. */
export const goJson = (value: unknown): string => escaped(JSON.stringify(value));

/** Request bodies as JSON in the form that the API server compares. */

const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes the characters that Go's encoder escapes. The server compares the bytes of a `test` with those of the object as it encodes it. */
const asGoWrites = (json: string): string => json.replace(/[<>&\u2028\u2029]/g, escapeOf);

/** Escapes control characters and line separators, and replaces lone surrogates by U+FFFD: the server's YAML parser refuses or folds them. */
const asYaml = (json: string): string =>
  json
    .replace(/[\u007f-\u009f\u2028\u2029\ufffe\uffff]/g, escapeOf)
    .replace(/\\(?:(ud[89a-f][0-9a-f]{2})|.)/g, (whole, lone?: string) => (lone === undefined ? whole : '\ufffd'));

const dialects: Readonly<Record<string, (json: string) => string>> = {
  'application/json-patch+json': asGoWrites,
  'application/apply-patch+yaml': asYaml,
};

/** Returns the text of a body of this media type. Takes time linear in its size. */
export function requestBody(body: unknown, mediaType = 'application/json'): string {
  const json = JSON.stringify(body);
  return dialects[mediaType]?.(json) ?? json;
}

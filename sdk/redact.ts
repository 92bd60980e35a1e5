/** Redacts secrets in texts and JSON values. */

/** Replacement for a redacted secret. */
export const mask = '***';

/** Endings of the names of headers, parameters and members that hold secrets. */
const secretName =
  /(?:password|passwd|passphrase|pwd|secret|token|(?:api|access|secret|private)[-_]?key|authorization|cookie)$/i;

/** Names of query parameters that hold a secret or a signature; matched more broadly than in prose. */
const secretParameter = /token|secret|passw|pwd|key|sig|credential|auth|session/i;

/** Longest name that is matched, in characters. */
const maxNameLength = 64;

const isSecretName = (name: string): boolean => name.length <= maxNameLength && secretName.test(name);

/** Names of HTTP headers that hold secrets. */
const secretHeader =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|(?:[\w-]{1,56}-)?api-?key|(?:api|x-[\w-]{1,56})-(?:key|token|secret|password)|(?:access|auth|job|deploy|private)-token)$/i;

const isSecretHeader = (name: unknown): boolean => typeof name === 'string' && secretHeader.test(name);

/** Matches an `Authorization` header: its scheme, if any, and the credentials or the list of `name=value` parameters after it. */
const authorizationValue = new RegExp(
  [
    String.raw`(\bauthorization(?:["'\\]*\s*[:=]|["'\\]+\s*,)[\s"'[\\]*)`,
    String.raw`(?:[a-z][\w-]{0,40}\s+["']?)?`,
    String.raw`(?:(?:(?:,\s*)?[\w-]{1,64}=(?:"[^"]*"|\\"[^"\\]*\\"|[^\s"',;\]\\]+))+|[^\s"',;\]\\]+)`,
  ].join(''),
  'gi',
);

/** Reports whether a text is a user and a password in base64, as in `Basic dXNlcjpwYXNz`. */
const isBasic = (text: string): boolean => /^[^\p{C}\ufffd:]*:/u.test(Buffer.from(text, 'base64').toString());

/**
 * Redacts likely secrets in a text, for conditions, events and logs: `user:password@` in URLs, `Authorization`, cookies and other headers of credentials,
 * private keys in PEM, bearer tokens, query parameters with names like keys (`api_key`, `token`, `X-Amz-Signature`, …), `password=…`, `"password":"…"` and `password: '…'`. Takes
 * linear time.
 */
export const redact = (text: string): string =>
  text
    .replace(/:(\\?\/\\?\/)(?:[^\s/?#"'<>\\]*|[^\s/?#"'<>\\:]*:[^\s/?#",<>\\]*)@/g, `:$1${mask}@`)
    .replace(authorizationValue, `$1${mask}`)
    .replace(/((?<![\w-])cookie["'\\]*\s*:[\s"'\\]*)[^\s"',;\\]+(?:;\s*[^\s"',;\\=]+=[^\s"',;\\]+)*/gi, `$1${mask}`)
    .replace(/(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)[^-]+/g, `$1${mask}`)
    .replace(/\b(bearer\s+)[\w.~+/=-]{16,}/gi, `$1${mask}`)
    .replace(/\b(basic\s+)([a-z\d+/]{4,}={0,2})/gi, (whole, start: string, credentials: string) =>
      isBasic(credentials) ? `${start}${mask}` : whole,
    )
    .replace(
      /(?<![\w/-])(?=([a-z][\w-]{2,63}))\1((?:["'\\]*\s*:|["'\\]+\s*,)\s*["'\\]*)([^\s"',;\\]+)/gi,
      (whole, name: string, colon: string) => (isSecretHeader(name) ? `${name}${colon}${mask}` : whole),
    )
    .replace(/([?&])([^=?&#\s"'<>]*)=([^&#\s"'<>]*)/g, (whole, start: string, name: string) =>
      secretParameter.test(name) ? `${start}${name}=${mask}` : whole,
    )
    .replace(/\b(?=([a-z][\w.-]{0,63}))\1=([^\s&"',;)}\]]+)/gi, (whole, name: string) =>
      isSecretName(name) ? `${name}=${mask}` : whole,
    )
    .replace(/"([^"\\\n]{1,64})"(\s*:\s*)"(?:[^"\\]|\\.)*"?/g, (whole, name: string, colon: string) =>
      isSecretName(name) ? `"${name}"${colon}"${mask}"` : whole,
    )
    .replace(/\\"([^"\\\n]{1,64})\\"(\s*:\s*)\\"[^"\\]*/g, (whole, name: string, colon: string) =>
      isSecretName(name) ? `\\"${name}\\"${colon}\\"${mask}` : whole,
    )
    .replace(/\b(?=([a-z][\w-]{0,63}))\1('?\s*:\s*)'(?:[^'\\\n]|\\.)*'?/gi, (whole, name: string, colon: string) =>
      isSecretName(name) ? `${name}${colon}'${mask}'` : whole,
    )
    .replace(/\b(?=([a-z][\w-]{0,63}))\1(\s*:\s*)"(?:[^"\\\n]|\\.)*"?/gi, (whole, name: string, colon: string) =>
      isSecretName(name) ? `${name}${colon}"${mask}"` : whole,
    );

/** Masks a string, and the strings of a list; undefined for any other value. */
const maskOf = (value: unknown): unknown => {
  if (typeof value === 'string') return mask;
  return Array.isArray(value) ? value.map(maskOf) : undefined;
};

/**
 * Returns a copy of a JSON value with each string redacted by `text`. Strings, and lists of strings, are masked whole as the value of a member whose
 * name is that of a secret, and after the name of a header that holds a secret in a list of raw headers (`['Authorization', '…']`).
 */
export function redactedJson(value: unknown, text: (text: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value))
    return value.map((item, index) => (isSecretHeader(value[index - 1]) && maskOf(item)) || redactedJson(item, text));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    (isSecretName(name) && maskOf(member)) || redactedJson(member, text),
  ]);
  return Object.fromEntries(members);
}

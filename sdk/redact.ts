/** Redacts secrets in texts and JSON values. */

/** Replacement for a redacted secret. */
export const mask = '***';

/** Endings of the names of headers, parameters and members that hold secrets. */
const secretName =
  /(?:password|passwd|passphrase|pwd|secret|token|(?:api|access|secret|private)[-_]?key|authorization|cookie)$/i;

/** Names of query parameters that hold a secret or a signature; matched more broadly than in prose. */
const secretParameter = /token|secret|passw|pwd|key|sig|credential|auth|session/i;

/** Longest name that is matched, in characters. */
const longestName = 64;

const isSecretName = (name: string): boolean => name.length <= longestName && secretName.test(name);

/**
 * Redacts likely secrets in a text, for conditions, events and logs: `user:password@` in URLs, `Authorization` headers, bearer tokens, query
 * parameters with names like keys (`api_key`, `token`, `X-Amz-Signature`, …), `password=…` and `"password":"…"`. Takes linear time.
 */
export const redact = (text: string): string =>
  text
    .replace(/:\/\/[^\s/?#"'<>\\]*@/g, `://${mask}@`)
    .replace(/(\bauthorization["'\\]*\s*[:=][\s"'[\\]*)(?:[a-z]{1,20}\s+)?[^\s"',;\]\\]+/gi, `$1${mask}`)
    .replace(/\b(bearer\s+)[\w.~+/=-]{16,}/gi, `$1${mask}`)
    .replace(/([?&])([^=?&#\s"'<>]*)=([^&#\s"'<>]*)/g, (whole, start: string, name: string) =>
      secretParameter.test(name) ? `${start}${name}=${mask}` : whole,
    )
    .replace(/\b([a-z][\w.-]{0,63})=([^\s&"',;)}\]]+)/gi, (whole, name: string) =>
      isSecretName(name) ? `${name}=${mask}` : whole,
    )
    .replace(/"([^"\\\n]{1,64})"(\s*:\s*)"(?:[^"\\]|\\.)*"?/g, (whole, name: string, colon: string) =>
      isSecretName(name) ? `"${name}"${colon}"${mask}"` : whole,
    );

/** Returns a copy of a JSON value with all strings redacted and those of members with names of secrets masked. */
export function redactedJson(value: unknown, text: (text: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item) => redactedJson(item, text));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    typeof member === 'string' && isSecretName(name) ? mask : redactedJson(member, text),
  ]);
  return Object.fromEntries(members);
}

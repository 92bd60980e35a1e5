/** What stands for a secret that was taken out of a text. */
export const mask = '***';

/** How the names of headers, parameters and members end whose values are secrets. */
const secretName =
  /(?:password|passwd|passphrase|pwd|secret|token|(?:api|access|secret|private)[-_]?key|authorization|cookie)$/i;

/** Names of query parameters that carry a secret or a signature: what follows a `?` is nobody's prose, so that less is enough. */
const secretParameter = /token|secret|passw|pwd|key|sig|credential|auth|session/i;

/** Longer names are nobody's. */
const longestName = 64;

const isSecretName = (name: string): boolean => name.length <= longestName && secretName.test(name);

/**
 * A text without what looks like a secret, for conditions, events and logs: `user:password@` in URLs, `Authorization` headers, bearer tokens, key-like
 * query parameters (`api_key`, `token`, `X-Amz-Signature`, …), and `password=…` or `"password":"…"`. Takes time in proportion to the text, whatever is in it.
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

/** A value as JSON holds it, with every string redacted, and those of members that are named as secrets masked. */
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

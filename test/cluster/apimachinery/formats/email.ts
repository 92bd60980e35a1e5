/** The string format `email`. */

const atom = /^[^\s\p{Cc}()<>@,:;\\".[\]]+(?:\.[^\s\p{Cc}()<>@,:;\\".[\]]+)*/u;
const quotedText = /^"(?:[^"\\\r\n]|\\.)*"/u;
const literal = /^\[[^[\]\\\s]*\]/u;
const comment = /^\s*(?:\([^()]*\)\s*)*/u;

/** Returns the rest of a text after the first matching pattern; undefined when none matches. */
function after(text: string, ...patterns: readonly RegExp[]): string | undefined {
  const found = patterns.map((pattern) => pattern.exec(text)?.[0]).find((part) => part !== undefined);
  return found === undefined ? undefined : text.slice(found.length);
}

/** Returns the rest after an address such as `a@example.com`; undefined when there is none. */
function afterAddress(text: string): string | undefined {
  const domain = after(text, atom, quotedText);
  return domain?.startsWith('@') ? after(domain.slice(1), atom, literal) : undefined;
}

const isEnd = (rest: string | undefined): boolean => rest !== undefined && after(rest, comment) === '';

/** Reports whether a text is an address for Go's `mail.ParseAddress`, optionally with a name: `Jane <jane@example.com>`. */
export function isMailAddress(text: string): boolean {
  const start = text.trimStart();
  if (isEnd(afterAddress(start))) return true;
  let rest: string | undefined = start;
  while (rest !== undefined && rest !== '' && !rest.startsWith('<')) {
    rest = after(rest, /^[^\s\p{Cc}()<>@,:;\\"[\]]+/u, quotedText)?.trimStart();
  }
  const closed = rest === undefined || rest === '' ? undefined : afterAddress(rest.slice(1).trimStart())?.trimStart();
  return closed?.startsWith('>') === true && isEnd(closed.slice(1));
}

/** Parses CEL's text and bytes literals. */

const signs: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const escapes = /\\(?:[xX]([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-3][0-7]{2})|([\s\S]))/gu;

/** Returns the text between the quotes, and whether the literal is raw. */
function inner(literal: string): { readonly text: string; readonly raw: boolean } {
  const raw = /^[rR]/.test(literal);
  const quoted = raw ? literal.slice(1) : literal;
  const quotes = /^(?:"""|''')/.test(quoted) && quoted.length >= 6 ? 3 : 1;
  return { text: quoted.slice(quotes, -quotes).replaceAll(/\r\n?/g, '\n'), raw };
}

/** Returns the value of a text literal. */
export function unquote(literal: string): string {
  const { text, raw } = inner(literal);
  if (raw) return text;
  return text.replace(escapes, (...match: (string | undefined)[]) => {
    const [, hex, short, long, octal, sign = ''] = match;
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
    const code: string | undefined = hex ?? short ?? long;
    return code === undefined ? (signs[sign] ?? sign) : String.fromCodePoint(Number.parseInt(code, 16));
  });
}

/** Returns the value of a bytes literal without its `b`; `\xff` and `\377` are single bytes. */
export function unquotedBytes(literal: string): Uint8Array {
  const { text, raw } = inner(literal);
  if (raw) return new Uint8Array(Buffer.from(text));
  const parts: Buffer[] = [];
  let from = 0;
  for (const match of text.matchAll(escapes)) {
    const [whole, hex, short, long, octal, sign] = match;
    parts.push(Buffer.from(text.slice(from, match.index)));
    const code = short ?? long;
    if (hex !== undefined) parts.push(Buffer.from([Number.parseInt(hex, 16)]));
    else if (octal !== undefined) parts.push(Buffer.from([Number.parseInt(octal, 8)]));
    else if (code !== undefined) parts.push(Buffer.from(String.fromCodePoint(Number.parseInt(code, 16))));
    else parts.push(Buffer.from(signs[sign!] ?? sign!));
    from = match.index + whole.length;
  }
  parts.push(Buffer.from(text.slice(from)));
  return new Uint8Array(Buffer.concat(parts));
}

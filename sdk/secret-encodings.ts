/** Encodings in which a secret appears in texts. */

/** Length below which encoded forms are ignored, since they occur in any text. */
const minLength = 6;

/** Returns the parts of a value's base64 encoding that do not depend on the surrounding text, for each of three offsets: with and without padding, also for URLs. */
const base64Of = (bytes: Buffer): readonly string[] =>
  [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const stable = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return [stable, stable.replaceAll('+', '-').replaceAll('/', '_')];
  });

const lowerCodes = (text: string): string => text.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase());

/** Returns the percent-encodings of a value: of components, once and twice, forms, paths and strict ones, in upper and lower case. */
function percentEncoded(value: string): readonly string[] {
  const text = value.toWellFormed();
  const component = encodeURIComponent(text);
  const strict = component.replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([['', text]]).toString().slice(1);
  const path = new URL(`http://a/${component}`).pathname.slice(1);
  const forms = [component, strict, form, encodeURI(text), path, encodeURIComponent(component)];
  return [...new Set(forms)].flatMap((one) => [one, lowerCodes(one)]);
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const codeOf = (one: string): string => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Returns a value in JSON: as JavaScript writes it, also within a text of JSON; with Go's codes for `<`, `>` and `&`; with codes beyond ASCII, as of Python; and with `\/`, as of PHP. */
function jsonEncoded(value: string): readonly string[] {
  const plain = inJson(value);
  const ascii = plain.replace(/[^\0-\x7f]/g, codeOf);
  const slashed = (text: string): string => text.replaceAll('/', '\\/');
  return [plain, inJson(plain), plain.replace(/[<>&]/g, codeOf), ascii, slashed(plain), slashed(ascii)];
}

/** Entities of quotes: those of browsers, of Go, and of Python. */
const quotes: readonly (readonly [double: string, single: string])[] = [
  ['&quot;', '&#39;'],
  ['&#34;', '&#39;'],
  ['&quot;', '&#x27;'],
  ['"', "'"],
];

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Returns a value with the entities of HTML and XML. */
const htmlEncoded = (value: string): readonly string[] => {
  const text = value.replace(/[&<>]/g, (one) => entities[one]!);
  return quotes.map(([double, single]) => text.replaceAll('"', double).replaceAll("'", single));
};

/** Returns a value's encodings of at least six characters, with the encoding in words of a message; the value itself first, however short. */
export function encodingsOf(secret: string): ReadonlyMap<string, string> {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const named: readonly (readonly [words: string, forms: readonly string[]])[] = [
    ['in JSON', jsonEncoded(secret)],
    ['URL-encoded', percentEncoded(secret)],
    ['in HTML', htmlEncoded(secret)],
    ['in hex', [hex, hex.toUpperCase()]],
    ['in base64', base64Of(bytes)],
  ];
  const encodings = new Map([[secret, 'as it is']]);
  for (const [words, forms] of named)
    for (const form of forms) if (form.length >= minLength && !encodings.has(form)) encodings.set(form, words);
  return encodings;
}

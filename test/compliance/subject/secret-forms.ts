/** Finds and redacts secrets in their encoded forms. */

/** Length below which encoded forms are ignored, since they occur in any text. */
const shortest = 6;

/** Returns the base64 characters that depend on `bytes` alone, with `offset` other bytes before them. */
function base64At(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

/** Returns the forms of a secret, plain and encoded, with the form's name. */
function formsOf(secret: string): ReadonlyMap<string, string> {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((offset) => base64At(bytes, offset));
  const forms: [form: string, name: string][] = [
    [secret, 'as it is'],
    [JSON.stringify(secret).slice(1, -1), 'in JSON'],
    [encodeURIComponent(secret), 'URL-encoded'],
    [bytes.toString('hex'), 'in hex'],
    [bytes.toString('hex').toUpperCase(), 'in hex'],
    ...base64.flatMap((text): [string, string][] => [
      [text, 'in base64'],
      [text.replaceAll('+', '-').replaceAll('/', '_'), 'in base64'],
    ]),
  ];
  return new Map(forms.filter(([form], index) => index === 0 || form.length >= shortest).reverse());
}

/** Returns the first secret found in the texts: its form and its context. */
export function shownSecret(
  texts: Iterable<string>,
  secrets: Iterable<string>,
): { readonly form: string; readonly around: string } | undefined {
  const forms = new Map([...secrets].filter((secret) => secret !== '').flatMap((secret) => [...formsOf(secret)]));
  for (const text of texts)
    for (const [shown, form] of forms) {
      const at = text.indexOf(shown);
      if (at === -1) continue;
      const around = text.slice(Math.max(0, at - 60), at + shown.length + 60).replaceAll(shown, '<secret>');
      return { form, around };
    }
  return undefined;
}

/** Names of query parameters that hold credentials. */
const credential = /([?&][^=&#\s]*(?:token|key|secret|password|passwd|signature|credential)[^=&#\s]*=)[^&#\s]*/gi;

/** Redacts the given secrets, in any form, and query parameters with names of secrets. */
export function redacted(text: string, secrets: Iterable<string> = []): string {
  let clean = text.replace(credential, '$1***');
  for (const secret of secrets)
    if (secret !== '') for (const form of formsOf(secret).keys()) clean = clean.replaceAll(form, '***');
  return clean;
}

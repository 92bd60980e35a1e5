/** Encoded forms that are shorter than this are found in any text. */
const shortest = 6;

/** The characters of a base64 text that come of `bytes` alone, when `offset` other bytes stand before them. */
function base64At(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

/** How a secret may show in a text, by the name of the form: as it is, or encoded. */
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

/** The first secret that shows in one of the texts: in which form, and what stands around it. */
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

/** Names of query parameters whose values are credentials. */
const credential = /([?&][^=&#\s]*(?:token|key|secret|password|passwd|signature|credential)[^=&#\s]*=)[^&#\s]*/gi;

/** A text without secrets: those given, in any form, and what stands in query parameters that are named like one. */
export function redacted(text: string, secrets: Iterable<string> = []): string {
  let clean = text.replace(credential, '$1***');
  for (const secret of secrets)
    if (secret !== '') for (const form of formsOf(secret).keys()) clean = clean.replaceAll(form, '***');
  return clean;
}

/** Finds and redacts secrets in their encoded forms. */

import { encodingsOf } from '../../../sdk/host/index.ts';

/** Returns the first secret found in the texts: its form and its context. */
export function findSecret(
  texts: Iterable<string>,
  secrets: Iterable<string>,
): { readonly form: string; readonly around: string } | undefined {
  const forms = [...secrets].filter((secret) => secret !== '').flatMap((secret) => [...encodingsOf(secret)]);
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

/** Returns the forms of a secret, longest first, since one may contain another. */
const longestFirst = (secret: string): readonly string[] =>
  [...encodingsOf(secret).keys()].sort((a, b) => b.length - a.length);

/** Redacts the given secrets, in any form, and query parameters with names of secrets. */
export function redacted(text: string, secrets: Iterable<string> = []): string {
  let clean = text.replace(credential, '$1***');
  for (const secret of secrets)
    if (secret !== '') for (const form of longestFirst(secret)) clean = clean.replaceAll(form, '***');
  return clean;
}

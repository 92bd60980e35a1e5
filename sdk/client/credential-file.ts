import { readFile } from 'node:fs/promises';
import type { Clock } from '../clock.ts';
import { messageOf, UserError } from '../errors.ts';

/** The content of a file that somebody else renews, such as a mounted token. */
export interface CredentialFile {
  /** Read at most a minute ago; `renew`: read now. Of a file that has become unreadable, what it held last. @throws UserError E#1006 */
  read(options: { readonly renew: boolean }): Promise<string>;
}

const keptFor = 60_000;

/** Reads the file when first asked. */
export function createCredentialFile(path: string, clock: Clock): CredentialFile {
  let held: { readonly content: string; readonly at: number } | undefined;
  return {
    async read({ renew }) {
      if (held !== undefined && !renew && clock.monotonic() - held.at < keptFor) return held.content;
      try {
        held = { content: await readFile(path, 'utf8'), at: clock.monotonic() };
      } catch (cause) {
        if (held === undefined)
          throw new UserError('E#1006', `cannot read the credentials in ${path}: ${messageOf(cause)}`, { cause });
      }
      return held.content;
    },
  };
}

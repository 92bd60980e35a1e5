/** Reads credentials from files that are rotated. */

import { readFile } from 'node:fs/promises';
import type { Clock } from '../../clock.ts';
import { messageOf, UserError } from '../../errors.ts';

/** Content of a file that another process rotates, such as a mounted token. */
export interface CredentialFile {
  /**
   * Returns the content, at most a minute old; `renew`: reads it now. If the file has become unreadable, returns its last content. @throws UserError
   * E#1006
   */
  read(options: { readonly renew: boolean }): Promise<string>;
}

const keptFor = 60_000;

/** Returns the error of a file with credentials, by the field or the place that names it. */
export const unreadableCredentials = (path: string, namedBy: string, cause: unknown): UserError =>
  new UserError('E#1006', `cannot read the credentials in ${path}: ${messageOf(cause)}`, {
    hint: `${namedBy} names it: check the path, and that this user may read it`,
    cause,
  });

/** Creates a reader of the file; it is read on first use. Errors tell which field or place names it. */
export function createCredentialFile(path: string, namedBy: string, clock: Clock): CredentialFile {
  let held: { readonly content: string; readonly at: number } | undefined;
  return {
    async read({ renew }) {
      if (held !== undefined && !renew && clock.monotonic() - held.at < keptFor) return held.content;
      try {
        held = { content: await readFile(path, 'utf8'), at: clock.monotonic() };
      } catch (cause) {
        if (held === undefined) throw unreadableCredentials(path, namedBy, cause);
      }
      return held.content;
    },
  };
}

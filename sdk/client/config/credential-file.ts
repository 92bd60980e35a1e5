/** Reads credentials from files that are rotated. */

import { readFile } from 'node:fs/promises';
import type { Clock } from '../../clock.ts';
import { UserError } from '../../errors.ts';
import { messageOf } from '../../thrown.ts';

/** Content of a file that another process rotates, such as a mounted token. */
export interface CredentialFile {
  /**
   * Returns the content, at most a minute old; `renew`: reads it now. If the file has become unreadable, returns its last content. @throws UserError
   * E#1006
   */
  read(options: { readonly renew: boolean }): Promise<string>;
}

/** ms for which a content is cached. */
const cacheTime = 60_000;

/** Returns the error of an unreadable file; `namedBy` is the field or source that names it. */
const unreadableCredentials = (path: string, namedBy: string, cause: unknown): UserError =>
  new UserError('E#1006', `cannot read the credentials in ${path}: ${messageOf(cause)}`, {
    hint: `${namedBy} names it: check the path, and that this user may read it`,
    cause,
  });

/** Reads a field of an entry: from `<field>-data`, else from the file that it names. @throws UserError E#1006 */
export async function pemOf<Field extends string>(
  entry: { readonly [name in Field | `${Field}-data`]?: string | undefined },
  field: Field,
): Promise<string | undefined> {
  const { [`${field}-data` as const]: data, [field]: file } = entry;
  if (data) return Buffer.from(data, 'base64').toString();
  if (!file) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw unreadableCredentials(file, `${field} of the kubeconfig`, cause);
  }
}

/** Creates a reader of the file, which is read on first use. `namedBy` is the field or source that names it, for errors. */
export function createCredentialFile(path: string, namedBy: string, clock: Clock): CredentialFile {
  let cached: { readonly content: string; readonly at: number } | undefined;
  return {
    async read({ renew }) {
      if (cached !== undefined && !renew && clock.monotonic() - cached.at < cacheTime) return cached.content;
      try {
        cached = { content: await readFile(path, 'utf8'), at: clock.monotonic() };
      } catch (cause) {
        if (cached === undefined) throw unreadableCredentials(path, namedBy, cause);
      }
      return cached.content;
    },
  };
}

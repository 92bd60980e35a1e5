/** Names of external objects that people can read, and that no two workspaces share. */

import { createHash } from 'node:crypto';

/** Longest name in characters: of databases in bytes, of buckets, of DNS labels. */
const maxLength = 63;

/** Characters of the hash at the end of a name: 48 bits of the uid. */
const hashLength = 12;

/** Workspace that a name is of. */
export interface NameOwner {
  readonly uid: string;
  readonly namespace: string;
  readonly workspace: string;
}

/**
 * Returns `<prefix>_<namespace>_<workspace>_<hash of the uid>` with this separator, of a-z, 0-9 and the separator, 63 characters at most. The hash alone
 * tells workspaces apart.
 */
export function readableName(prefix: string, { uid, namespace, workspace }: NameOwner, separator: '_' | '-'): string {
  const hash = createHash('sha256').update(uid).digest('hex').slice(0, hashLength);
  const words = [prefix, namespace, workspace].map((text) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, separator));
  return `${words.join(separator).slice(0, maxLength - hashLength - 1)}${separator}${hash}`;
}

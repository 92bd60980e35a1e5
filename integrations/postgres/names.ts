/** Names of roles and databases. */

import { createHash } from 'node:crypto';

/** Bytes that PostgreSQL keeps of a name. */
const longest = 63;

/** Characters of the hash at the end of a name: 48 bits of the uid. */
const hashLength = 12;

const readable = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');

/**
 * Returns the name of a workspace's role and database: `<prefix>_<namespace>_<workspace>_<hash of its uid>`, of a-z, 0-9 and `_`, 63 bytes at most.
 * The hash alone tells workspaces apart.
 */
export function databaseName(
  prefix: string,
  owner: { readonly uid: string; readonly namespace: string; readonly workspace: string },
): string {
  const hash = createHash('sha256').update(owner.uid).digest('hex').slice(0, hashLength);
  const words = [prefix, owner.namespace, owner.workspace].map(readable).join('_');
  return `${words.slice(0, longest - hashLength - 1)}_${hash}`;
}

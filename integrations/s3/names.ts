/** Names of buckets, and of the users that may use them. */

import { createHash } from 'node:crypto';

/** Longest name of a bucket; users may have one more character. */
const longest = 63;

/** Characters of the hash at the end of a name: 48 bits of the uid. */
const hashLength = 12;

const readable = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/**
 * Returns the name of a workspace's bucket: `<prefix>-<namespace>-<workspace>-<hash of its uid>`, of a-z, 0-9 and `-`, 63 characters at most. The hash
 * alone tells workspaces apart.
 */
export function bucketName(
  prefix: string,
  owner: { readonly uid: string; readonly namespace: string; readonly workspace: string },
): string {
  const hash = createHash('sha256').update(owner.uid).digest('hex').slice(0, hashLength);
  const words = [prefix, owner.namespace, owner.workspace].map(readable).join('-');
  return `${words.slice(0, longest - hashLength - 1)}-${hash}`;
}

/** Reports whether names may begin with this word: no server refuses them, and AWS has not reserved them. */
export const isNamePrefix = (prefix: string): boolean =>
  /^[a-z0-9]([a-z0-9-]{0,14}[a-z0-9])?$/.test(prefix) && !/^(xn-|sthree|amzn-s3-demo)/.test(prefix);

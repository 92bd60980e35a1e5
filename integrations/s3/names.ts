/** Names of buckets, and of the users that may use them. */

import { type NameOwner, readableName } from '../readable-name.ts';

/** Returns the name of a workspace's bucket: `<prefix>-<namespace>-<workspace>-<hash of its uid>`, of 63 characters at most; users may have one more. */
export const bucketName = (prefix: string, owner: NameOwner): string => readableName(prefix, owner, '-');

/** Reports whether names may begin with this word: no server refuses them, and AWS has not reserved them. */
export const isNamePrefix = (prefix: string): boolean =>
  /^[a-z0-9]([a-z0-9-]{0,14}[a-z0-9])?$/.test(prefix) && !/^(xn-|sthree|amzn-s3-demo)/.test(prefix);

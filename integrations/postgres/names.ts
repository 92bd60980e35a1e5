/** Names of roles and databases. */

import { type NameOwner, readableName } from '../readable-name.ts';

/** Returns the name of a workspace's role and database: `<prefix>_<namespace>_<workspace>_<hash of its uid>`, of 63 bytes at most. */
export const databaseName = (prefix: string, owner: NameOwner): string => readableName(prefix, owner, '_');

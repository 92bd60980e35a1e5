/** Keys of operations: idempotency keys for third parties, which contain a hash of the workspace's uid. */

import { digest } from '../../api/digest.ts';
import type { Workspace } from '../../api/workspace.ts';

/** Number of hex digits of an operation key that identify the uid of its workspace. */
const uidDigits = 6;

/** Prefix of keys that identify a uid; keys of earlier releases do not, and have a hex digit in place of its last letter. */
const prefix = 'ws-u';

const uidPart = (uid = ''): string => `${prefix}${digest(uid).slice(0, uidDigits)}`;

/** Returns the key of the n-th operation of a journal, counted from 1: a DNS label, the same for all its attempts. */
export const operationKey = ({ metadata: { uid } }: Workspace, journal: string, count: number): string =>
  `${uidPart(uid)}${digest(`${uid}/${journal}`).slice(uidDigits)}-${count}`;

/** Reports whether an operation key was made under this uid of a workspace: not before a restore, nor by a release whose keys do not identify it. */
export const isKeyOfUid = (uid: string | undefined, key: string): boolean => key.startsWith(uidPart(uid));

/** Reports whether an operation key was made under none of these uids; false for a key that does not identify its uid. */
export const isKeyOfOtherUid = (uids: readonly (string | undefined)[], key: string): boolean =>
  key.startsWith(prefix) && !uids.some((uid) => isKeyOfUid(uid, key));

/** Keys of operations: idempotency keys for third parties, which tell the uid of their workspace. */

import { digest } from '../../api/digest.ts';
import type { Workspace } from '../../api/workspace.ts';

/** Hex digits of an operation key that tell the uid of its workspace. */
const uidDigits = 6;

/** Prefix of keys that tell a uid; those of earlier releases, which do not, have a hex digit in place of its last letter. */
const prefix = 'ws-u';

const uidPart = (uid = ''): string => `${prefix}${digest(uid).slice(0, uidDigits)}`;

/** Returns the key of the n-th operation of a journal, counted from 1: a DNS label, the same for all its attempts. */
export const operationKey = ({ metadata: { uid } }: Workspace, journal: string, count: number): string =>
  `${uidPart(uid)}${digest(`${uid}/${journal}`).slice(uidDigits)}-${count}`;

/** Reports whether an operation key was made under this uid of a workspace: not before a restore, nor by a release whose keys do not tell. */
export const isKeyOfUid = (uid: string | undefined, key: string): boolean => key.startsWith(uidPart(uid));

/** Reports whether an operation key was made under none of these uids; false for one that does not tell. */
export const isKeyOfOtherUid = (uids: readonly (string | undefined)[], key: string): boolean =>
  key.startsWith(prefix) && !uids.some((uid) => isKeyOfUid(uid, key));

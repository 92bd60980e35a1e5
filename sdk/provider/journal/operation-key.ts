/** Keys of operations: idempotency keys for third parties, which tell the uid of their workspace. */

import { digest } from '../../api/digest.ts';
import type { Workspace } from '../../api/workspace.ts';

/** Hex digits of an operation key that tell the uid of its workspace. */
const uidDigits = 6;

const uidPart = ({ metadata }: Workspace): string => `ws-${digest(metadata.uid ?? '').slice(0, uidDigits)}`;

/** Returns the key of the n-th operation of a journal, counted from 1: a DNS label, the same for all its attempts. */
export const operationKey = (workspace: Workspace, journal: string, count: number): string =>
  `${uidPart(workspace)}${digest(`${workspace.metadata.uid}/${journal}`).slice(uidDigits)}-${count}`;

/** Reports whether an operation key was made under this uid of the workspace: not before a restore, nor by a release whose keys do not tell. */
export const isKeyOfUid = (workspace: Workspace, key: string): boolean => key.startsWith(uidPart(workspace));

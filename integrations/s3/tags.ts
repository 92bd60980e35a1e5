/** Tags of buckets and users. */

import { DefiniteError } from '../../sdk/index.ts';
import type { Ask } from './server.ts';

/** Tag as S3 and IAM have it. */
export interface Tag {
  readonly Key: string | undefined;
  readonly Value: string | undefined;
}

/** Key of the tag that names the owner. */
const ownerKey = 'se.quencer.io/owner';

/** Returns the tags of a workspace's objects. */
export const ownerTags = ({ mark }: Pick<Ask, 'mark'>): { Key: string; Value: string }[] => [
  { Key: ownerKey, Value: mark },
];

/** Returns the owner's mark among tags. */
export const markIn = (tags: readonly Tag[] | undefined): string | undefined =>
  tags?.find(({ Key }) => Key === ownerKey)?.Value;

/** Checks the mark of an object. @throws DefiniteError for another mark */
export function refuseForeign(what: 'bucket' | 'user', found: string | undefined, { name, mark }: Ask): void {
  if (found === mark) return;
  const whose = found === undefined ? 'bears no mark' : `bears the mark of ${found}`;
  throw new DefiniteError(
    `the ${what} ${name} ${whose}: it is left alone; remove it there, or have its owner tag it again`,
  );
}

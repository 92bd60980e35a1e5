/** Ownership records of DNS names: a TXT record for each name contains the uid of its workspace. */

import { DefiniteError } from '../../sdk/index.ts';
import { ownerLabel } from './allowed-names.ts';
import type { ChangeContext } from './backend.ts';

/** Returns the name of the ownership record. It is a separate name, since a CNAME excludes other records and the name may have its own TXT records. */
export const ownerName = (name: string): string => `${ownerLabel}.${name}`;

/** Returns the name of the ownership record at servers that allow `*` only as the first label: for a wildcard, below a reserved name. */
export const ownerNameWithoutStar = (name: string): string => ownerName(name.replace(/^\*\./, ownerName('')));

const ownerPrefix = 'heritage=workspace-sequencer,';

/** Returns the text of an ownership record; the owner is a workspace's uid. */
export const ownerMark = (owner: string): string => `${ownerPrefix}owner=${owner},condition=DNS`;

/** Parses the owner from the text of an ownership record; undefined for any other text. */
export const markedOwner = (text: string): string | undefined =>
  text.startsWith(ownerPrefix) ? /(?:^|,)owner=([^,]+)/.exec(text)?.[1] : undefined;

/** Returns the owner of a name in words, from the texts of its ownership record; undefined when there are none. */
export const holderIn = (marks: readonly string[]): string | undefined =>
  marks.length === 0 ? undefined : marks.map((text) => markedOwner(text) ?? text).join(', ');

/** Reports whether the holder of a name is the workspace, by its uid or an earlier one. */
export const isOurs = (
  holder: string | undefined,
  { owner, former = [] }: Pick<ChangeContext, 'owner' | 'former'>,
): boolean => holder !== undefined && [owner, ...former].includes(holder);

/** Returns the error for a name of another owner; `holder` is undefined for records without an ownership record. */
export function takenError(name: string, holder: string | undefined): DefiniteError {
  const whose = holder === undefined ? 'an owner without a mark' : `the owner ${holder}`;
  return new DefiniteError(`${name} is taken by ${whose}: remove it there, or ask for another name`);
}

/** Returns the remark on a name that was kept, since another party owns it. */
export const leftAlone = (name: string, holder: string): string => `${name} belongs to ${holder} and was left alone`;

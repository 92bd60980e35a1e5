/** Recognizes journal entries and mirrors of a newer release. */

import type { GuardEntry } from '../../api/workspace.ts';

/** Format of the journal entries and mirrors that this release writes, and of those that name none. */
export const journalFormat = 1;

const code = 'E#3020';

/** Returns the format of an entry or mirror that only a newer release can read; undefined where this one can. */
export const newerFormat = (entry: Pick<GuardEntry, 'format'> | undefined): number | undefined =>
  entry?.format !== undefined && entry.format > journalFormat ? entry.format : undefined;

/** Describes why an entry of a newer format is not changed, and the way out. */
export const newerText = (format: number): string =>
  `${code}: its journal has format ${format}, and this release reads up to ${journalFormat}: a newer release wrote it. Nothing is done about it here, and its claim stays: run that release again`;

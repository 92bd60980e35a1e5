/** Tells the two integrations of the simulated condition apart, and their things. */

import type { Workspace } from '../../../../sdk/index.ts';

/** The integrations of the simulated condition: the first one handles a workspace unless its spec names the other one, or both. */
export const makers = ['thing', 'other'] as const;

export type Maker = (typeof makers)[number];

/** Returns the integrations that a workspace requests. */
export function makersOf({ spec }: Workspace): readonly Maker[] {
  const thing = spec.integrations?.thing as { by?: Maker | 'both' } | undefined;
  return thing === undefined ? [] : makers.filter((one) => thing.by === 'both' || one === (thing.by ?? 'thing'));
}

/** Returns what an integration appends to marks and names of its things, so that those of two are told apart. */
export const suffixOf = (maker: Maker): string => (maker === 'thing' ? '' : `@${maker}`);

/** Returns the integration that made the thing with that mark. */
export const makerOf = (mark: string): Maker => (/@other\b/.test(mark) ? 'other' : 'thing');

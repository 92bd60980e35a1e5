/** Protections of journals beside mirrors that are refused, and of journals that are put back. */

import type { ProviderHost } from '../../../sdk/host/index.ts';
import { NewestTokens } from '../../../sdk/provider/host/newest-tokens.ts';
import { atCall, atTime, range } from './directed/schedule.ts';
import type { Removal } from './removals.ts';
import { rewritingEntries } from './seams.ts';

/** Forgets which ids are gone that the mirror still names. */
const forgettingDropped = rewritingEntries(({ dropped: _, ...entry }) => entry);

/** Remembers no tokens, as a process that has started since. */
export function trustingTokens(host: ProviderHost): ProviderHost {
  class Trusting extends NewestTokens {
    override see = (): void => undefined;
  }
  return { ...host, newestTokens: new Trusting() };
}

/** These protections, with the schedules that need them. */
export const recordMutants: readonly Removal[] = [
  {
    name: 'that the journal holds what is gone while no mirror can be written',
    identity: 'key',
    way: 'things',
    seams: { client: forgettingDropped },
    lives: [10_000, 11_000, 12_000].map((ms) => [
      { on: 'write', at: 4_000, kind: 'refused 403', ms: 60_000, write: 'mirror' } as const,
      atTime(5_000, 'spec change'),
      atTime(ms, 'spec put back'),
    ]),
    sees: ['I7'],
  },
  {
    name: 'that a journal with a lower token than the process has seen is in doubt',
    identity: 'tag',
    way: 'ensure',
    seams: { host: trustingTokens },
    lives: range(2, 6).map((call) => [
      atTime(5_000, 'spec change'),
      atTime(10_000, 'spec put back'),
      atCall(call, 'call refused'),
      atTime(10_500, 'status put back', 4_000),
    ]),
    sees: ['I7'],
  },
];

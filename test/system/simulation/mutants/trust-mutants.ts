/** Protections of what is trusted: signatures, the names in them, keys and searches. */

import type { ProviderHost } from '../../../../sdk/host/index.ts';
import { atCall, atEffect, atTime, range } from '../directed/schedule.ts';
import type { Removal } from './removals.ts';
import { rewritingEntries } from './seams.ts';
import { namedByMirrors } from './views.ts';

/** Takes every signature for the operator's. */
const unverified = (host: ProviderHost): ProviderHost => ({
  ...host,
  seal: () => ({ ...host.seal(), verify: () => 'valid' }),
});

/** Takes the mirrors of every cluster for those of this one. */
const clusterless = (host: ProviderHost): ProviderHost => ({ ...host, seal: () => ({ ...host.seal(), cluster: '' }) });

/** Counts operations anew, under the same prefix, once all that was recorded is gone. */
const sameKeys = rewritingEntries((entry) => (entry.phase === 'none' ? { ...entry, key: 'ws-0' } : entry));

/** Makes keys as earlier releases did, which tell no uid. */
const untellingKeys = rewritingEntries((entry) => ({ ...entry, key: entry.key.replace('ws-u', 'ws-0') }));

/** These protections, with the schedules that need them. */
export const trustMutants: readonly Removal[] = [
  {
    name: 'the check of the signature of mirrors and answers',
    identity: 'opaque',
    way: 'ensure',
    seams: { host: unverified },
    lives: [10, 60, 130].map((ms) => [
      atTime(ms, 'answer forged'),
      atTime(ms + 40_000, 'answer forged'),
      atTime(ms + 41_000, 'rogue deleted'),
    ]),
    sees: ['I9'],
  },
  {
    name: 'that a mirror counts for the workspace that it names alone',
    identity: 'name',
    way: 'things',
    seams: { workspace: namedByMirrors },
    lives: [60, 130, 1_000].map((ms) => [atTime(ms, 'copied'), atTime(ms + 500, 'copy deleted')]),
    sees: ['I9'],
  },
  {
    name: 'that an entry counts for the workspace whose uid its key tells alone',
    identity: 'tag',
    way: 'ensure',
    seams: { client: untellingKeys },
    lives: range(3, 12).map((step) => [
      atTime(500, 'copied'),
      atTime(500 + 12 * step, 'status copied'),
      atTime(2_000, 'spec change'),
      atTime(50_000, 'copy deleted'),
    ]),
    sees: ['I9'],
  },
  {
    name: 'that a mirror of another cluster is not taken for a restore',
    identity: 'opaque',
    way: 'ensure',
    seams: { host: clusterless },
    lives: [10, 60, 130].map((ms) => [atTime(ms, 'moved from another cluster'), atTime(ms + 40_000, 'rogue deleted')]),
    sees: ['I9'],
  },
  {
    name: 'that no key is used twice',
    identity: 'key',
    way: 'ensure',
    seams: { client: sameKeys },
    lives: [15, 45, 75].map((moment) => [
      atTime(5_000, 'unhandled'),
      atTime(9_000, 'status put back', moment),
      atTime(12_000, 'asked again'),
    ]),
    sees: ['I7'],
  },
  {
    name: 'that absence is trusted once lists can no longer be late',
    identity: 'tag',
    way: 'things',
    seams: { listLagMs: 0 },
    lives: range(10, 16).map((effect) => [
      ...range(0, 24).map((call) => atCall(call, 'call stale', 500)),
      atEffect(effect, 'status wiped'),
    ]),
    sees: ['I1', 'I7', 'I8'],
  },
];

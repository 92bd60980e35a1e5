/** Directed schedules in which a replica pauses and another one takes over. */

import { bounds } from '../protocols/protocol.ts';
import { atCall, atEffect, atTime, range, type Scenario } from './schedule.ts';

/**
 * ms after which a second replica has taken over from a paused one: the lease of leader election, the guard's lease, and the latest request
 * and list.
 */
const takenOver = 2 * bounds.lease + bounds.late + bounds.listLag;

const pauses = [takenOver + 14_000, takenOver + 39_000];

/** Times at which the status is wiped, ms before the pause ends; a negative number is after it. */
const wipes = [30_000, 26_000, 12_000, 10_000, 8_000, 6_000, 4_000, 2_000, 500, 100, 0, -20, -40, -60, -100, -1_000];

/** Faults with and without a change of the spec while the first replica pauses. */
const changes = [[], [atTime(10_000, 'spec change')]];

/** The first replica pauses for longer than lease and quarantine, the second takes over, the status is wiped, the first resumes. */
export const pauseTakeoverWipe: Scenario = {
  name: 'pause-takeover-wipe',
  about:
    'A pause longer than lease and quarantine at every effect, a take-over, a wiped status, and the first continues.',
  schedules: ({ slots }) =>
    changes.flatMap((change) =>
      pauses.flatMap((pause) =>
        wipes.flatMap((wipe) =>
          range(3, slots === undefined ? 26 : 44).map((effect) => ({
            replicas: 2,
            faults: [...change, atEffect(effect, 'pause', pause), atTime(pause - wipe, 'status wiped')],
          })),
        ),
      ),
    ),
};

/**
 * A holder that was taken over resumes with an id while its successor records its own: the administrator's answer that nothing was made was
 * wrong.
 */
export const lateIds: Scenario = {
  name: 'late-ids',
  about:
    'A fenced holder hands over its id, at every moment of the attempt that took over; neither id is ever dropped.',
  schedules: (protocol, identity) =>
    identity !== 'opaque' || protocol.name === 'guard'
      ? []
      : [4, 5].flatMap((effect) =>
          range(0, 99).map((n) => ({
            replicas: 2,
            joinAfter: 1_000,
            faults: [
              atEffect(effect, 'pause', 50_100 + 4 * n),
              atTime(50_000, 'person retries'),
              atCall(1, 'call slow', 300),
            ],
          })),
        ),
};

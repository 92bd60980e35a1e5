import { bounds } from '../protocol.ts';
import { atEffect, atTime, range, type Scenario } from './schedule.ts';

/** ms after which a second replica has taken over from one that pauses: its lease, our lease, and the latest request and list. */
const takenOver = 2 * bounds.lease + bounds.late + bounds.listLag;

const pauses = [takenOver + 14_000, takenOver + 39_000];

/** When the status is wiped, ms before the pause ends; a negative number is after it. */
const wipes = [30_000, 26_000, 12_000, 10_000, 8_000, 6_000, 4_000, 2_000, 500, 100, 0, -20, -40, -60, -100, -1_000];

/** Whether the spec changes while the first replica pauses. */
const changes = [[], [atTime(10_000, 'spec change')]];

/** The first replica pauses for longer than lease and quarantine, the second takes over, the status is wiped, the first goes on. */
export const pauseTakeoverWipe: Scenario = {
  name: 'pause-takeover-wipe',
  about:
    'A pause longer than lease and quarantine at every effect, a take-over, a wiped status, and the first goes on.',
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

/** Directed schedules in which state is restored, wiped or renamed. */

import { atCall, atEffect, atRequest, atTime, range, type Scenario, type Schedule } from './schedule.ts';

/** Times in ms since the start of the life: during creation, and during a change at 2 000. */
const moments = [...range(0, 24).map((n) => 15 * n), ...range(0, 10).map((n) => 2_000 + 15 * n)];

/** An older status is put back, as by a restore of etcd or from Git. */
export const statusPutBack: Scenario = {
  name: 'status-put-back',
  about:
    'The status of an earlier moment is put back, before and after a change; the mirror still names what is there.',
  schedules: () =>
    [2_500, 9_000].flatMap((when) =>
      moments.flatMap((moment) => [
        { faults: [atTime(2_000, 'spec change'), atTime(when, 'status put back', moment)] },
        {
          faults: [
            atTime(2_000, 'spec change'),
            atTime(when, 'status put back', moment),
            atTime(when + 30, 'spec change'),
            atTime(40_000, 'status put back', moment),
          ],
        },
      ]),
    ),
};

const slowCalls = (ms: number) => range(0, 3).map((call) => atCall(call, 'call slow', ms));

/** An older status is put back while a request or a call is on its way. */
export const putBackInFlight: Scenario = {
  name: 'put-back-in-flight',
  about: 'A status from before an attempt is put back while its call, and a write of another replica, is on its way.',
  schedules: () =>
    range(1, 8).flatMap((n) =>
      [150, 400, 1_500].flatMap((when) =>
        [1_000, 2_500, 5_000].flatMap((ms) => {
          const back = [atTime(when, 'status put back', 15 * n), ...slowCalls(ms)];
          return [
            { replicas: 2, joinAfter: when + 50, faults: back },
            ...range(2, 16).flatMap((request) =>
              [500, 3_000].map((slow) => ({
                replicas: 2,
                faults: [atRequest(request, 'request slow', slow), ...back],
              })),
            ),
          ];
        }),
      ),
    ),
};

/** Cluster and third party both go back: only things found by name, mark or key are known; the key of each of several things is not. */
export const allPutBack: Scenario = {
  name: 'status-and-mirror-put-back',
  about: 'Status and annotations of an earlier moment are put back.',
  schedules: ({ slots }, identity) =>
    identity === 'opaque' || (identity === 'key' && slots !== undefined)
      ? []
      : moments.map((moment) => ({
          faults: [atTime(2_000, 'spec change'), atTime(9_000, 'status and mirror put back', moment)],
        })),
};

/** The integration is released, and its journal comes back. */
export const releasedAndPutBack: Scenario = {
  name: 'released-and-put-back',
  about:
    'The status of a moment before a release is put back, and the integration is asked for again: what is gone is not trusted, and no key is used twice.',
  schedules: ({ name }, identity) =>
    [...moments, ...range(0, 14).map((n) => 5_000 + 15 * n)].flatMap((moment) => {
      if (name === 'guard' && identity === 'key') return []; // it observes nothing: a key that was used is answered with what is gone
      const released = [atTime(5_000, 'unhandled'), atTime(9_000, 'status put back', moment)];
      const again = [
        atTime(16_000, 'unhandled'),
        atTime(20_000, 'status put back', moment),
        atTime(24_000, 'asked again'),
      ];
      return [
        { faults: [...released, atTime(12_000, 'asked again')] },
        { faults: [...released, atTime(12_000, 'asked again'), atTime(16_000, 'spec change')] },
        { faults: [...released, atTime(12_000, 'asked again'), ...again] },
      ];
    }),
};

/** A person's answer comes back (from Git, or because its removal failed), and then the question. */
export const answerLeftBehind: Scenario = {
  name: 'answer-left-behind',
  about:
    'A person has answered and the answer is put back; then status or mirror are lost: it must not count for the next question.',
  schedules: () =>
    (['call lost', 'call answer lost', 'call late'] as const).flatMap((kind) =>
      [40_000, 50_000, 70_000].flatMap((wipe) => {
        const faults = [
          atCall(0, kind, 1_000),
          atTime(30_000, 'person answers'),
          atTime(wipe - 1_000, 'answer put back'),
          atTime(wipe, 'status wiped'),
        ];
        return [{ faults }, { faults: [...faults, atTime(wipe - 1, 'mirror wiped')] }];
      }),
    ),
};

/** The journal of a Completed condition is wiped. */
export const journalWiped: Scenario = {
  name: 'journal-wiped',
  about: 'The journal of a Completed condition is wiped: it heals, without a question at the next change.',
  schedules: () =>
    [[], [atTime(5_000, 'spec change')], [atTime(60_000, 'spec change')], [atTime(60_000, 'delete')]].flatMap((more) =>
      [1_000, 4_990].map((wipe) => ({
        faults: [atTime(wipe, 'status wiped'), ...more],
        expects: { journal: true, nobodyAsked: true },
      })),
    ),
};

/** The condition is renamed, and the status wiped before or after it: only the mirror of the former condition tells of what is there. */
const renamedAndWiped: readonly Schedule[] = [
  ...[-50, 0, 2_000, 9_000].flatMap((wipe) =>
    [[], [atTime(40_000, 'spec change')], [atTime(33_000, 'delete')], [atTime(33_000, 'restored from backup')]].map(
      (more) => ({ faults: [atTime(30_000, 'condition renamed'), atTime(30_000 + wipe, 'status wiped'), ...more] }),
    ),
  ),
  ...range(2, 12).map((effect) => ({
    faults: [atEffect(effect, 'status wiped'), atEffect(effect, 'condition renamed')],
  })),
];

/** The status is put back to a moment around the first attempt, and the condition renamed after or before it. */
const renamedAndPutBack: readonly Schedule[] = moments.flatMap((moment) =>
  [[], [atTime(60_000, 'delete')]].flatMap((more) => [
    { faults: [atTime(5_000, 'status put back', moment), atTime(5_015, 'condition renamed'), ...more] },
    { faults: [atTime(5_000, 'condition renamed'), atTime(15_000, 'status put back', moment), ...more] },
    {
      faults: [
        atCall(0, 'call late', 2_000),
        atTime(100, 'condition renamed'),
        atTime(15_000, 'status put back', moment),
        ...more,
      ],
    },
  ]),
);

/** The integration is registered under another condition. */
export const conditionRenamed: Scenario = {
  name: 'condition-renamed',
  about:
    'The condition of an integration is renamed at any moment, its status wiped, put back or not, and its processes start again; in the end it gets it back.',
  schedules: () => [
    ...[5_000, 30_000].flatMap((ms) => [
      { faults: [atTime(ms, 'condition renamed')] },
      { faults: [atTime(ms, 'condition renamed'), atTime(ms + 10_000, 'spec change')] },
      { faults: [atTime(ms, 'condition renamed'), atTime(ms + 1_000, 'delete')] },
    ]),
    ...range(2, 12).map((effect) => ({ faults: [atEffect(effect, 'condition renamed')] })),
    ...renamedAndWiped,
    ...renamedAndPutBack,
  ],
};

/** The status is lost after a creation without an answer, the condition changes hands, and the finalizer of the former integration is removed. */
const unclaimedAndWiped: readonly Schedule[] = range(4, 10).flatMap((effect) =>
  [[], [atTime(60_000, 'delete')]].flatMap((more) => {
    const lost = [atCall(0, 'call answer lost'), atEffect(effect, 'status wiped')];
    return [
      { faults: [...lost, atTime(2_000, 'changed hands'), atTime(5_000, 'claim removed'), ...more] },
      {
        faults: [
          ...lost,
          atTime(2_000, 'claimed by both'),
          atTime(5_000, 'claim removed'),
          atTime(9_000, 'changed hands'),
          ...more,
        ],
      },
    ];
  }),
);

/** An administrator removes the sequencer's finalizer. */
export const claimRemoved: Scenario = {
  name: 'claim-removed',
  about:
    'Our finalizer is removed at every effect, with and without a change or a pause, or after the status was lost; it comes back before anything is done.',
  schedules: () => [
    ...unclaimedAndWiped,
    ...range(0, 12).map((n) => ({ faults: [atTime(5_000, 'unhandled'), atTime(5_000 + 12 * n, 'claim removed')] })),
    ...range(0, 12).map((n) => ({
      faults: [atTime(5_000, 'unhandled'), atTime(5_000 + 12 * n, 'claim removed'), atTime(30_000, 'delete')],
    })),
    ...range(3, 24).flatMap((effect) => [
      { faults: [atTime(3_000, 'spec change'), atEffect(effect, 'claim removed')] },
      {
        replicas: 2,
        faults: [
          atTime(3_000, 'spec change'),
          atEffect(effect, 'claim removed'),
          atEffect(effect + 1, 'pause', 40_000),
        ],
      },
    ]),
  ],
};

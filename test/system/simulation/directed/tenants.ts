/** Directed schedules in which tenants forge, copy and restore workspaces. */

import type { Fault } from '../faults/faults.ts';
import { atCall, atEffect, atTime, range, type Scenario, type Schedule } from './schedule.ts';

/** Times before anything was made, during a creation, and after it. */
const moments = [10, 60, 80, 100, 130, 1_000, 20_000];

/** One workspace records the ids of another's things. */
export const forged: Scenario = {
  name: 'forged',
  about:
    'A tenant gives its own workspace the annotations, ids, outcome or answer of another; nothing of the other is touched.',
  schedules: () =>
    (['annotations forged', 'ids forged', 'answer forged'] as const)
      .flatMap((kind) =>
        moments.flatMap((ms): readonly (readonly Fault[])[] => [
          [atTime(ms, kind)],
          [atTime(ms, kind), atTime(ms + 40_000, kind), atTime(ms + 41_000, 'rogue deleted')],
          [atTime(ms, kind), atTime(ms + 50, kind), atTime(ms + 500, 'rogue deleted')],
          [atTime(ms, 'annotations forged'), ...range(1, 6).map((n) => atTime(ms + 7_000 * n, kind))],
        ]),
      )
      .map((faults): Schedule => ({ faults })),
};

/** A workspace is made from a backup of another cluster, whose own one lives on. */
export const moved: Scenario = {
  name: 'moved',
  about:
    'A workspace is made from a backup of another cluster, where its original lives on; a person is asked, and nothing of that is touched.',
  schedules: () =>
    moments.flatMap((ms): readonly Schedule[] =>
      [
        [],
        [atTime(ms + 500, 'rogue deleted')],
        [atTime(ms + 50_000, 'rogue deleted')],
        [atTime(ms + 50_000, 'person answers'), atTime(ms + 70_000, 'rogue deleted')],
        [atEffect(12, 'crash before'), atTime(ms + 50_000, 'rogue deleted')],
      ].map((faults) => ({ faults: [atTime(ms, 'moved from another cluster'), ...faults] })),
    ),
};

/** A workspace is copied, and the copy deleted later. */
export const copied: Scenario = {
  name: 'copied',
  about: 'A workspace is copied with its annotations, and the copy deleted; the original keeps what it has.',
  schedules: () =>
    (['copied', 'copied without finalizers'] as const).flatMap((kind) =>
      moments.flatMap((ms): readonly Schedule[] =>
        [
          [atTime(ms, kind)],
          [atTime(ms, kind), atTime(ms + 500, 'copy deleted')],
          [atTime(ms, kind), atTime(ms + 50_000, 'copy deleted')],
          [atTime(ms, kind), atTime(ms + 200, 'spec change'), atTime(ms + 60_000, 'delete')],
        ].map((faults) => ({ faults })),
      ),
    ),
};

/** The status of a workspace is put over that of its copy, at any moment of what the copy begins afresh. */
export const statusCopied: Scenario = {
  name: 'status-copied',
  about:
    'The status of a workspace is put over that of its copy, before and while that begins afresh; the original keeps what it has.',
  schedules: () =>
    [500, 5_000].flatMap((ms) =>
      range(0, 20).flatMap((step): readonly Schedule[] => {
        const copy = [atTime(ms, 'copied'), atTime(ms + 12 * step, 'status copied')];
        return [
          { faults: copy },
          { faults: [...copy, atTime(ms + 50_000, 'copy deleted')] },
          { replicas: 2, faults: [...copy, atTime(ms + 300, 'spec change'), atTime(ms + 600, 'status copied')] },
          { faults: [...copy, atTime(ms + 30_000, 'status copied'), atTime(ms + 60_000, 'copy deleted')] },
        ];
      }),
    ),
};

/** Things are marked anew after a restore, while each call of that is lost, and each of its effects the last before a crash. */
const restoredMarks: readonly Schedule[] = range(0, 8).flatMap((after): readonly Schedule[] => {
  const faults = [
    ...(['call lost', 'call answer lost', 'call late'] as const).map((kind) => atCall(1 + after, kind, 1_000)),
    ...(['crash before', 'crash after'] as const).map((kind) => atEffect(10 + after, kind)),
  ];
  const next = atTime(70_000, after % 2 === 0 ? 'spec change' : 'restored from backup');
  return faults.map((fault) => ({
    traits: { replacesMarks: true },
    faults: [atTime(20_000, 'restored from backup'), fault, next],
  }));
});

/** A workspace is recreated from a backup. */
export const restored: Scenario = {
  name: 'restored',
  about:
    'A workspace is made anew from a backup: the same annotations, another uid, no status; its things stay or a person is asked.',
  schedules: () => [
    ...[1_000, 20_000].flatMap((ms): readonly Schedule[] =>
      [
        [atTime(ms, 'restored from backup')],
        [atTime(ms, 'restored from backup'), atTime(ms + 100, 'delete')],
        [atTime(ms, 'restored from backup'), atTime(ms + 40_000, 'delete')],
        [atTime(ms, 'restored from backup'), atTime(ms + 5_000, 'spec change')],
        [atTime(ms, 'restored from backup'), atTime(ms + 100, 'restored from backup')],
        [atTime(ms, 'restored from backup'), atTime(ms + 60_000, 'restored from backup')],
      ].map((faults) => ({ faults })),
    ),
    ...range(3, 10).map((effect) => ({ faults: [atEffect(effect, 'restored from backup')] })),
    ...restoredMarks,
  ],
};

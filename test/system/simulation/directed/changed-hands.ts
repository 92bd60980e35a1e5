/** Directed schedules in which a condition passes from one of its integrations to the other. */

import type { Fault } from '../faults/faults.ts';
import { bounds } from '../protocols/protocol.ts';
import { atEffect, atTime, range, type Scenario } from './schedule.ts';

/** It changes hands; both claim it for a while; it changes hands and comes back; it changes hands while it is made. */
const courses: readonly { readonly from: number; readonly faults: readonly Fault[] }[] = [
  { from: 8, faults: [atTime(5_000, 'changed hands')] },
  { from: 8, faults: [atTime(5_000, 'claimed by both'), atTime(20_000, 'changed hands')] },
  { from: 8, faults: [atTime(5_000, 'changed hands'), atTime(5_120, 'changed hands')] },
  { from: 2, faults: [atTime(70, 'changed hands')] },
];

/** Faults at an effect. */
const strikes: readonly ((effect: number) => readonly Fault[])[] = [
  (effect) => [atEffect(effect, 'crash after')],
  (effect) => [atEffect(effect, 'answer lost'), atEffect(effect, 'call answer lost')],
  (effect) => [atEffect(effect, 'call late', bounds.late - 100)],
  (effect) => [atEffect(effect, 'status wiped')],
  (effect) => [atEffect(effect, 'mirror wiped'), atEffect(effect, 'status wiped')],
  (effect) => [atEffect(effect, 'delete')],
  (effect) => [atEffect(effect, 'changed hands')],
  (effect) => [atEffect(effect, 'claimed by both')],
];

/** A condition with two integrations changes hands. */
export const changedHands: Scenario = {
  name: 'changed-hands',
  about:
    'A condition passes from one of its integrations to the other, or both claim it, with each fault at each effect: all of the former is gone first.',
  schedules: () =>
    courses.flatMap(({ from, faults }) => [
      { faults },
      { faults: [...faults, atTime(40_000, 'delete')] },
      ...range(from, from + 13).flatMap((effect) => [
        ...strikes.map((strike) => ({ faults: [...faults, ...strike(effect)] })),
        { replicas: 2, faults: [...faults, atEffect(effect, 'pause', 45_000)] },
      ]),
    ]),
};

import { atTime } from './directed/schedule.ts';
import { type Removal, upTo } from './removals.ts';
import { countingAnew, nameless, withoutFormer } from './seams.ts';

/** Protections of conditions that are renamed, or have two integrations. */
export const sharedMutants: readonly Removal[] = [
  {
    name: 'the reading of the mirror of a former condition whose entry is lost',
    identity: 'tag',
    way: 'ensure',
    seams: { host: withoutFormer },
    lives: [0, 4_000, 20_000].map((ms) => [
      atTime(5_000, 'condition renamed'),
      atTime(5_000 + ms, 'status wiped'),
      atTime(60_000, 'delete'),
    ]),
    sees: ['I2', 'I3'],
  },
  {
    name: 'that a journal entry says which integration of its condition it belongs to',
    identity: 'tag',
    way: 'ensure',
    seams: { client: nameless },
    lives: upTo(12, 10).map((ms) => [atTime(5_000, 'changed hands'), atTime(5_000 + ms, 'claim removed')]),
    sees: ['I9'],
  },
  {
    name: 'that the tokens of a condition go on when another integration has it',
    identity: 'name',
    way: 'ensure',
    seams: { client: countingAnew },
    lives: [[atTime(5_000, 'changed hands')]],
    sees: ['I5'],
  },
];

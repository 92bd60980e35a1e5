import { atCall, atEffect, atTime, range } from '../directed/schedule.ts';
import { type Removal, upTo } from './removals.ts';
import { believing, claimedAnew, countingAnew, nameless, withoutFormer } from './seams.ts';
import { careless, forgettingClaims, heirless, littering, trustingTokens, unrecorded } from './views.ts';

/** Protections of conditions that are claimed again, are renamed, or have two integrations. */
export const sharedMutants: readonly Removal[] = [
  {
    name: 'that a journal put back from before a release counts as lost',
    identity: 'name',
    way: 'ensure',
    seams: { client: believing, host: trustingTokens },
    lives: [[atTime(5_000, 'unasked'), atTime(10_000, 'status put back', 2_000), atTime(15_000, 'asked again')]],
    sees: ['I7'],
  },
  {
    name: 'that a journal entry of an earlier claim is in doubt',
    identity: 'opaque',
    way: 'things',
    seams: { client: claimedAnew, host: trustingTokens },
    lives: range(10, 13).map((n) => [
      atTime(5_000, 'unasked'),
      atTime(9_000, 'status put back', 15 * n),
      atTime(12_000, 'asked again'),
    ]),
    sees: ['I7'],
  },
  {
    name: 'the reading of the mirror of a former condition whose entry is lost or put back',
    identity: 'tag',
    way: 'ensure',
    seams: { host: withoutFormer },
    lives: [atTime(5_000, 'status wiped'), atTime(9_000, 'status wiped'), atTime(9_000, 'status put back', 15)].map(
      (fault) => [atTime(5_000, 'condition renamed'), fault, atTime(60_000, 'delete')],
    ),
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
    name: 'that the tokens of a condition continue when another integration has it',
    identity: 'name',
    way: 'ensure',
    seams: { client: countingAnew },
    lives: [[atTime(5_000, 'changed hands')]],
    sees: ['I5'],
  },
  {
    name: 'that a mirror stays while another integration claims its condition',
    identity: 'name',
    way: 'ensure',
    seams: { client: heirless },
    lives: upTo(4, 200).map((ms) => [
      atTime(5_000, 'changed hands'),
      atCall(2, 'call answer lost'),
      atTime(6_000, 'status put back', 2_000),
      atTime(6_250 + ms, 'restored from backup'),
    ]),
    sees: ['I3'],
  },
  {
    name: 'that the finalizer of another integration of the condition makes the next one wait',
    identity: 'tag',
    way: 'ensure',
    seams: { workspace: careless },
    lives: range(7, 10).map((effect) => [atTime(5_000, 'changed hands'), atEffect(effect, 'changed hands')]),
    sees: ['I7'],
  },
  {
    name: 'that the mirror of a former condition goes before anything is begun under the new one',
    identity: 'opaque',
    way: 'ensure',
    seams: { workspace: littering },
    life: { expects: { nobodyAsked: true } },
    lives: upTo(4, 30).map((ms) => [
      atTime(5_000, 'unasked'),
      atTime(5_030 + ms, 'condition renamed'),
      atTime(30_000, 'asked again'),
      atTime(40_000, 'status wiped'),
    ]),
    sees: ['I7'],
  },
  {
    name: 'that a condition that has lost its journal waits for no mirror of a former one',
    identity: 'opaque',
    seams: { workspace: unrecorded },
    lives: [300, 1_000, 1_500].map((ms) => [
      atTime(5_000, 'condition renamed'),
      atTime(30_000, 'status wiped'),
      atTime(60_000, 'unasked'),
      atTime(60_000 + ms, 'asked again'),
    ]),
    sees: ['I7'],
  },
  {
    name: 'that a claim made after the journal that was put back is kept until what it began is found',
    identity: 'tag',
    way: 'ensure',
    seams: { workspace: forgettingClaims, host: trustingTokens },
    lives: [21_000, 35_000].map((ms) => [
      atCall(0, 'call lost'),
      atTime(2_000, 'changed hands'),
      atEffect(20, 'crash after'),
      atTime(12_000, 'condition renamed'),
      atTime(20_000, 'status put back', 1_500),
      atTime(ms, 'delete'),
    ]),
    sees: ['I2', 'I3'],
  },
];

/** Protections of the protocol that can be removed, with lives that detect it. */

import type { Violation } from '../checks/invariants.ts';
import type { Fault } from '../faults/faults.ts';
import type { LifeOptions } from '../lives/life.ts';
import type { Identity } from '../protocols/guarded.ts';
import type { Seams } from '../protocols/protocol.ts';
import { claimless, dropTests, forgetful, impatient, settling, unfenced, unmirrored } from './seams.ts';
import { trustingTokens } from './views.ts';

/** A removable protection of the protocol, with lives that detect its removal. */
export interface Removal {
  /** The protection. */
  readonly name: string;
  readonly identity: Identity;
  /** Seams that remove it. */
  readonly seams: Seams;
  readonly life?: Partial<LifeOptions>;
  /** Use of the guard. @default 'guard' */
  readonly way?: 'guard' | 'ensure' | 'things';
  /** Lives of which one must fail without the protection, and none with it. */
  readonly lives: readonly (readonly Fault[])[];
  /** Violations that must be found. */
  readonly sees: readonly Violation['id'][];
}

export const upTo = (count: number, step = 1): readonly number[] =>
  Array.from({ length: count }, (_, index) => index * step);
const at = (ms: number, kind: Extract<Fault, { on: 'time' }>['kind']): Fault => ({ on: 'time', at: ms, kind, ms: 0 });
const call = (n: number, kind: Extract<Fault, { on: 'call' }>['kind'], ms = 0): Fault => ({
  on: 'call',
  at: n,
  kind,
  ms,
});
export const pauses = (ms: number) =>
  upTo(24).map((n): readonly Fault[] => [{ on: 'effect', at: n, kind: 'pause', ms }]);

/** Each protection of the protocol, with the lives that need it. */
export const removals: readonly Removal[] = [
  {
    name: 'the self-fence',
    identity: 'name',
    seams: { host: unfenced },
    life: { replicas: 2 },
    lives: pauses(60_000),
    sees: ['I6'],
  },
  {
    name: 'waiting for a holder whose entry moves or may be at work',
    identity: 'name',
    seams: { host: impatient },
    life: { replicas: 2 },
    lives: pauses(4_000),
    sees: ['I6'],
  },
  {
    name: 'a monotonic clock that continues while a process is stopped',
    identity: 'name',
    seams: {},
    life: { replicas: 2, process: { suspends: true } },
    lives: pauses(60_000),
    sees: ['I6'],
  },
  {
    name: 'the quarantine',
    identity: 'tag',
    seams: { times: { maxRequest: 1 } },
    lives: upTo(3).map((n) => [call(n, 'call late', 3_900)]),
    sees: ['I6', 'I1'],
  },
  {
    name: 'the test of token and holder',
    identity: 'name',
    seams: { client: dropTests(/\/(token|holder|late)$/) },
    life: { replicas: 2 },
    lives: pauses(60_000),
    sees: ['I5'],
  },
  {
    name: 'the claim before the intent',
    identity: 'name',
    seams: { client: claimless },
    lives: [[]],
    sees: ['I2'],
  },
  {
    name: 'the reading of a missing entry under a claim as lost',
    identity: 'opaque',
    seams: { client: forgetful, host: trustingTokens },
    lives: [[at(20_000, 'mirror wiped'), at(20_001, 'status wiped')]],
    sees: ['I1'],
  },
  {
    name: 'the test of the version by which a note says that nothing was begun',
    identity: 'opaque',
    seams: { client: dropTests(/resourceVersion/), host: trustingTokens },
    life: { replicas: 2 },
    lives: upTo(8, 15).map((ms) => [
      { on: 'request', at: 0, kind: 'request late', ms: 3_000 },
      at(2_900 + ms, 'mirror wiped'),
      at(2_901 + ms, 'status wiped'),
    ]),
    sees: ['I1'],
  },
  {
    name: 'the check of the owner’s mark',
    identity: 'name',
    seams: { checksMark: false },
    lives: [[at(0, 'stranger’s thing'), at(60_000, 'delete')]],
    sees: ['I9', 'I7'],
  },
  {
    name: 'that a definite error does not settle an ambiguous attempt',
    identity: 'key',
    seams: { client: settling },
    lives: [4_600, 5_500, 7_000, 9_000].map((ms) => [
      call(0, 'call answer lost'),
      ...upTo(8).map((n) => call(n + 1, 'call refused')),
      at(ms, 'delete'),
    ]),
    sees: ['I3', 'I2'],
  },
  {
    name: 'mirror and rewrite',
    identity: 'opaque',
    seams: { client: unmirrored },
    lives: upTo(4, 400).map((ms) => [call(0, 'call slow', 2_000), at(200 + ms, 'status wiped')]),
    sees: ['I8'],
  },
  {
    name: 'the test of the mirror as read',
    identity: 'name',
    seams: { client: dropTests(/annotations/) },
    way: 'things',
    lives: [
      [
        { on: 'request', at: 8, kind: 'request late', ms: 300 },
        { on: 'request', at: 14, kind: 'request slow', ms: 1_500 },
      ],
    ],
    sees: ['I8'],
  },
];

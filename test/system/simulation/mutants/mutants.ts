import { atCall, atEffect, atRequest, atTime, range } from '../directed/schedule.ts';
import type { Fault } from '../faults/faults.ts';
import { recordMutants, undated } from './record-mutants.ts';
import { type Removal, upTo } from './removals.ts';
import { blindIn, credulous, dropTestsIn, followed, hasty, trusting, withoutLease } from './seams.ts';
import { sharedMutants } from './shared-mutants.ts';
import { forgettingTries, mute } from './skipped-writes.ts';
import { trustMutants } from './trust-mutants.ts';
import { trustingTokens } from './views.ts';

/** Faults: the n-th request is carried out late, after its process has died and `kind` has happened. */
const lateRequests = (kind: 'spec change' | 'delete' | 'claim removed' | 'restored from backup'): readonly Fault[][] =>
  upTo(6).flatMap((n) =>
    upTo(8).map((effect) => [atRequest(n, 'request late', 400), atEffect(effect, 'crash after'), atTime(300, kind)]),
  );

/** Protections whose removal random lives do not reveal, with the schedules that do. */
export const mutants: readonly Removal[] = [
  {
    name: 'the test of the generation in the intent',
    identity: 'name',
    seams: { client: dropTestsIn('intent', /generation/) },
    lives: lateRequests('spec change'),
    sees: ['I4'],
  },
  {
    name: 'the test of the generation in the intent of what is being deleted',
    identity: 'name',
    seams: { client: dropTestsIn('intent', /generation|deletionTimestamp/) },
    lives: lateRequests('delete'),
    sees: ['I4'],
  },
  {
    name: 'the test of the claim in the intent',
    identity: 'name',
    seams: { client: dropTestsIn('intent', /finalizers/) },
    lives: lateRequests('claim removed'),
    sees: ['I4'],
  },
  {
    name: 'handing over the ids of a fenced holder',
    identity: 'opaque',
    way: 'ensure',
    seams: { client: mute },
    life: { replicas: 2, joinAfter: 1_000 },
    lives: range(5, 7).flatMap((effect) =>
      [70, 85, 100, 115, 130].flatMap((after) =>
        [50_200, 51_400].map((ms) => [
          { on: 'write', at: after, kind: 'refused 403', ms: 3_000, write: 'mirror' } as const, // else the mirror holds them
          atEffect(effect, 'pause', ms),
          atTime(50_000, 'person retries'),
        ]),
      ),
    ),
    sees: ['I2', 'I3', 'I7', 'I8'],
  },
  {
    name: 'both rules that keep a late outcome from taking the place of a journal: time, and the test that there is none',
    identity: 'tag',
    way: 'ensure',
    seams: {
      client: dropTestsIn('rewrite', /^\/(status|metadata\/(annotations|resourceVersion))/),
      host: blindIn('writeOutcome'),
    },
    life: { replicas: 2, joinAfter: 1_000 },
    lives: range(5, 10).flatMap((effect) =>
      range(3, 7).map((wipe) => [
        atEffect(wipe, 'status wiped'),
        atEffect(effect, 'pause', 60_000),
        atTime(1_500, 'spec change'),
        atTime(40_000, 'spec change'),
      ]),
    ),
    sees: ['I5', 'I6', 'I8'],
  },
  {
    name: 'leaving a journal lost after a try that may have been carried out, or when others may have begun',
    identity: 'tag',
    way: 'ensure',
    seams: {
      client: (own) => forgettingTries(undated(own)),
      host: (own) => trustingTokens(blindIn('writeOutcome')(own)),
    },
    life: { replicas: 2, joinAfter: 1_000 },
    lives: range(5, 10).flatMap((effect) =>
      [59_500, 59_900, 59_990].map((wipe) => [
        atEffect(effect, 'answer lost'),
        atEffect(effect, 'pause', 60_000),
        atTime(10_000, 'unhandled'),
        atTime(20_000, 'asked again'),
        atTime(wipe, 'mirror wiped'),
        atTime(wipe + 1, 'status wiped'),
      ]),
    ),
    sees: ['I1', 'I2', 'I3', 'I7', 'I8'],
  },
  {
    name: 'waiting for a process that may know more than a missing entry',
    identity: 'tag',
    way: 'ensure',
    seams: { host: hasty },
    life: { replicas: 2, joinAfter: 1_500 },
    lives: [400, 700, 1_300].map((ms) => [
      atCall(0, 'call slow', 1_000),
      atCall(1, 'call slow', 2_500),
      atTime(ms, 'mirror wiped'),
      atTime(ms + 1, 'status wiped'),
    ]),
    sees: ['I1', 'I6'],
  },
  {
    name: 'the look at the clock when a signal is asked',
    identity: 'name',
    seams: { signal: followed },
    life: { replicas: 2, joinAfter: 6_000 },
    lives: range(8, 24).map((effect) => [atTime(5_000, 'delete'), atEffect(effect, 'pause', 60_000)]),
    sees: ['I6'],
  },
  {
    name: 'the look at the clock before the call',
    identity: 'name',
    seams: { host: blindIn('attemptResultOf') },
    life: { replicas: 2, traits: { ignoresSignal: true } },
    lives: upTo(24).map((effect) => [atEffect(effect, 'pause', 60_000)]),
    sees: ['I6'],
  },
  {
    name: 'the test of the deletion in the intent',
    identity: 'name',
    seams: { client: dropTestsIn('intent', /deletionTimestamp/) },
    lives: range(7, 14).map((effect) => [
      atTime(4_000, 'etcd backed up'),
      atTime(5_000, 'spec change'),
      atEffect(effect, 'request late', 500),
      atEffect(effect, 'crash after'),
      atTime(5_200, 'etcd restored'),
      atTime(5_210, 'delete'),
    ]),
    sees: ['I4'],
  },
  {
    name: 'the test of late ids in the outcome',
    identity: 'opaque',
    way: 'ensure',
    seams: { client: dropTestsIn('outcome', /late$/) },
    life: { replicas: 2, joinAfter: 1_000 },
    lives: range(0, 19).map((n) => [
      atEffect(5, 'pause', 59_850 + 20 * n),
      atTime(50_000, 'person retries'),
      atTime(60_000, 'delete'),
      atCall(2, 'call slow', 300),
    ]),
    sees: ['I3'],
  },
  {
    name: 'the second lease for which another holder is left alone',
    identity: 'name',
    seams: { host: withoutLease },
    life: { replicas: 2, joinAfter: 500 },
    lives: range(18, 27).map((effect) => [
      atTime(5_000, 'delete'),
      atCall(1, 'call slow', 2_950),
      atCall(2, 'call stalls', 9_950),
      atCall(2, 'call late', 3_990),
      atEffect(effect, 'crash before'),
    ]),
    sees: ['I6'],
  },
  {
    name: 'the test of the entry as read in the intent',
    identity: 'name',
    seams: { client: dropTestsIn('intent', /^\/status\/guards/) },
    life: { replicas: 2 },
    lives: [[atTime(5_000, 'spec change')]],
    sees: ['I6'],
  },
  {
    name: 'that a change with an unknown outcome is made good, whatever fails after it',
    identity: 'name',
    way: 'ensure',
    seams: { client: trusting },
    lives: [12_000, 12_400, 12_800].map((ms) => [
      atTime(5_000, 'spec change'),
      atCall(1, 'call answer lost'),
      ...range(2, 12).map((call) => atCall(call, 'call refused')),
      atTime(ms, 'spec put back'),
    ]),
    sees: ['I7'],
  },
  {
    name: 'that what a search finds is looked at once more',
    identity: 'tag',
    way: 'ensure',
    seams: { client: credulous },
    lives: range(14, 22).map((effect) => [
      ...range(0, 24).map((n) => atCall(n, 'call stale', 1_000)),
      atTime(5_000, 'unhandled'),
      atTime(5_300, 'asked again'),
      atEffect(effect, 'status wiped'),
    ]),
    sees: ['I7'],
  },
  ...sharedMutants,
  ...recordMutants,
  ...trustMutants,
];

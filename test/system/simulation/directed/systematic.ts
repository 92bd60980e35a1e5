/** Directed schedules that enumerate faults at every effect, alone and in threes. */

import { compatible } from '../faults/adversaries.ts';
import {
  callFaults,
  directedFaults,
  directedTenantFaults,
  type Fault,
  processFaults,
  requestFaults,
  tenantFaults,
  worldFaults,
} from '../faults/faults.ts';
import { wholeLife } from '../lives/sweep.ts';
import { bounds } from '../protocols/protocol.ts';
import { atCall, atEffect, atTime, range, type Scenario } from './schedule.ts';

/** A pause longer than lease and quarantine, ms. */
const long = 45_000;

const msOf = (kind: Fault['kind']): number => (kind === 'pause' ? long : bounds.late - 100);

/** Every fault at every effect of create, update, delete. */
export const everyFault: Scenario = {
  name: 'every-fault-at-every-effect',
  about:
    'Create, update, delete, with each fault at each effect in turn, alone and with a second replica that takes over.',
  schedules: ({ slots }) =>
    [1, 2].flatMap((replicas) =>
      [...requestFaults, ...callFaults, ...processFaults, ...worldFaults].flatMap((kind) =>
        range(0, slots === undefined ? 34 : 60).map((effect) => ({
          replicas,
          horizon: 240_000,
          faults: [...wholeLife.faults, atEffect(effect, kind, msOf(kind))],
        })),
      ),
    ),
};

/** A restore of etcd is not an act of a pair: it needs a third one that is lost by it, and has scenarios of its own. Neither is a wrong answer. */
const acts = [...worldFaults, ...directedFaults, ...tenantFaults, ...directedTenantFaults].filter(
  (kind) => !kind.startsWith('etcd') && kind !== 'person retries',
);

type Act = (typeof acts)[number];

/** ms of an act: the moment to which a status is put back is in the middle of the first attempt. */
const momentOf = (kind: Act): number => (kind.endsWith('put back') ? 100 : 0);

/** Every two acts of users, administrators, tenants and backups, one after the other. */
export const pairsOfActs: Scenario = {
  name: 'pairs-of-acts',
  about:
    'Every two acts of users, administrators, tenants and backups, at once, in the middle of what the first one causes, and after it; the first answer of the third party arrives or not.',
  schedules: () =>
    acts.flatMap((first) =>
      acts.flatMap((second) =>
        [0, 60, 20_000]
          .map((gap) => [atTime(5_000, first, momentOf(first)), atTime(5_000 + gap, second, momentOf(second))])
          .filter((pair) => compatible(pair).length === pair.length)
          .flatMap((pair) => [pair, [atCall(0, 'call answer lost'), ...pair]])
          .map((faults) => ({ horizon: 240_000, faults })),
      ),
    ),
};

/** Faults for an effect of any kind, such as the lost answer of a request or of a call. */
type Trouble = (effect: number) => readonly Fault[];

const lost: Trouble = (effect) => [atEffect(effect, 'answer lost'), atEffect(effect, 'call answer lost')];
const late: Trouble = (effect) =>
  (['request late', 'call late'] as const).map((kind) => atEffect(effect, kind, msOf(kind)));
const pause: Trouble = (effect) => [atEffect(effect, 'pause', long)];
const crash: Trouble = (effect) => [atEffect(effect, 'crash after')];
const wiped: Trouble = (effect) => [atEffect(effect, 'status wiped')];

const firsts = [pause, crash, lost];
const seconds = [wiped, late, pause];
const thirds = [crash, wiped, lost];

/** Attempts of a life with one replica: their first effect, the acts of users, and the time at which a second replica starts. */
const attempts = [
  { from: 3, faults: [], joinAfter: 1_000 },
  { from: 9, faults: [atTime(2_000, 'spec change')], joinAfter: 3_000 },
  { from: 9, faults: [atTime(2_000, 'delete')], joinAfter: 3_000 },
];

/** Three faults within one attempt. */
export const triples: Scenario = {
  name: 'triples-in-one-attempt',
  about: 'Three faults within one attempt to create, change or delete, at each three of its effects.',
  schedules: () =>
    attempts.flatMap(({ from, faults, joinAfter }) =>
      range(from, from + 3).flatMap((i) =>
        range(i + 1, i + 4).flatMap((j) =>
          range(j + 1, j + 4).flatMap((k) =>
            firsts.flatMap((first) =>
              seconds.flatMap((second) =>
                thirds.map((third) => ({
                  replicas: 2,
                  joinAfter,
                  faults: [...faults, ...first(i), ...second(j), ...third(k)],
                })),
              ),
            ),
          ),
        ),
      ),
    ),
};

/** Directed schedules in which data is lost, stale or no longer requested. */

import { bounds } from '../protocols/protocol.ts';
import { atCall, atEffect, atTime, range, type Scenario } from './schedule.ts';

/** The secret of a created thing cannot be kept: its Secret's name is taken, or requests for Secrets fail. */
export const secretNotKept: Scenario = {
  name: 'secret-not-kept',
  about: 'A creation answers a secret, and the Secret’s name is taken or Secrets are refused for a while.',
  schedules: ({ name }) =>
    name === 'guard'
      ? []
      : [
          { traits: { secrets: true }, faults: [] },
          { traits: { secrets: true }, faults: [atTime(0, 'secret’s name taken')] },
          { traits: { secrets: true }, faults: [atTime(0, 'secret’s name taken'), atTime(60_000, 'delete')] },
          ...(['refused 400', 'refused 403', 'refused 422', 'unavailable 503'] as const).flatMap((kind) =>
            [2_000, 20_000, 90_000].flatMap((ms) =>
              [[], [atTime(30_000, 'delete')]].map((more) => ({
                traits: { secrets: true },
                faults: [{ on: 'write', at: 0, kind, ms, write: 'secret' } as const, ...more],
              })),
            ),
          ),
          ...range(3, 14).flatMap((at) => [
            { traits: { secrets: true }, faults: [atEffect(at, 'crash after')] },
            { traits: { secrets: true }, faults: [atEffect(at, 'answer lost'), atEffect(at, 'call answer lost')] },
          ]),
        ],
};

/** Faults that remove the request at 5 000 ms and restore it `ms` later. */
const unaskedFor = (ms: number) => [atTime(5_000, 'unhandled'), atTime(5_000 + ms, 'asked again')];

const stale = (ms: number) => range(0, 24).map((call) => atCall(call, 'call stale', ms));
const lags = [0.25, 0.5, 0.95].map((share) => share * bounds.listLag);

/** Drift is checked right after creation and at an interval. */
const looked = { driftInterval: 20_000 };

/** Reads at the third party are as stale as they may be. */
export const staleReads: Scenario = {
  name: 'stale-reads',
  about:
    'All that is read at the third party is late by less than listLagMs: with a fault, a take-over, or looks for drift.',
  schedules: () =>
    lags.flatMap((ms) => [
      { faults: stale(ms) },
      { traits: looked, faults: stale(ms) },
      { traits: { readyAfter: 1_000 }, faults: stale(ms) },
      { traits: looked, faults: [...stale(ms), atTime(500, 'spec change'), atTime(1_000, 'spec change')] },
      ...range(3, 16).flatMap((effect) =>
        (['crash after', 'call answer lost', 'status wiped', 'delete', 'spec change'] as const).flatMap((kind) => [
          { faults: [...stale(ms), atEffect(effect, kind)] },
          { traits: looked, faults: [...stale(ms), atEffect(effect, kind)] },
        ]),
      ),
      ...range(3, 10).map((effect) => ({ replicas: 2, faults: [...stale(ms), atEffect(effect, 'pause', 40_000)] })),
      ...[60, 300].flatMap((gap) =>
        range(8, 24).flatMap((effect) =>
          (['crash after', 'call answer lost', 'call lost', 'status wiped'] as const).map((kind) => ({
            faults: [...stale(ms), ...unaskedFor(gap), atEffect(effect, kind)],
          })),
        ),
      ),
    ]),
};

/** A thing is no longer requested, and then requested again. */
export const askedAgain: Scenario = {
  name: 'asked-again',
  about: 'A thing is not asked for any more and later again, around a crash or a lost answer at every effect.',
  schedules: () =>
    [20, 60, 120, 300, 5_000, 40_000].flatMap((ms) => [
      { faults: unaskedFor(ms), expects: { journal: true } },
      { faults: [...unaskedFor(ms), atTime(5_000 + ms / 2, 'status wiped')] },
      ...range(8, 24).flatMap((effect) =>
        (['crash before', 'crash after', 'call answer lost', 'answer lost'] as const).map((kind) => ({
          faults: [...unaskedFor(ms), atEffect(effect, kind)],
          expects: { journal: true },
        })),
      ),
    ]),
};

/** An update is lost, and the spec is reverted to its former value. */
export const putBackSpec: Scenario = {
  name: 'spec-put-back',
  about: 'A change is lost, refused, late, or its process dies, and the spec is put back to what it was.',
  schedules: () =>
    range(8, 24).flatMap((effect) =>
      (
        ['call answer lost', 'call lost', 'call late', 'crash after', 'crash before', 'pause', 'answer lost'] as const
      ).flatMap((kind) =>
        [50, 150, 3_000, 20_000].map((ms) => ({
          faults: [
            atTime(5_000, 'spec change'),
            atEffect(effect, kind, kind === 'pause' ? 40_000 : bounds.late - 100),
            atTime(5_000 + ms, 'spec put back'),
          ],
        })),
      ),
    ),
};

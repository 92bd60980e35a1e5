import test from 'ava';
import { protocolNamed } from '../cli/options.ts';
import { textOfFault } from '../faults/faults.ts';
import { isFailure, live } from '../lives/life.ts';
import { lifeOf } from '../lives/lives.ts';
import { createArena } from '../processes/arena.ts';
import { type Identity, identities } from '../protocols/guarded.ts';
import { scenarioNamed, scenarios } from './scenarios.ts';

const arena = await createArena();

/** Schedules that duplicated, leaked, stalled silently, did not end or changed foreign things before the protocol or its simulation was fixed. */
const holes: readonly (readonly [string, string, Identity, number])[] = [
  ['pause-takeover-wipe', 'ensure', 'tag', 312],
  ['pause-takeover-wipe', 'things', 'opaque', 130],
  ['pause-takeover-wipe', 'guard', 'key', 936],
  ['secret-not-kept', 'ensure', 'tag', 1],
  ['secret-not-kept', 'things', 'opaque', 1],
  ['stale-reads', 'ensure', 'tag', 1],
  ...[263, 267, 551, 555, 839, 843].map((number) => ['stale-reads', 'ensure', 'tag', number] as const),
  ['stale-reads', 'guard', 'name', 179],
  ['stale-reads', 'guard', 'tag', 152],
  ['asked-again', 'ensure', 'tag', 77],
  ['asked-again', 'things', 'opaque', 43],
  ['asked-again', 'guard', 'key', 211],
  ['asked-again', 'sequencer', 'name', 210],
  ['spec-put-back', 'ensure', 'tag', 12],
  ['status-put-back', 'things', 'tag', 16],
  ['put-back-in-flight', 'ensure', 'opaque', 904],
  ['put-back-in-flight', 'ensure', 'tag', 869],
  ['status-and-mirror-put-back', 'ensure', 'tag', 5],
  ['answer-left-behind', 'ensure', 'opaque', 1],
  ['answer-left-behind', 'ensure', 'opaque', 6],
  ['journal-wiped', 'ensure', 'tag', 0],
  ['condition-renamed', 'sequencer', 'tag', 0],
  ['claim-removed', 'ensure', 'name', 4],
  ['claim-removed', 'ensure', 'opaque', 28],
  ['write-refused', 'ensure', 'tag', 19],
  ['forged', 'ensure', 'tag', 3],
  ['copied', 'ensure', 'tag', 20],
  ['restored', 'ensure', 'tag', 12],
  ['restored', 'guard', 'tag', 3],
  ['triples-in-one-attempt', 'ensure', 'tag', 351],
];

type Named = (typeof holes)[number];

/** @returns the failures of one schedule in words; empty if there are none */
async function wrongIn([name, way, identity, number]: Named): Promise<readonly string[]> {
  const [scenario, protocol] = [scenarioNamed(name), protocolNamed(way)];
  const life = lifeOf({ arena, seed: '1', identity, protocol, lives: 1, scenario }, number);
  const verdict = await live(life);
  if (!isFailure(verdict)) return [];
  const replay = `npm run simulate -- --scenario ${name} --protocol ${way} --identity ${identity} --life ${number} --trace`;
  return [replay, ...life.faults.map(textOfFault), ...verdict.violations.map(({ id, text }) => `${id} ${text}`)];
}

for (const [scenario, way, identity, number] of holes)
  test.serial(`${scenario}, ${way}, ${identity}: schedule ${number}, which was a hole, is none any more`, async (t) => {
    t.deepEqual(await wrongIn([scenario, way, identity, number]), []);
  });

const ways = ['ensure', 'guard', 'things', 'sequencer'];
const sampled = 8;

for (const { name, about, schedules } of scenarios)
  test.serial(`${name}: ${about} (${sampled} of all schedules, each way and identity in turn)`, async (t) => {
    for (let index = 0; index < sampled; index += 1) {
      const [way, identity] = [ways[index % ways.length]!, identities[Math.floor(index / 2) % identities.length]!];
      const { length } = schedules(protocolNamed(way), identity);
      if (length > 0) t.deepEqual(await wrongIn([name, way, identity, Math.floor((index * length) / sampled)]), []);
    }
  });

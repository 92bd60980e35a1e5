import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { randomFrom } from '../../cluster/apimachinery/seeded-random.ts';
import { families } from './families.ts';
import type { Answer } from './runner/ask.ts';
import { keptText } from './runner/kept.ts';
import { linesOf, noting, readRecording, replaying } from './runner/recorded.ts';
import { reportOf } from './runner/report.ts';
import { type Outcome, type Respondent, respondent, run } from './runner/run.ts';
import type { Scenario } from './runner/scenario.ts';
import { startOurs, startTheirs } from './runner/servers.ts';
import { isOneOf, type Summaries, summaryOf } from './runner/summary.ts';

const { values } = parseArgs({
  options: {
    family: { type: 'string', default: 'kinds' },
    /** Seed of generated scenarios. */
    seed: { type: 'string' },
    /** Duration of generated scenarios, in seconds. */
    seconds: { type: 'string', default: '0' },
    /** Regular expression for the names of scenarios to run. */
    only: { type: 'string', default: '' },
    /** Number of printed examples of each cause. */
    examples: { type: 'string', default: '1' },
    /** File in which the real server's answers are recorded. */
    record: { type: 'string' },
    /** File for summaries of equal answers, of one scenario in this many: see `kept.ts`. */
    keep: { type: 'string' },
    share: { type: 'string', default: '6' },
    /** Recorded answers to use instead of the real server. */
    against: { type: 'string' },
  },
});
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const duration = Number(values.seconds) * 1000;
const family = await families[values.family]?.();
if (family === undefined) throw new Error(`there is no family "${values.family}": ${Object.keys(families).join(', ')}`);
const pattern = new RegExp(values.only);
const chosen = [...family.fixed()].filter(({ name }) => pattern.test(name));

const kept = new Map<string, Answer[]>();
const ours = await startOurs(family);
const recording = values.against === undefined ? undefined : await readRecording(values.against);
const theirs = recording === undefined ? await startTheirs(family) : undefined;
const real = async (scenario: Scenario): Promise<Respondent> =>
  recording === undefined
    ? noting(await respondent(theirs!.peer, scenario), scenario, kept)
    : replaying(recording, scenario);
const both = { ours: (scenario: Scenario) => respondent(ours.peer, scenario), theirs: real, manner: family };

/** Summaries of scenarios answered alike: all life cycles, and a share of the others. */
function alike({ findings }: Outcome): Summaries {
  const different = new Set(findings.map(({ scenario }) => scenario));
  const some = chosen.filter(
    (one) => !different.has(one.name) && (one.name.endsWith('life') || isOneOf(Number(values.share), one)),
  );
  const answersOf = ({ name }: Scenario) => recording?.get(name) ?? kept.get(name) ?? [];
  return Object.fromEntries(some.map((one) => [one.name, summaryOf(one, answersOf(one), family!)]));
}

try {
  const outcome = await run(chosen, both);
  console.log(reportOf(outcome, Number(values.examples)));
  if (values.keep !== undefined) writeFileSync(values.keep, keptText(alike(outcome)));
  if (values.record !== undefined) writeFileSync(values.record, linesOf(kept));
  if (duration > 0 && family.generated !== undefined) {
    const made = family.generated(randomFrom(seed));
    const more = await run(made, { ...both, deadline: performance.now() + duration });
    console.log(`\nby chance, with --seed ${seed}:\n${reportOf(more, Number(values.examples))}`);
  }
} finally {
  await ours.close();
  await theirs?.close();
}

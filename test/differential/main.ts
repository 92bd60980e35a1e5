import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { randomFrom } from '../cluster/seeded-random.ts';
import type { Answer } from './ask.ts';
import { families } from './families.ts';
import { keptText } from './kept.ts';
import { linesOf, noting, readRecording, replaying } from './recorded.ts';
import { reportOf } from './report.ts';
import { type Outcome, type Respondent, respondent, run } from './run.ts';
import type { Scenario } from './scenario.ts';
import { startOurs, startTheirs } from './servers.ts';
import { isOneOf, type Summaries, summaryOf } from './summary.ts';

const { values } = parseArgs({
  options: {
    family: { type: 'string', default: 'kinds' },
    /** For scenarios that are made by chance. */
    seed: { type: 'string' },
    /** How long these go on. */
    seconds: { type: 'string', default: '0' },
    /** Which scenarios, by a regular expression for their names. */
    only: { type: 'string', default: '' },
    /** How many examples of each cause are printed. */
    examples: { type: 'string', default: '1' },
    /** Where the real server's answers are kept. */
    record: { type: 'string' },
    /** Where summaries of what both answer alike go, of one in this many: see `kept.ts`. */
    keep: { type: 'string' },
    share: { type: 'string', default: '6' },
    /** Answers that were recorded take the place of the real server. */
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

/** What was answered alike, of all lives and of a share of the rest. */
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

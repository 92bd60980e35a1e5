import { optionsOf, protocolNamed, type SimulationOptions, usage } from './cli/options.ts';
import { coverageTable, outcomeTable, strikeTable } from './cli/report.ts';
import { dealt, directed, gathered, liveShares, livesOf, type Share } from './cli/shares.ts';
import { textOfFault } from './faults/faults.ts';
import { isFailure, live, type Verdict } from './lives/life.ts';
import { type LivesOptions, lifeOf, type Tally } from './lives/lives.ts';
import { shrink } from './lives/shrink.ts';
import { createArena } from './processes/arena.ts';

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const progress = (text: string): void => void (process.stderr.isTTY && process.stderr.write(`\r${text}\x1b[K`));

const textOf = ({ outcome, duplicates, leaks, violations }: Verdict): string =>
  [
    `${outcome}, ${duplicates} duplicates, ${leaks} leaks`,
    ...violations.map(({ id, at, text }) => `  ${id} at ${Math.round(at)} ms: ${text}`),
  ].join('\n');

const replayOf = (lives: LivesOptions, { rates }: SimulationOptions, number: number): string =>
  [
    `npm run simulate -- --seed ${lives.seed} --identity ${lives.identity} --protocol ${lives.protocol?.name} --life ${number} --trace`,
    ...(lives.scenario === undefined
      ? Object.entries(rates).map(([name, rate]) => `--${name} ${rate}`)
      : [`--scenario ${lives.scenario.name}`]),
  ].join(' ');

/** Prints a failed life: how to reproduce it, and a minimal set of faults that makes it fail. */
async function explain(lives: LivesOptions, options: SimulationOptions, number: number): Promise<void> {
  const life = lifeOf(lives, number);
  const verdict = await live(life);
  const needed = await shrink(life.faults, verdict.struck, async (faults) =>
    isFailure(await live({ ...life, faults })),
  );
  const least = await live({ ...life, faults: needed });
  print(`\nlife ${number} fails: ${textOf(verdict)}\nreplay it: ${replayOf(lives, options, number)}`);
  print(`it takes no more than:\n${needed.map((fault) => `  ${textOfFault(fault)}`).join('\n')}`);
  print(least.trace.map((line) => `  ${line}`).join('\n'));
}

/** Runs one life and prints its whole trace. */
async function tell(lives: LivesOptions, { trace }: SimulationOptions, number: number): Promise<boolean> {
  const verdict = await live(lifeOf(lives, number));
  print(`\n${lives.protocol?.name}, ${lives.identity}, life ${number}: ${textOf(verdict)}`);
  print(`what struck:\n${verdict.struck.map((fault) => `  ${textOfFault(fault)}`).join('\n')}`);
  if (trace) print(verdict.trace.join('\n'));
  return isFailure(verdict);
}

const sharesOf = (options: SimulationOptions): readonly Share[] => {
  const { index, count } = options.part;
  const all = options.scenarios === undefined ? dealt(options) : directed(options.scenarios, options);
  return all.filter((_, number) => number % count === index - 1);
};

/** Runs all lives and explains the first failure of each kind. */
async function many(options: SimulationOptions): Promise<readonly Tally[]> {
  const shares = sharesOf(options);
  const tallies = gathered(await liveShares(shares, (done) => progress(`${done} of ${shares.length}`), options.jobs));
  progress('');
  const arena = await createArena();
  for (const { failed, ...tally } of tallies) {
    const lives = livesOf(arena, { ...options, ...tally, from: 0 });
    if (lives.protocol?.guarded && failed[0] !== undefined) await explain(lives, options, failed[0]);
  }
  return tallies;
}

/** Runs lives one after the other until one fails, and explains that one. @returns whether one failed */
async function untilFirst(options: SimulationOptions): Promise<boolean> {
  const arena = await createArena();
  let done = 0;
  for (const share of sharesOf(options)) {
    const lives = livesOf(arena, share);
    for (let number = share.from; number < share.from + share.lives; number += 1) {
      done += 1;
      if (!lives.protocol?.guarded || !isFailure(await live(lifeOf(lives, number)))) continue;
      print(`${done} lives until one failed`);
      await explain(lives, options, number);
      return true;
    }
  }
  print(`none of ${done} lives failed`);
  return false;
}

/** Runs one numbered life of each protocol and identity with its trace. @returns whether one failed */
async function one(options: SimulationOptions, number: number): Promise<boolean> {
  const arena = await createArena();
  let failed = false;
  for (const scenario of options.scenarios ?? [undefined])
    for (const protocol of options.protocols)
      for (const identity of options.identities)
        failed = (await tell({ arena, ...options, identity, protocol, scenario }, options, number)) || failed;
  return failed;
}

async function main(args: readonly string[]): Promise<boolean> {
  if (args.includes('--help')) {
    print(usage);
    return false;
  }
  const options = optionsOf(args);
  if (options.life !== undefined) return one(options, options.life);
  if (options.first) return untilFirst(options);
  const tallies = await many(options);
  print(`\n${outcomeTable(tallies)}\n\n${strikeTable(tallies)}\n\n${coverageTable(tallies)}`);
  return tallies.some(({ failed, protocol }) => failed.length > 0 && protocolNamed(protocol).guarded);
}

try {
  process.exitCode = (await main(process.argv.slice(2))) ? 1 : 0;
} catch (error) {
  process.stderr.write(`${error instanceof TypeError ? error.message : (error as Error).stack}\n\n${usage}\n`);
  process.exitCode = 2;
}

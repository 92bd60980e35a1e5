import { createArena } from './arena.ts';
import { textOfFault } from './faults.ts';
import { isFailure, live, type Verdict } from './life.ts';
import { type LivesOptions, lifeOf, type Tally } from './lives.ts';
import { optionsOf, protocolNamed, type SimulationOptions, usage } from './options.ts';
import { outcomeTable, strikeTable } from './report.ts';
import { dealt, gathered, liveShares } from './shares.ts';
import { shrink } from './shrink.ts';

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const progress = (text: string): void => void (process.stderr.isTTY && process.stderr.write(`\r${text}\x1b[K`));

const textOf = ({ outcome, duplicates, leaks, violations }: Verdict): string =>
  [
    `${outcome}, ${duplicates} duplicates, ${leaks} leaks`,
    ...violations.map(({ id, at, text }) => `  ${id} at ${Math.round(at)} ms: ${text}`),
  ].join('\n');

const replayOf = ({ seed, identity, protocol }: LivesOptions, { rates }: SimulationOptions, number: number): string =>
  [
    `npm run simulate -- --seed ${seed} --identity ${identity} --protocol ${protocol?.name} --life ${number} --trace`,
    ...Object.entries(rates).map(([name, rate]) => `--${name} ${rate}`),
  ].join(' ');

/** Prints a failed life: how to see it again, and the least that has to go wrong for it to fail. */
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

/** One life, told in full. */
async function tell(lives: LivesOptions, { trace }: SimulationOptions, number: number): Promise<boolean> {
  const verdict = await live(lifeOf(lives, number));
  print(`\n${lives.protocol?.name}, ${lives.identity}, life ${number}: ${textOf(verdict)}`);
  print(`what struck:\n${verdict.struck.map((fault) => `  ${textOfFault(fault)}`).join('\n')}`);
  if (trace) print(verdict.trace.join('\n'));
  return isFailure(verdict);
}

/** Lives them all, and explains the first life of each kind that failed. */
async function many(options: SimulationOptions): Promise<readonly Tally[]> {
  const { index, count } = options.part;
  const shares = dealt(options).filter((_, number) => number % count === index - 1);
  const tallies = gathered(await liveShares(shares, (done) => progress(`${done} of ${shares.length}`), options.jobs));
  progress('');
  const arena = await createArena();
  for (const { protocol: name, identity, failed } of tallies) {
    const protocol = protocolNamed(name);
    if (protocol.guarded && failed[0] !== undefined)
      await explain({ arena, ...options, identity, protocol }, options, failed[0]);
  }
  return tallies;
}

async function main(args: readonly string[]): Promise<boolean> {
  if (args.includes('--help')) {
    print(usage);
    return false;
  }
  const options = optionsOf(args);
  if (options.life !== undefined) {
    const { life } = options;
    const arena = await createArena();
    let failed = false;
    for (const protocol of options.protocols)
      for (const identity of options.identities)
        failed = (await tell({ arena, ...options, identity, protocol }, options, life)) || failed;
    return failed;
  }
  const tallies = await many(options);
  print(`\n${outcomeTable(tallies)}\n\n${strikeTable(tallies)}`);
  return tallies.some(({ failed, protocol }) => failed.length > 0 && protocolNamed(protocol).guarded);
}

try {
  process.exitCode = (await main(process.argv.slice(2))) ? 1 : 0;
} catch (error) {
  process.stderr.write(`${error instanceof TypeError ? error.message : (error as Error).stack}\n\n${usage}\n`);
  process.exitCode = 2;
}

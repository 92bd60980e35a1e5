// Builds the programs in other languages into the user's cache unless present: `npx node test/system/clients/build.ts [NAME...]`.
import { spawn } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { isBuildable, isBuilt, outputOf, type Recipe, recipes, type Step, sourcesOf } from './recipes.ts';

const maxStepMs = 20 * 60_000;

const seconds = (since: number): string => `${Math.round((performance.now() - since) / 1000)} s`;

/** Runs a step; rejects when it fails, with its messages on stderr by then. */
function carryOut({ command, args }: Step, cwd: string, output: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args(output), { cwd, stdio: ['ignore', 'inherit', 'inherit'], timeout: maxStepMs });
    child.on('error', (cause) => reject(new Error(`${command} does not start`, { cause })));
    child.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args(output).slice(0, 2).join(' ')} … ended with ${code ?? signal}`));
    });
  });
}

/** Builds a recipe and publishes the result at once, so that an interrupted build is never taken for a complete one. */
async function build(recipe: Recipe): Promise<void> {
  const output = outputOf(recipe);
  const unfinished = `${output}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    for (const step of recipe.steps) await carryOut(step, sourcesOf(recipe), unfinished);
    if (!isBuilt(recipe)) renameSync(unfinished, output);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

const wanted = process.argv.slice(2);
for (const recipe of recipes) {
  const { name, needs, onDemand = false } = recipe;
  if (wanted.length > 0 ? !wanted.includes(name) : onDemand) continue;
  const started = performance.now();
  if (!isBuildable(recipe)) console.log(`${name}: skipped, there is no ${needs} on the PATH`);
  else if (isBuilt(recipe)) console.log(`${name}: ${outputOf(recipe)}`);
  else {
    console.log(`${name}: building`);
    await build(recipe);
    console.log(`${name}: built in ${seconds(started)}`);
  }
}

// Runs the test kit under Vitest in a new project: the example plug-in passes, and a flawed one fails.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Project that the kit is installed in. */
export interface Stranger {
  /** Folder with the package in its node_modules; Vitest is installed there. */
  readonly project: string;
  readonly repository: string;
  run(folder: string, command: string, ...args: readonly string[]): void;
}

/** Fields of Vitest's JSON report that are read. */
interface Report {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly failureMessages: readonly string[] }[];
  }[];
}

/** Throws unless a condition holds. */
function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(`Vitest: ${otherwise}`);
}

/** Installs Vitest and tests two plug-ins with it; throws when the report is not the expected one. */
export function proveWithVitest({ project, repository, run }: Stranger): void {
  run(project, 'npm', 'install', '--no-audit', '--no-fund', 'vitest@5');
  const example = (name: string): string => readFileSync(join(repository, 'examples/short-links', name), 'utf8');
  const test = example('short-links.test.ts').replace("'node:test'", "'vitest'");
  const blind = test.replace('service.links()', 'service.links().slice(1)');
  expect(test.includes("'vitest'") && blind !== test, 'the example is not what it was, see .ci/vitest.ts');
  for (const [folder, text] of [
    ['right', test],
    ['wrong', blind],
  ] as const) {
    mkdirSync(join(project, folder));
    for (const name of ['server.ts', 'short-links.ts']) writeFileSync(join(project, folder, name), example(name));
    writeFileSync(join(project, folder, 'short-links.test.ts'), text);
  }

  const reportOf = (folder: string): Report => {
    const file = join(project, `${folder}.json`);
    const args = ['run', `${folder}/`, '--testTimeout=60000', '--reporter=json', `--outputFile=${file}`];
    const vitest = [join(project, 'node_modules/vitest/vitest.mjs'), ...args];
    const options = { cwd: project, timeout: 3 * 60_000, encoding: 'utf8' } as const;
    const { error, stdout, stderr } = spawnSync(join(repository, 'node_modules/.bin/node'), vitest, options);
    expect(error === undefined, `${error?.message}\n${stdout}${stderr}`);
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  };
  const right = reportOf('right');
  expect(right.numFailedTests === 0, `the example fails ${JSON.stringify(right.testResults, undefined, 2)}`);
  expect(right.numPassedTests === 28 && right.numPendingTests === 5, `${right.numPassedTests} passed, not 28 of 33`);
  const said = reportOf('wrong').testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ failureMessages }) => failureMessages),
  );
  const words = 'Completed, but nothing exists at the third party';
  expect(
    said.some((message) => message.includes(words)),
    `not told that ${words}: ${said.join('\n')}`,
  );
  console.log(
    `Vitest: ${right.numPassedTests} cases proved, ${right.numPendingTests} skipped; ${said.length} told of a wrong one`,
  );
}

/** Names the test files that failed in a run of AVA, of which its output has titles only: `npx node .ci/failed-files.ts LOG`. */

import { globSync, readFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

/** What AVA puts between the parts of a title. */
const separator = ' › ';
const failure = /^ *✘ \[fail\]: (.*)$/;
/** Files of `npm test` that stand for others: their titles continue with the name of the file. */
const worker = /^(?:\S+ › )*workers › [a-z-]+ › /;

/** AVA leaves this out of names of files, a worker of `npm test` does not. */
const withoutTest = (part: string): string => part.replace('test-', '');

/** Returns the parts that AVA makes of a test file's path: without `.test`, `test-` and the extension. */
const partsOf = (file: string): string[] => {
  const folders = file.split('/');
  const name = folders.pop()!;
  return [...folders, name.replace('.test.', '.').replace(/\.ts$/, '')].map(withoutTest);
};

/** Returns the number of the title's leading parts that end the file's path; 0 where they do not. */
function shared(title: readonly string[], file: readonly string[]): number {
  const ends = (count: number) => title.slice(0, count).every((part, at) => part === file.at(at - count));
  const most = Math.min(title.length - 1, file.length);
  for (let count = most; count > 0; count -= 1) if (ends(count)) return count;
  return 0;
}

/** Returns those of the files whose path a failed title begins with, without the folders that all files of a run share. */
function filesOf(title: string, files: readonly string[]): readonly string[] {
  const parts = title.replace(worker, '').split(separator).map(withoutTest);
  const found = files.map((file) => ({ file, count: shared(parts, partsOf(file)) }));
  const most = Math.max(0, ...found.map(({ count }) => count));
  return most === 0 ? [] : found.filter(({ count }) => count === most).map(({ file }) => file);
}

/**
 * Returns the test files, of those given, that hold the tests which an output of AVA says have failed, sorted. Titles name files as AVA does, or as
 * `npm test` does: a file of `workers`, then the file's path. Throws for a title that names none of them.
 */
export function failedFiles(output: string, files: readonly string[]): readonly string[] {
  const titles = output.split('\n').flatMap((line) => failure.exec(line)?.[1] ?? []);
  const found = titles.flatMap((title) => {
    const of = filesOf(title, files);
    if (of.length === 0) throw new Error(`no test file is named by: ${title}`);
    return of;
  });
  return [...new Set(found)].sort();
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const files = globSync('test/**/*.{test,real}.ts');
  for (const file of failedFiles(readFileSync(argv[2]!, 'utf8'), files)) console.log(file);
}

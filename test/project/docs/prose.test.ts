import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { untold } from '../architecture/comments.ts';

const root = join(import.meta.dirname, '../../..');
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/**/*.md', { cwd: root }).sort()];
const maxLineLength = 300;
const maxWords = 40;

interface Line {
  readonly text: string;
  /** Page and number, such as `docs/guard.md:12`. */
  readonly place: string;
}

const linesOf = (page: string): readonly Line[] =>
  readFileSync(join(root, page), 'utf8')
    .split('\n')
    .map((text, index) => ({ text, place: `${page}:${index + 1}` }));

const lines = pages.flatMap(linesOf);

/** Lines of the pages beside the code that they are about, and of the list of changes. */
const further = [
  'CHANGELOG.md',
  ...globSync('{integrations,examples,sdk,sequencer,templates,test}/**/*.md', { cwd: root }).sort(),
].flatMap(linesOf);

/** Returns the cells of a row of a table: bars after a backslash are text. */
const cellsOf = (row: string): readonly string[] => row.split(/(?<!\\)\|/).slice(1, -1);

const wordsIn = (text: string): number => text.trim().split(/\s+/).length;

test(`no line of the docs has more than ${maxLineLength} characters`, (t) => {
  t.true(pages.length > 20);
  t.deepEqual(
    [...lines, ...further]
      .filter(({ text }) => text.length > maxLineLength)
      .map(({ text, place }) => `${place} has ${text.length} characters`),
    [],
  );
});

test('the docs name the client, owner or holder', (t) => {
  const vague = new RegExp(untold, 'i');
  t.deepEqual(
    [...lines, ...further].filter(({ text }) => vague.test(text)).map(({ text, place }) => `${place}: ${text}`),
    [],
  );
});

test(`no cell of a table has more than ${maxWords} words`, (t) => {
  const cells = [...lines, ...further.filter(({ place }) => place.startsWith('integrations/'))]
    .filter(({ text }) => text.startsWith('|'))
    .flatMap(({ text, place }) => cellsOf(text).map((cell) => ({ place, words: wordsIn(cell) })));
  t.true(cells.length > 1000);
  t.deepEqual(
    cells.filter(({ words }) => words > maxWords).map(({ place, words }) => `${place} has a cell of ${words} words`),
    [],
  );
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

const root = join(import.meta.dirname, '../../..');
const rows = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!word|-)/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, word = '', meaning = '', file = '', term = '']) => ({ word, meaning, file, term }));

test('each word has one row, in the order of the alphabet', (t) => {
  const words = rows.map(({ word }) => word);
  t.deepEqual(words, [...new Set(words)].sort());
});

test('every word is one sentence, and stands for a term', (t) => {
  for (const { word, meaning, term } of rows) {
    t.regex(meaning, /^[A-Z`][^.]*(?:`[^`]*`[^.]*)*\.$/, word);
    t.not(term, '', word);
  }
});

test('every file that the glossary names exists', (t) => {
  t.deepEqual(
    rows.map(({ file }) => /^`([^`]+)`$/.exec(file)?.[1] ?? file).filter((file) => !existsSync(join(root, file))),
    [],
  );
});

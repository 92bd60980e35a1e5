import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readSources } from '../architecture/source.ts';

const root = join(import.meta.dirname, '../../..');
const rows = readFileSync(join(root, 'docs/errors.md'), 'utf8')
  .split('\n')
  .flatMap((line) => /^\| (E#\d{4}) \|/.exec(line)?.[1] ?? []);

/** Error codes in string literals; mentions in comments do not count. */
const thrown = new Set(
  readSources(root, ['sdk', 'sequencer', 'integrations']).flatMap(({ text }) =>
    [...text.matchAll(/'(E#\d{4})'/g)].map(([, code]) => code!),
  ),
);

test('every code that the source throws has a row, and every row is thrown', (t) => {
  t.deepEqual(rows, [...thrown].sort());
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

const root = join(import.meta.dirname, '../../..');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Rows such as `| what is promised | \`test/a.test.ts\` | title of a test |`. */
const rows = [...textOf('docs/security/promises.md').matchAll(/^\| (.+) \| `(test\/[^`]+)` \| (.+) \|$/gm)].map(
  ([, promise = '', path = '', title = '']) => ({ promise, path, title }),
);

/** Titles of the tests in a source; `…` stands for an interpolated value. */
const titlesIn = (source: string): readonly string[] =>
  [...source.matchAll(/\btest(?:\.serial)?\(\s*(['`])((?:(?!\1)[^\\]|\\.)+)\1/g)].map(([, , text = '']) =>
    text.replaceAll(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '…').replaceAll(/\\(.)/g, '$1'),
  );

test('docs/security/promises.md names each promise once', (t) => {
  t.true(rows.length > 40);
  t.deepEqual([...new Set(rows.map(({ promise }) => promise))].length, rows.length);
});

for (const { promise, path, title } of rows)
  test(`the test that docs/security/promises.md names is there: ${promise}`, (t) => {
    const titles = titlesIn(textOf(path));
    t.true(titles.includes(title), `${title}\nis none of ${path}:\n${titles.join('\n')}`);
  });

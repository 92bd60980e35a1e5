import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { promised, proofsBelow, proofsIn, rowsOf } from './proof.ts';

const root = join(import.meta.dirname, '../../..');
const pages = ['docs/guard.md', ...globSync('docs/guard/*.md', { cwd: root }).sort()];
const rows = pages.flatMap((page) => rowsOf(readFileSync(join(root, page), 'utf8')));
const proofs = proofsBelow(join(root, 'test'));

test('the pages of the guard name each fault, defect and guarantee once, in order', (t) => {
  t.deepEqual(
    rows.map(({ id }) => id),
    [...promised],
  );
});

for (const { id, title } of rows)
  test(`the test that the pages of the guard name for ${id} is there, and is named by it`, (t) => {
    const named = proofs.filter((proof) => proof.ids.includes(id));
    t.true(
      named.some((proof) => proof.title === title),
      `${title}\nis none of\n${named.map((proof) => proof.title).join('\n')}`,
    );
  });

test('no test is named by an id that is not promised', (t) => {
  t.deepEqual(
    proofs.filter(({ ids }) => !ids.every((id) => promised.includes(id))),
    [],
  );
});

test('a title is read as its source says it', (t) => {
  const source = "test('F1, D2: it’s ${one} \\'two\\'', () => {}); const f = 'F1 is not a title';";
  t.deepEqual(proofsIn('x', source), [{ ids: ['F1', 'D2'], title: "F1, D2: it’s … 'two'", path: 'x' }]);
});

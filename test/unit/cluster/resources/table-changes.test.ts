import test from 'ava';
import { changedTable, paragraphsOf } from '../../../cluster/resources/table-changes.ts';

const table = '\nshop a b\n  c\ntill d\n';

test('a paragraph is a line and the indented ones after it, by its first word', (t) => {
  t.deepEqual(
    [...paragraphsOf(table)],
    [
      ['shop', 'shop a b\n  c'],
      ['till', 'till d'],
    ],
  );
});

test('a version changes paragraphs in their place, adds some at the end, and lacks those that are null', (t) => {
  t.is(changedTable(table), table);
  t.is(changedTable(table, {}), table);
  t.is(changedTable(table, { shop: 'shop x', box: 'box e' }), '\nshop x\ntill d\nbox e\n');
  t.is(changedTable(table, { shop: null }), '\ntill d\n');
});

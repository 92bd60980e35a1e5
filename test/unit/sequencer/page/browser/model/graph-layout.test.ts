import test from 'ava';
import { layoutGraph } from '../../../../../../sequencer/page/browser/model/graph-layout.ts';

const columns = (layout: ReturnType<typeof layoutGraph>) =>
  Object.fromEntries(layout.positions.map(({ id, column }) => [id, column]));

test('each node is to the right of all that come before it', (t) => {
  const layout = layoutGraph([
    { id: 'Ready', after: ['Mail', 'DNS', 'Disk'] },
    { id: 'Mail', after: ['DNS'] },
    { id: 'DNS', after: ['Disk', 'Unknown'] },
    { id: 'Disk', after: [] },
    { id: 'Alone', after: [] },
  ]);
  t.deepEqual(columns(layout), { Disk: 0, Alone: 0, DNS: 1, Mail: 2, Ready: 3 });
  t.deepEqual([layout.columns, layout.rows], [4, 2]);
  t.deepEqual(
    layout.edges,
    [
      ['Mail', 'Ready'],
      ['DNS', 'Mail'],
      ['Disk', 'DNS'],
    ],
    'edges that a longer path stands for are left out',
  );
});

test('no two nodes share a place', (t) => {
  const nodes = Array.from({ length: 40 }, (_, index) => ({
    id: `n${index}`,
    after: index < 4 ? [] : [`n${index % 4}`, `n${Math.floor(index / 2)}`],
  }));
  const { positions } = layoutGraph(nodes);
  t.is(new Set(positions.map(({ column, row }) => `${column} ${row}`)).size, 40);
});

test('a circle is drawn too, and nothing is nothing', (t) => {
  const layout = layoutGraph([
    { id: 'a', after: ['b'] },
    { id: 'b', after: ['a'] },
    { id: 'c', after: ['c'] },
  ]);
  t.is(layout.positions.length, 3);
  t.is(layout.edges.length, 2);
  t.deepEqual(layoutGraph([]), { positions: [], columns: 0, rows: 0, edges: [] });
});

test('a chain of many conditions takes no longer than it is', (t) => {
  const nodes = Array.from({ length: 64 }, (_, index) => ({
    id: `n${index}`,
    after: Array.from({ length: index }, (_, before) => `n${before}`),
  }));
  const layout = layoutGraph(nodes);
  t.is(layout.columns, 64);
  t.is(layout.edges.length, 63);
});

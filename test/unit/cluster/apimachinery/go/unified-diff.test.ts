import test from 'ava';
import { unifiedDiff } from '../../../../cluster/apimachinery/go/unified-diff.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index + 1}`);
const text = (lines: readonly string[]): string => lines.join('\n');

test('equal texts do not differ', (t) => {
  t.is(unifiedDiff(text(numbered(9)), text(numbered(9))), '');
});

test('a change has three lines around it', (t) => {
  const changed = numbered(9).with(4, 'five');
  const expected = [
    '@@ -2,7 +2,7 @@',
    ' line 2',
    ' line 3',
    ' line 4',
    '-line 5',
    '+five',
    ' line 6',
    ' line 7',
    ' line 8',
  ];
  t.is(unifiedDiff(text(numbered(9)), text(changed)), `${text(expected)}\n`);
});

test('changes that are far from each other are reported one by one, close ones together', (t) => {
  const heads = (count: number, at: readonly number[]): number => {
    const changed = numbered(count).map((line, index) => (at.includes(index) ? 'changed' : line));
    return unifiedDiff(text(numbered(count)), text(changed)).match(/^@@/gm)?.length ?? 0;
  };
  t.is(heads(20, [4, 12]), 2);
  t.is(heads(20, [4, 11]), 1);
});

test('what is added to nothing, and a single line, are counted as diff does', (t) => {
  t.true(unifiedDiff('null', text(['{', ' "a": 1', '}'])).startsWith('@@ -1 +1,3 @@\n-null\n+{\n'));
});

test('a diff of many changes is computed within its limit, and without recursion', (t) => {
  const before = numbered(20_000);
  const after = before.map((line, index) => (index % 2 === 0 ? line : `changed ${index}`));
  const start = process.threadCpuUsage();
  const lines = unifiedDiff(text(before), text(after)).split('\n');
  const { user } = process.threadCpuUsage(start);
  t.true(user < 10_000_000, `it took ${user} µs`);
  const side = (mark: string): string[] =>
    lines.filter((line) => line.startsWith(mark) || line.startsWith(' ')).map((line) => line.slice(1));
  t.deepEqual([side('-'), side('+')], [before, after]);
});

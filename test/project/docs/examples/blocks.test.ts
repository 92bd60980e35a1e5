import test from 'ava';
import { blocksOf, docCommentsOf, fileOf, linksOf } from './blocks.ts';

const page = [
  '# Title',
  '```ts run',
  'const a = 1;',
  '```',
  'text',
  '```text',
  '1',
  '```',
  '```ts file=b.ts',
  '```',
  '',
].join('\n');

test('blocks come with language, words, text and line', (t) => {
  t.deepEqual(blocksOf(page), [
    { language: 'ts', words: ['run'], text: 'const a = 1;\n', line: 3 },
    { language: 'text', words: [], text: '1\n', line: 7 },
    { language: 'ts', words: ['file=b.ts'], text: '', line: 10 },
  ]);
});

test('doc comments of a source keep their lines', (t) => {
  const source = [
    '/**',
    ' * Adds.',
    ' *',
    ' * @example',
    ' * ```ts',
    ' * add(1);',
    ' * ```',
    ' */',
    'const a = 1;',
  ].join('\n');
  t.deepEqual(blocksOf(docCommentsOf(source)), [{ language: 'ts', words: [], text: 'add(1);\n', line: 6 }]);
});

test('a block’s file has its own name, or that of its line', (t) => {
  t.deepEqual(
    blocksOf(page)
      .filter(({ language }) => language === 'ts')
      .map(fileOf),
    ['line-3.ts', 'b.ts'],
  );
});

test('links to files are found, others passed over', (t) => {
  t.deepEqual(linksOf('[a](docs/a.md#x) [b](https://example.com) [c](#here)'), ['docs/a.md']);
});

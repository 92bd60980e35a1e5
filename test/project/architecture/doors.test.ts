import test from 'ava';
import { badDoors, unreached } from './doors.ts';
import { scan } from './source.ts';

const sdk = { types: './dist/sdk/index.d.ts', source: './sdk/index.ts', default: './dist/sdk/index.js' };

test('a door in order is left alone', (t) => {
  t.deepEqual(
    badDoors({ './sdk': sdk, './package.json': './package.json' }, () => true),
    [],
  );
});

test('a door that leads nowhere is named', (t) => {
  t.deepEqual(
    badDoors({ './sdk': sdk }, () => false),
    ['./sdk: ./sdk/index.ts does not exist'],
  );
  t.is(badDoors({ './package.json': './package.json' }, () => false).length, 1);
});

test('a door whose parts belong to different files is named', (t) => {
  t.is(badDoors({ './sdk': { ...sdk, types: './dist/index.d.ts' } }, () => true).length, 1);
  t.is(badDoors({ './sdk': { ...sdk, default: './dist/index.js' } }, () => true).length, 1);
});

test('types come first, since the first match wins', (t) => {
  const { types, ...rest } = sdk;
  t.is(badDoors({ './sdk': { ...rest, types } }, () => true).length, 1);
});

test('a file of a published folder that no entry imports is named', (t) => {
  const file = (path: string, text: string) => scan({ path, text });
  const files = [
    file('test/cluster/index.ts', `import { a } from './a.ts';`),
    file('test/cluster/a.ts', `export const late = () => import('./b.ts');`),
    file('test/cluster/b.ts', ''),
    file('test/cluster/a-fixture.ts', ''),
    file('test/unit/cluster/a.test.ts', ''),
  ];
  const isPublished = (path: string): boolean => path.startsWith('test/cluster/');
  t.deepEqual(unreached(files, ['test/cluster/index.ts'], isPublished), [
    'test/cluster/a-fixture.ts: no entry of the package imports it; its place is test/unit',
  ]);
});

import test from 'ava';
import { badDoors } from './doors.ts';

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

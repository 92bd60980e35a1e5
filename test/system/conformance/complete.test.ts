import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { impossible } from './replay/impossible.ts';
import { casesOf, families } from './replay/recording.ts';

test('every family that was recorded is replayed', (t) => {
  for (const family of families()) t.true(existsSync(join(import.meta.dirname, `${family}.test.ts`)), family);
});

test('no id is used twice', (t) => {
  const ids = families().flatMap((family) => casesOf(family).map(({ id }) => id));
  t.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  );
});

test('docs/cluster/fidelity.md lists every case that cannot pass, and why', (t) => {
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/cluster/fidelity.md'), 'utf8');
  for (const [id, why] of Object.entries(impossible)) t.true(docs.includes(`| ${id} | ${why} |`), id);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { leftOut, rows } from './cmd-cases.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/cluster/clients.md'), 'utf8');

test("what is left out of kubectl's own tests is reported, with the reason", (t) => {
  for (const { cases, why } of leftOut)
    t.true(
      page.includes(`| ${cases.length} | ${why} |`),
      `docs/cluster/clients.md does not say: ${cases.length}, ${why}`,
    );
});

test('how many of them run is reported, and none runs twice', (t) => {
  const cases = rows.flat();
  t.is(new Set(cases).size, cases.length);
  t.deepEqual(
    leftOut.flatMap((one) => one.cases).filter((one) => cases.includes(one)),
    [],
  );
  t.true(
    page.includes(
      `${cases.length - 1} of its ${cases.length - 1 + leftOut.flatMap((one) => one.cases).length} functions`,
    ),
  );
});

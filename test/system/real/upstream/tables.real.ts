import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readFacts } from './facts.ts';
import { typeTables } from './type-tables.ts';

const folder = join(import.meta.dirname, '../../../cluster/apis');
const facts = await readFacts();

for (const [path, text] of Object.entries(typeTables(facts.types))) {
  test(`${path} says what this version of Kubernetes says`, (t) => {
    t.is(readFileSync(join(folder, path), 'utf8'), text, 'npm run generate:upstream writes it again');
  });
}

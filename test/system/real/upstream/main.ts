// Writes the tables of test/cluster that say what Kubernetes says: `npm run generate:upstream`, after `npx node test/system/real/build.ts`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFacts } from './facts.ts';
import { typeTables } from './type-tables.ts';

const folder = join(import.meta.dirname, '../../../cluster/apis');
const { types } = await readFacts();
for (const [path, text] of Object.entries(typeTables(types))) writeFileSync(join(folder, path), text);

// Writes the tables of test/cluster that say what Kubernetes says, or for a version such as v1.35.4 what it says otherwise: `npm run generate:upstream -- v1.35.4`.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { columnTextsOf } from './column-texts.ts';
import { readFacts } from './facts.ts';
import { resourceTables } from './resource-tables.ts';
import { roleTables } from './role-tables.ts';
import { seedTables } from './seed-tables.ts';
import { structTable } from './struct-table.ts';
import { typeTables } from './type-tables.ts';
import { changesFile, versionChanges } from './version-changes.ts';
import { programOf } from './version-program.ts';

const cluster = join(import.meta.dirname, '../../../cluster');

/** Writes the value of an exported constant in a file of a folder; the rest of the file is kept. */
function rewrite(folder: string, name: string, value: string): void {
  const constant = new RegExp(
    String.raw`(?<=export const ${name}\b[^=]*= )(\x60[^\x60]*\x60|\{.*?\n\}|\{\})(?=;\n)`,
    's',
  );
  const files = readdirSync(join(cluster, folder)).map((file) => join(cluster, folder, file));
  const file = files.find((path) => path.endsWith('.ts') && constant.test(readFileSync(path, 'utf8')));
  if (file === undefined) throw new Error(`no file of test/cluster/${folder} has \`export const ${name}\`: add one`);
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(constant, () => value),
  );
}

/** Writes what another version says otherwise, such as v1.35.4. */
async function writeChanges(version: string): Promise<void> {
  const changes = versionChanges(await readFacts(), await readFacts(await programOf(version)));
  const [, minor] = version.split('.');
  writeFileSync(join(cluster, 'resources/versions', `v1-${minor}.ts`), changesFile(changes, version));
}
/** Writes the tables of the version of go.mod. */
async function writeTables(): Promise<void> {
  const { types, resources, forms, roles, seeds } = await readFacts();
  for (const [path, text] of Object.entries(typeTables(types))) writeFileSync(join(cluster, 'apis', path), text);
  for (const [folder, table] of Object.entries(resourceTables(resources))) {
    rewrite(`apis/${folder}`, `${folder}Table`, `\`\\\n${table}\``);
  }
  const { shared, groups } = columnTextsOf(resources);
  rewrite('encoding/table', 'columnTexts', JSON.stringify(shared, undefined, 2));
  for (const [folder, texts] of Object.entries(groups)) {
    rewrite(`apis/${folder}`, `${folder}ColumnTexts`, JSON.stringify(texts, undefined, 2));
  }
  for (const [name, table] of Object.entries({ ...roleTables(roles), ...seedTables(seeds) }))
    rewrite('bootstrap', name, `\`${table}\``);
  rewrite('resources', 'internalStructs', `\`${structTable(forms, types)}\``);
}

const versions = process.argv.slice(2);
if (versions.length === 0) await writeTables();
for (const version of versions) await writeChanges(version);
execFileSync('npx', ['--no-install', 'biome', 'format', '--write', cluster], { stdio: 'inherit' });

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { builtinResources } from '../../../cluster/apis/builtin.ts';
import { builtinTable } from '../../../cluster/apis/builtin-table.ts';
import { tableOf } from '../../../cluster/encoding/table/table.ts';
import { type GoResource, readFacts } from './facts.ts';
import { resourceTables } from './resource-tables.ts';
import { typeTables } from './type-tables.ts';

const folder = join(import.meta.dirname, '../../../cluster/apis');
const { types, resources } = await readFacts();
const advice = 'npm run generate:upstream writes it again';

for (const [path, text] of Object.entries(typeTables(types))) {
  test(`${path} says what this version of Kubernetes says`, (t) => {
    t.is(readFileSync(join(folder, path), 'utf8'), text, advice);
  });
}

/** Returns the lines of a table by the line of their group and version, which begins no line with a space. */
const groupsOf = (table: string): readonly string[] => table.split(/\n(?! )/).sort();

test('the kinds that are served, their names, verbs, subresources and flags are those of this version', (t) => {
  t.deepEqual(groupsOf(builtinTable), groupsOf(Object.values(resourceTables(resources)).join('\n')), advice);
});

const ours = ({ group, version, path }: GoResource) =>
  builtinResources.find((info) => info.group === group && info.version === version && info.plural === path);

for (const resource of resources.filter(({ path }) => !path.includes('/'))) {
  const { group, version, path, columns, deprecation = '' } = resource;
  test(`${path} of ${group === '' ? '' : `${group}/`}${version} have the columns and the deprecation of this version`, (t) => {
    const info = ours(resource);
    t.is(info?.deprecationWarning ?? '', deprecation);
    if (info === undefined || columns === undefined) return;
    t.deepEqual(tableOf(info, [], { now: 0 }).columnDefinitions, columns, advice);
  });
}

/** Compares the tables of two versions of Kubernetes. */

import { paragraphsOf, type TableChanges, type VersionChanges } from '../../../cluster/resources/table-changes.ts';
import { columnsOf } from './column-texts.ts';
import type { Facts } from './facts.ts';
import { resourceTables } from './resource-tables.ts';
import { roleTables } from './role-tables.ts';
import { seedTables } from './seed-tables.ts';
import { structTable } from './struct-table.ts';
import { sectionTables } from './type-tables.ts';

type Paragraphs = ReadonlyMap<string, string>;
type Tables = Readonly<Record<string, Paragraphs>>;

const parsed = (tables: Readonly<Record<string, string>>): Tables =>
  Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, paragraphsOf(table)]));

const tablesOf = ({ resources, forms, types, roles, seeds }: Facts): Tables =>
  parsed({
    builtinTable: Object.values(resourceTables(resources)).join('\n'),
    internalStructs: structTable(forms, types),
    ...roleTables(roles),
    ...seedTables(seeds),
  });

const nothing: Paragraphs = new Map();

/** Returns what another table says otherwise, in its order; what it lacks comes last. */
function changesIn(table: Paragraphs, other: Paragraphs): TableChanges {
  const otherwise = [...other].filter(([name, text]) => table.get(name) !== text);
  const lacking = [...table.keys()].filter((name) => !other.has(name)).map((name) => [name, null] as const);
  return Object.fromEntries([...otherwise, ...lacking]);
}

function changesInEach(tables: Tables, others: Tables): Readonly<Record<string, TableChanges>> {
  const names = [...new Set([...Object.keys(tables), ...Object.keys(others)])].sort();
  const all = names.map((name) => [name, changesIn(tables[name] ?? nothing, others[name] ?? nothing)] as const);
  return Object.fromEntries(all.filter(([, changes]) => Object.keys(changes).length > 0));
}

/** Returns what another version says otherwise. */
export const versionChanges = (facts: Facts, other: Facts): VersionChanges => ({
  types: changesInEach(parsed(sectionTables(facts.types)), parsed(sectionTables(other.types))),
  columns: changesIn(columnsOf(facts.resources), columnsOf(other.resources)),
  tables: changesInEach(tablesOf(facts), tablesOf(other)),
});

/** Returns the file of the changes to the tables of one version that make those of another. */
export const changesFile = (
  changes: VersionChanges,
  other: string,
): string => `/** Differences between the tables and those of Kubernetes ${other}. Generated. */

import type { VersionChanges } from '../table-changes.ts';

/** Differences between Kubernetes ${other} and the tables. Made by \`npm run generate:upstream -- ${other}\`. */
export const changes: VersionChanges = ${JSON.stringify(changes, undefined, 2)};
`;

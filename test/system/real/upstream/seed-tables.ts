/** Formats the initial objects of a server, in the notation of `test/cluster/bootstrap/system-object-table.ts`. */

import type { GoSeeds } from './facts.ts';

const tableOf = (objects: Readonly<Record<string, object>>): string =>
  `\n${Object.entries(objects)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join('\n')}\n`;

const specs = (objects: GoSeeds['flowSchemas']): Readonly<Record<string, object>> =>
  Object.fromEntries(objects.map(({ metadata, spec }) => [metadata.name, spec]));

/** Returns the tables, by the name of their constants. */
export const seedTables = ({ flowSchemas, priorityLevels, priorityClasses, apiServices }: GoSeeds) => ({
  flowSchemaTable: tableOf(specs(flowSchemas)),
  priorityLevelTable: tableOf(specs(priorityLevels)),
  priorityClassTable: tableOf(
    Object.fromEntries(priorityClasses.map(({ metadata, ...members }) => [metadata.name, members])),
  ),
  apiServiceTable: tableOf(apiServices),
});

/** Differences between the tables of one version of Kubernetes and those of the default one. */

/** Replaced and added paragraphs of a table, by their first word; null removes a paragraph. */
export type TableChanges = Readonly<Record<string, string | null>>;

/** Tables besides those of types, by the names of their constants. */
export type TableName =
  | 'builtinTable'
  | 'internalStructs'
  | 'clusterRoleTable'
  | 'controllerRoleTable'
  | 'roleTable'
  | 'clusterBindingTable'
  | 'bindingTable'
  | 'flowSchemaTable'
  | 'priorityLevelTable'
  | 'priorityClassTable'
  | 'apiServiceTable';

/** Differences between a version and the tables. */
export interface VersionChanges {
  /** Types by their section. */
  readonly types: Readonly<Record<string, TableChanges>>;
  /** Descriptions of columns by `plural Column`; null for a column that the version does not have. */
  readonly columns: TableChanges;
  readonly tables: Readonly<Partial<Record<TableName, TableChanges>>>;
}

/** Changes of the version that the tables are of. */
export const unchanged: VersionChanges = { types: {}, columns: {}, tables: {} };

/** Splits a table into its paragraphs by their first word. A paragraph is a line and the indented ones after it. */
export const paragraphsOf = (table: string): ReadonlyMap<string, string> =>
  new Map([...table.matchAll(/^(\S+).*(?:\n .*)*/gm)].map(([paragraph, name = '']) => [name, paragraph]));

/** Returns the table of a version; paragraphs that only it has come last. */
export function changedTable(table: string, changes: TableChanges = {}): string {
  const entries = Object.entries(changes);
  if (entries.length === 0) return table;
  const paragraphs = new Map(paragraphsOf(table));
  for (const [name, paragraph] of entries) {
    if (paragraph === null) paragraphs.delete(name);
    else paragraphs.set(name, paragraph);
  }
  return `\n${[...paragraphs.values()].join('\n')}\n`;
}

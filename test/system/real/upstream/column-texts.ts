/** Collects the descriptions of table columns. */

import type { GoResource } from './facts.ts';
import { folderOf } from './resource-tables.ts';

/** Descriptions of columns. */
export interface ColumnTexts {
  /** Those that several kinds share, by `Column`. */
  readonly shared: Readonly<Record<string, string>>;
  /** The others by the folder of the group, then by `plural Column`. */
  readonly groups: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Columns of all kinds, whose descriptions are those of metadata. */
const common: ReadonlySet<string> = new Set(['Name', 'Age', 'Created At']);

/** Column of a kind. */
interface KindColumn {
  readonly folder: string;
  readonly plural: string;
  readonly name: string;
  readonly text: string;
}

const byKey = <T extends Readonly<Record<string, unknown>>>(record: T): T =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1))) as T;

/** Returns the text that most kinds have for a column; undefined where no two have the same. */
function sharedText(columns: readonly KindColumn[]): string | undefined {
  const kinds = [...Map.groupBy(columns, ({ text }) => text)].map(([text, all]) => ({
    text,
    count: new Set(all.map(({ plural }) => plural)).size,
  }));
  const [most] = kinds.toSorted((one, other) => other.count - one.count);
  return most === undefined || most.count < 2 ? undefined : most.text;
}

function columnsIn(resources: readonly GoResource[]): readonly KindColumn[] {
  return resources.flatMap((resource) =>
    (resource.columns ?? [])
      .filter(({ name }) => !common.has(name))
      .map(({ name, description: text }) => ({ folder: folderOf(resource), plural: resource.path, name, text })),
  );
}

/** Returns the descriptions of all columns by `plural Column`. */
export const columnsOf = (resources: readonly GoResource[]): ReadonlyMap<string, string> =>
  new Map(columnsIn(resources).map(({ plural, name, text }) => [`${plural} ${name}`, text]));

/** Returns the descriptions of all columns. */
export function columnTextsOf(resources: readonly GoResource[]): ColumnTexts {
  const columns = columnsIn(resources);
  const shared: Record<string, string> = {};
  for (const [name, all] of Map.groupBy(columns, (column) => column.name)) {
    const text = sharedText(all);
    if (text !== undefined) shared[name] = text;
  }
  const groups: Record<string, Record<string, string>> = {};
  const told = new Set<string>();
  for (const { folder, plural, name, text } of columns) {
    const key = `${plural} ${name}`;
    if (text === (shared[name] ?? '') || told.has(key)) continue;
    told.add(key);
    groups[folder] = { ...groups[folder], [key]: text };
  }
  return {
    shared: byKey(shared),
    groups: Object.fromEntries(Object.entries(groups).map(([at, all]) => [at, byKey(all)])),
  };
}

/** Table columns and cells of custom resources. */

import type { PrinterColumn } from '../../../../sdk/api/kind.ts';
import type { Fields } from '../../apimachinery/object.ts';
import type { CustomResource } from '../../apimachinery/resource-info.ts';
import type { Ago } from '../../apis/printing/age.ts';
import { type Cell, nameOf } from '../../apis/printing/printer.ts';
import { jsonPath } from './json-path.ts';

/** Column definition of a Table. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** First column of every table. */
export const nameColumn: ColumnDefinition = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
  priority: 0,
};

/** Description of the creation time. */
export const creationDescription =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

const isDefaultAge = ({ name, jsonPath: path, description }: PrinterColumn, all: readonly PrinterColumn[]): boolean =>
  all.length === 1 && name === 'Age' && path === '.metadata.creationTimestamp' && description === undefined;

/** Returns the columns of a custom resource. */
export const customColumns = ({ columns }: CustomResource): readonly ColumnDefinition[] => [
  nameColumn,
  ...columns.map((column) => ({
    name: column.name,
    type: column.type,
    format: (column as { format?: string }).format ?? '',
    description: isDefaultAge(column, columns)
      ? creationDescription
      : (column.description ?? `Custom resource definition column (in JSONPath format): ${column.jsonPath}`),
    priority: column.priority ?? 0,
  })),
];

type CellReader = (value: unknown, ago: Ago) => Cell;

const readers: Readonly<Record<string, CellReader>> = {
  string: (value) =>
    typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value),
  integer: (value) => (typeof value === 'number' ? Math.trunc(value) : null),
  number: (value) => (typeof value === 'number' ? value : null),
  boolean: (value) => (typeof value === 'boolean' ? value : null),
  date: (value, ago) => (typeof value === 'string' ? ago(value) : '<invalid>'),
};

/** Returns a function that makes the row of a custom resource; paths are parsed once. */
export function customCells({ columns }: CustomResource): (object: Fields, ago: Ago) => readonly Cell[] {
  const paths = columns.map(({ jsonPath: path, type }) => ({ find: jsonPath(path), read: readers[type] }));
  return (object, ago) => [
    nameOf(object),
    ...paths.map(({ find, read }) => {
      const [found] = find(object);
      return found === undefined || found === null ? null : (read?.(found, ago) ?? null);
    }),
  ];
}

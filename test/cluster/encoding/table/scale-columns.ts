/** Table columns and rows of Scales. */

import { type Fields, valueAt } from '../../apimachinery/object.ts';
import type { Ago } from '../../apis/printing/age.ts';
import { ageOf, type Cell, nameOf } from '../../apis/printing/printer.ts';
import { type ColumnDefinition, creationDescription, nameColumn } from './custom-printer.ts';

const column = (name: string, type: string, description: string): ColumnDefinition => ({
  name,
  type,
  format: '',
  description,
  priority: 0,
});

/** Columns of a built-in kind's Scale; its name and age are plain texts. */
export const scaleColumns: readonly ColumnDefinition[] = [
  { ...nameColumn, format: '' },
  column('Desired', 'integer', 'replicas is the desired number of instances for the scaled object.'),
  column('Available', 'integer', 'replicas is the actual number of observed instances of the scaled object.'),
  column('Age', 'string', creationDescription),
];

/** Columns of a custom resource's Scale. */
export const customScaleColumns = [
  { name: 'Desired', type: 'integer', description: 'Number of desired replicas', jsonPath: '.spec.replicas' },
  { name: 'Available', type: 'integer', description: 'Number of actual replicas', jsonPath: '.status.replicas' },
  { name: 'Age', type: 'date', description: creationDescription, jsonPath: '.metadata.creationTimestamp' },
] as const;

/** Returns the row of a built-in kind's Scale. */
export const scaleCells = (scale: Fields, ago: Ago): readonly Cell[] => [
  nameOf(scale),
  Number(valueAt(scale, ['spec', 'replicas']) ?? 0),
  Number(valueAt(scale, ['status', 'replicas']) ?? 0),
  ageOf(scale, ago),
];

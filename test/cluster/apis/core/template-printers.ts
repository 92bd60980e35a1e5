/** Printers of ReplicationControllers and PodTemplates. */

import { fieldsOf } from '../../apimachinery/validation/errors.ts';
import { replicaSets } from '../apps/apps-printers.ts';
import { containerCells, labelsText, nameOf, type Printer } from '../printing/printer.ts';

const podTemplates: Printer = {
  columns: 'Name|Containers|Images|Pod Labels',
  cells: (object) => [
    nameOf(object),
    ...containerCells(object.template),
    labelsText(fieldsOf(fieldsOf(object.template).metadata).labels),
  ],
};

/** Printers of the core kinds with a pod template, by plural. */
export const templatePrinters: Readonly<Record<string, Printer>> = {
  podtemplates: podTemplates,
  replicationcontrollers: replicaSets,
};

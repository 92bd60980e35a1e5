/** Tables of objects, as kubectl prints them. */

import type { Fields } from '../../apimachinery/object.ts';
import type { ResourceInfo } from '../../apimachinery/resource-info.ts';
import { fieldsOf } from '../../apimachinery/validation/errors.ts';
import {
  admissionregistrationColumnTexts,
  admissionregistrationPrinters,
} from '../../apis/admissionregistration/admissionregistration-printers.ts';
import {
  apiregistrationColumnTexts,
  apiregistrationPrinters,
} from '../../apis/apiregistration/apiregistration-printers.ts';
import { appsColumnTexts, appsPrinters } from '../../apis/apps/apps-printers.ts';
import { autoscalingColumnTexts, autoscalingPrinters } from '../../apis/autoscaling/autoscaling-printers.ts';
import { batchColumnTexts, batchPrinters } from '../../apis/batch/batch-printers.ts';
import { certificatesColumnTexts, certificatesPrinters } from '../../apis/certificates/certificates-printers.ts';
import { coordinationColumnTexts, coordinationPrinters } from '../../apis/coordination/coordination-printers.ts';
import { coreColumnTexts } from '../../apis/core/core-column-texts.ts';
import { corePrinters } from '../../apis/core/core-printers.ts';
import { podPrinter } from '../../apis/core/pods/pod-printer.ts';
import { templatePrinters } from '../../apis/core/template-printers.ts';
import { discoveryColumnTexts, discoveryPrinters } from '../../apis/discovery/discovery-printers.ts';
import { flowcontrolColumnTexts, flowcontrolPrinters } from '../../apis/flowcontrol/flowcontrol-printers.ts';
import { networkingColumnTexts, networkPrinters } from '../../apis/networking/networking-printers.ts';
import { nodeColumnTexts, nodePrinters } from '../../apis/node/node-printers.ts';
import { policyColumnTexts, policyPrinters } from '../../apis/policy/policy-printers.ts';
import { type Ago, agoAt } from '../../apis/printing/age.ts';
import { type Cell, metaOf, nameOf, type Printer } from '../../apis/printing/printer.ts';
import { rbacColumnTexts, rbacPrinters } from '../../apis/rbac/rbac-printers.ts';
import { resourceColumnTexts, resourcePrinters } from '../../apis/resource/resource-printers.ts';
import { schedulingColumnTexts, schedulingPrinters } from '../../apis/scheduling/scheduling-printers.ts';
import { storageColumnTexts, storagePrinters } from '../../apis/storage/storage-printers.ts';
import type { TableChanges } from '../../resources/table-changes.ts';
import { columnTexts } from './column-texts.ts';
import {
  type ColumnDefinition,
  creationDescription,
  customCells,
  customColumns,
  nameColumn,
} from './custom-printer.ts';
import { customScaleColumns, scaleCells, scaleColumns } from './scale-columns.ts';

/** Amount of each object that a row includes. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** Options of {@link tableOf}. */
export interface TableOptions {
  /** Time that ages are relative to, in ms since the epoch. */
  readonly now: number;
  /** Amount of each object that a row includes. @default Metadata */
  readonly includeObject?: IncludeObject;
  /** Requested version of `meta.k8s.io`. @default v1 */
  readonly version?: 'v1' | 'v1beta1';
  /** Metadata of the table: the list's, or the object's resourceVersion. */
  readonly metadata?: Fields;
  /** Changes of a version to the columns of built-in kinds. @default none */
  readonly columns?: TableChanges;
  /** Includes the column definitions; false for all but the first event of a watch. @default true */
  readonly withColumns?: boolean;
}

const printers: Readonly<Record<string, Printer>> = {
  pods: podPrinter,
  ...appsPrinters,
  ...autoscalingPrinters,
  ...batchPrinters,
  ...policyPrinters,
  ...templatePrinters,
  ...networkPrinters,
  ...discoveryPrinters,
  ...admissionregistrationPrinters,
  ...apiregistrationPrinters,
  ...certificatesPrinters,
  ...coordinationPrinters,
  ...corePrinters,
  ...flowcontrolPrinters,
  ...nodePrinters,
  ...rbacPrinters,
  ...resourcePrinters,
  ...schedulingPrinters,
  ...storagePrinters,
};

const texts: Readonly<Record<string, string>> = {
  ...columnTexts,
  ...admissionregistrationColumnTexts,
  ...apiregistrationColumnTexts,
  ...autoscalingColumnTexts,
  ...certificatesColumnTexts,
  ...coordinationColumnTexts,
  ...coreColumnTexts,
  ...discoveryColumnTexts,
  ...flowcontrolColumnTexts,
  ...networkingColumnTexts,
  ...nodeColumnTexts,
  ...policyColumnTexts,
  ...rbacColumnTexts,
  ...resourceColumnTexts,
  ...schedulingColumnTexts,
  ...storageColumnTexts,
  ...appsColumnTexts,
  ...batchColumnTexts,
};

const columnFrom =
  (plural: string) =>
  (text: string): ColumnDefinition => {
    const [, name = '', type = 'string', format = '', wide] = /^(.+?)(?::(\w+)(?:\/(\w+))?)?(\+?)$/.exec(text) ?? [];
    if (name === 'Name') return { ...nameColumn, priority: wide === '+' ? 1 : 0 };
    const description = name === 'Age' ? creationDescription : (texts[`${plural} ${name}`] ?? texts[name] ?? '');
    return { name, type, format, description, priority: wide === '+' ? 1 : 0 };
  };

/** Columns of kinds without a printer. */
const plainColumns: readonly ColumnDefinition[] = [
  nameColumn,
  { name: 'Created At', type: 'date', format: '', description: creationDescription, priority: 0 },
];

interface Layout {
  readonly columns: () => readonly ColumnDefinition[];
  readonly cells: (object: Fields, ago: Ago) => readonly Cell[];
}

const scaleLayout: Layout = { columns: () => scaleColumns, cells: scaleCells };

function layoutOf({ custom: given, plural, kind, group }: ResourceInfo): Layout {
  const isScale = kind === 'Scale' && group === 'autoscaling';
  if (isScale && given === undefined) return scaleLayout;
  const custom = isScale && given !== undefined ? { ...given, columns: customScaleColumns } : given;
  if (custom !== undefined) return { columns: () => customColumns(custom), cells: customCells(custom) };
  const printer = printers[plural];
  if (printer !== undefined) {
    return { columns: () => printer.columns.split('|').map(columnFrom(plural)), cells: printer.cells };
  }
  return {
    columns: () => plainColumns,
    cells: (object) => [nameOf(object), String(metaOf(object).creationTimestamp ?? '')],
  };
}

/** Returns a layout without the columns that a version does not have, and with its descriptions of the others. */
function layoutWith(layout: Layout, plural: string, changes: TableChanges): Layout {
  const all = layout.columns();
  const isKept = (_: unknown, index: number): boolean => changes[`${plural} ${all[index]?.name}`] !== null;
  const described = (column: ColumnDefinition): ColumnDefinition => ({
    ...column,
    description: changes[`${plural} ${column.name}`] ?? column.description,
  });
  return {
    columns: () => all.filter(isKept).map(described),
    cells: (object, ago) => layout.cells(object, ago).filter(isKept),
  };
}

const ofVersion = 'deprecated.daemonset.template.generation';

/** Returns metadata without the DaemonSet annotation that exists in one version only: the server prints internal objects. */
function internalMetadata({ metadata }: Fields): unknown {
  const { annotations, ...others } = fieldsOf(metadata);
  const { [ofVersion]: generation, ...rest } = fieldsOf(annotations);
  if (generation === undefined) return metadata;
  return Object.keys(rest).length === 0 ? others : { ...others, annotations: rest };
}

/** Formats objects as a `meta.k8s.io` Table. */
export function tableOf(info: ResourceInfo, objects: readonly Fields[], options: TableOptions): Fields {
  const { now, includeObject = 'Metadata', version = 'v1', metadata = {}, withColumns = true, columns } = options;
  const own = layoutOf(info);
  const layout = columns === undefined || info.custom !== undefined ? own : layoutWith(own, info.plural, columns);
  const ago = agoAt(now);
  const apiVersion = `meta.k8s.io/${version}`;
  const shown = (object: Fields): Fields | null => {
    if (includeObject === 'None') return null;
    return includeObject === 'Object'
      ? object
      : { kind: 'PartialObjectMetadata', apiVersion, metadata: internalMetadata(object) };
  };
  return {
    kind: 'Table',
    apiVersion,
    metadata,
    columnDefinitions: withColumns ? layout.columns() : null,
    rows: objects.map((object) => ({ cells: layout.cells(object, ago), object: shown(object) })),
  };
}

/** Table printers of the core group. */

import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/errors.ts';
import { ageOf, count, metaOf, nameOf, type Printer, simple, text } from '../printing/printer.ts';

const sizeOf = (value: unknown): number => Object.keys(fieldsOf(value)).length;

function nodeStatus({ spec, status }: Fields): string {
  const ready = listOf(fieldsOf(status).conditions).find(({ type }) => type === 'Ready');
  const state = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return fieldsOf(spec).unschedulable === true ? `${state},SchedulingDisabled` : state;
}

const rolePrefix = 'node-role.kubernetes.io/';

function nodeRoles(object: Fields): string {
  const roles = Object.entries(fieldsOf(metaOf(object).labels)).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)];
    return key === 'kubernetes.io/role' ? [text(value)] : [];
  });
  return (
    roles
      .filter((role) => role !== '')
      .sort()
      .join(',') || '<none>'
  );
}

const nodes: Printer = {
  columns: 'Name|Status|Roles|Age|Version|Internal-IP+|External-IP+|OS-Image+|Kernel-Version+|Container-Runtime+',
  cells(object, ago) {
    const { nodeInfo, addresses } = fieldsOf(object.status);
    const info = fieldsOf(nodeInfo);
    const address = (type: string): string =>
      text(listOf(addresses).find((one) => one.type === type)?.address ?? '<none>');
    return [
      nameOf(object),
      nodeStatus(object),
      nodeRoles(object),
      ageOf(object, ago),
      text(info.kubeletVersion),
      address('InternalIP'),
      address('ExternalIP'),
      text(info.osImage || '<unknown>'),
      text(info.kernelVersion || '<unknown>'),
      text(info.containerRuntimeVersion || '<unknown>'),
    ];
  },
};

/** Returns the common fields of an Event of either group. */
function eventOf(event: Fields): Fields {
  return {
    about: event.involvedObject ?? event.regarding,
    source: event.source ?? event.deprecatedSource,
    first: event.firstTimestamp ?? event.deprecatedFirstTimestamp,
    last: event.lastTimestamp ?? event.deprecatedLastTimestamp,
    count: event.count ?? event.deprecatedCount,
    message: event.message ?? event.note,
    component: event.reportingComponent || event.reportingController,
  };
}

const events: Printer = {
  columns: 'Last Seen|Type|Reason|Object|Subobject+|Source+|Message|First Seen+|Count+|Name+',
  cells(event, ago) {
    const { about, source, first, last, count: times, message, component } = eventOf(event);
    const { kind, name, fieldPath } = fieldsOf(about);
    const series = event.series === undefined ? undefined : fieldsOf(event.series);
    const began = ago(first ?? event.eventTime);
    const seen = series === undefined ? (last ? ago(last) : began) : ago(series.lastObservedTime);
    const from = fieldsOf(source);
    return [
      seen,
      text(event.type),
      text(event.reason),
      name ? `${text(kind).toLowerCase()}/${name}` : text(kind).toLowerCase(),
      text(fieldPath),
      [from.component || component, from.host || event.reportingInstance].filter(Boolean).join(', '),
      text(message).trim(),
      began,
      series === undefined ? count(times) || 1 : count(series.count),
      nameOf(event),
    ];
  },
};

const limits = (hard: unknown, used: unknown, isLimit: boolean): string =>
  Object.keys(fieldsOf(hard))
    .filter((name) => name.startsWith('limits') === isLimit)
    .sort()
    .map((name) => `${name}: ${fieldsOf(used)[name] ?? 0}/${fieldsOf(hard)[name]}`)
    .join(', ');

const componentStatuses: Printer = {
  columns: 'Name|Status|Message|Error',
  cells(object) {
    const healthy = listOf(object.conditions).find(({ type }) => type === 'Healthy');
    const status = healthy === undefined ? 'Unknown' : healthy.status === 'True' ? 'Healthy' : 'Unhealthy';
    return [nameOf(object), status, text(healthy?.message), text(healthy?.error)];
  },
};

/** Printers of the kinds of the group, by plural. */
export const corePrinters: Readonly<Record<string, Printer>> = {
  componentstatuses: componentStatuses,
  namespaces: simple('Status', ({ status }) => [text(fieldsOf(status).phase)]),
  configmaps: simple('Data', ({ data, binaryData }) => [sizeOf(data) + sizeOf(binaryData)]),
  secrets: simple('Type|Data', ({ type, data }) => [text(type), sizeOf(data)]),
  serviceaccounts: simple('Secrets', ({ secrets }) => [listOf(secrets).length]),
  nodes,
  events,
  resourcequotas: simple('Request|Limit', ({ status }) => {
    const { hard, used } = fieldsOf(status);
    return [limits(hard, used, false), limits(hard, used, true)];
  }),
};

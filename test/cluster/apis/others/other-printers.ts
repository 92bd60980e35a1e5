import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/checks.ts';
import { humanDuration } from '../printing/age.ts';
import { ageOf, count, labelsText, metaOf, nameOf, orNone, type Printer, simple, text } from '../printing/printer.ts';

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

const subjectNames = (subjects: unknown, kind: string): string =>
  listOf(subjects)
    .filter((subject) => subject.kind === kind)
    .map(({ namespace, name }) => (kind === 'ServiceAccount' ? `${namespace}/${name}` : text(name)))
    .join(', ');

const bindings: Printer = {
  columns: 'Name|Role|Age|Users+|Groups+|ServiceAccounts+',
  cells(object, ago) {
    const { kind, name } = fieldsOf(object.roleRef);
    return [
      nameOf(object),
      `${kind}/${name}`,
      ageOf(object, ago),
      ...['User', 'Group', 'ServiceAccount'].map((subject) => subjectNames(object.subjects, subject)),
    ];
  },
};

const limits = (hard: unknown, used: unknown, isLimit: boolean): string =>
  Object.keys(fieldsOf(hard))
    .filter((name) => name.startsWith('limits') === isLimit)
    .sort()
    .map((name) => `${name}: ${fieldsOf(used)[name] ?? 0}/${fieldsOf(hard)[name]}`)
    .join(', ');

function requestState({ status }: Fields): string {
  const has = (wanted: string): boolean => listOf(fieldsOf(status).conditions).some(({ type }) => type === wanted);
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  const issued = fieldsOf(status).certificate === undefined ? '' : ',Issued';
  return `${decision}${has('Failed') ? ',Failed' : ''}${issued}`;
}

const signingRequests: Printer = {
  columns: 'Name|Age|SignerName|Requestor|RequestedDuration|Condition',
  cells(object, ago) {
    const { signerName, username, expirationSeconds } = fieldsOf(object.spec);
    const duration = typeof expirationSeconds === 'number' ? humanDuration(expirationSeconds * 1000) : '<none>';
    return [nameOf(object), ageOf(object, ago), orNone(signerName), text(username), duration, requestState(object)];
  },
};

/** Returns the state of a ResourceClaim. */
function claimState({ deletionTimestamp }: Fields, { allocation, reservedFor }: Fields): string {
  const isDeleted = deletionTimestamp !== undefined;
  const isReserved = allocation !== undefined && Array.isArray(reservedFor) && reservedFor.length > 0;
  const states = [
    isDeleted && 'deleted',
    allocation === undefined ? !isDeleted && 'pending' : 'allocated',
    isReserved && 'reserved',
  ];
  return states.filter(Boolean).join(',');
}

/** Printers of all other kinds with columns of their own, by plural. */
export const otherPrinters: Readonly<Record<string, Printer>> = {
  deviceclasses: simple('', () => []),
  resourceclaimtemplates: simple('', () => []),
  resourceclaims: simple('State', ({ metadata, status }) => [claimState(fieldsOf(metadata), fieldsOf(status))]),
  resourceslices: simple('Node|Driver|Pool', ({ spec }) => {
    const { nodeName, driver, pool } = fieldsOf(spec);
    return [text(nodeName), text(driver), text(fieldsOf(pool).name)];
  }),
  namespaces: simple('Status', ({ status }) => [text(fieldsOf(status).phase)]),
  configmaps: simple('Data', ({ data, binaryData }) => [sizeOf(data) + sizeOf(binaryData)]),
  secrets: simple('Type|Data', ({ type, data }) => [text(type), sizeOf(data)]),
  serviceaccounts: simple('Secrets', ({ secrets }) => [listOf(secrets).length]),
  leases: simple('Holder', ({ spec }) => [text(fieldsOf(spec).holderIdentity)]),
  nodes,
  events,
  certificatesigningrequests: signingRequests,
  rolebindings: bindings,
  clusterrolebindings: bindings,
  resourcequotas: simple('Request|Limit', ({ status }) => {
    const { hard, used } = fieldsOf(status);
    return [limits(hard, used, false), limits(hard, used, true)];
  }),
  priorityclasses: {
    columns: 'Name|Value:integer|Global-Default:boolean|Age|PreemptionPolicy',
    cells: (object, ago) => [
      nameOf(object),
      count(object.value),
      object.globalDefault === true,
      ageOf(object, ago),
      text(object.preemptionPolicy),
    ],
  },
  runtimeclasses: simple('Handler', ({ handler }) => [text(handler)]),
  validatingwebhookconfigurations: simple('Webhooks:integer', ({ webhooks }) => [listOf(webhooks).length]),
  mutatingwebhookconfigurations: simple('Webhooks:integer', ({ webhooks }) => [listOf(webhooks).length]),
  validatingadmissionpolicies: simple('Validations:integer|ParamKind', ({ spec }) => {
    const { validations, paramKind } = fieldsOf(spec);
    const { apiVersion, kind } = fieldsOf(paramKind);
    return [listOf(validations).length, paramKind === undefined ? '<unset>' : `${apiVersion}/${kind}`];
  }),
  validatingadmissionpolicybindings: simple('PolicyName|ParamRef', ({ spec }) => {
    const { policyName, paramRef } = fieldsOf(spec);
    const { namespace, name, selector } = fieldsOf(paramRef);
    const shown = name === undefined ? labelsText(fieldsOf(selector).matchLabels) : `${namespace ?? '*'}/${name}`;
    return [text(policyName), paramRef === undefined ? '<unset>' : shown];
  }),
};

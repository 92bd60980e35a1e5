import { fieldsOf, listOf } from '../kinds/checks.ts';
import type { Fields } from '../objects/object.ts';
import { ageOf, type Cell, count, labelsText, metaOf, nameOf, type Printer } from './printer.ts';

/** A printer of a name, some cells, and the age. */
const simple = (columns: string, cells: (object: Fields) => readonly Cell[]): Printer => ({
  columns: `Name|${columns}${columns === '' ? '' : '|'}Age`,
  cells: (object, ago) => [nameOf(object), ...cells(object), ageOf(object, ago)],
});

const sizeOf = (value: unknown): number => Object.keys(fieldsOf(value)).length;
const text = (value: unknown): string => String(value ?? '');

const phaseOf = (object: Fields): string =>
  metaOf(object).deletionTimestamp === undefined ? text(fieldsOf(object.status).phase) : 'Terminating';

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const modesText = (modes: unknown): string =>
  Object.keys(shortModes)
    .filter((mode) => Array.isArray(modes) && modes.includes(mode))
    .map((mode) => shortModes[mode])
    .join(',');

const persistentVolumes: Printer = {
  columns:
    'Name|Capacity|Access Modes|Reclaim Policy|Status|Claim|StorageClass|VolumeAttributesClass|Reason|Age|VolumeMode+',
  cells(object, ago) {
    const spec = fieldsOf(object.spec);
    const claim = fieldsOf(spec.claimRef);
    return [
      nameOf(object),
      text(fieldsOf(spec.capacity).storage ?? '0'),
      modesText(spec.accessModes),
      text(spec.persistentVolumeReclaimPolicy),
      phaseOf(object),
      spec.claimRef === undefined ? '' : `${claim.namespace}/${claim.name}`,
      text(spec.storageClassName),
      text(spec.volumeAttributesClassName ?? '<unset>'),
      text(fieldsOf(object.status).reason),
      ageOf(object, ago),
      text(spec.volumeMode ?? '<unset>'),
    ];
  },
};

const persistentVolumeClaims: Printer = {
  columns: 'Name|Status|Volume|Capacity|Access Modes|StorageClass|VolumeAttributesClass|Age|VolumeMode+',
  cells(object, ago) {
    const spec = fieldsOf(object.spec);
    const status = fieldsOf(object.status);
    const isBound = Boolean(spec.volumeName);
    return [
      nameOf(object),
      phaseOf(object),
      text(spec.volumeName),
      isBound ? text(fieldsOf(status.capacity).storage ?? '0') : '',
      isBound ? modesText(status.accessModes) : '',
      text(spec.storageClassName),
      text(spec.volumeAttributesClassName ?? '<unset>'),
      ageOf(object, ago),
      text(spec.volumeMode ?? '<unset>'),
    ];
  },
};

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

/** Events of both groups, which name the same things differently. */
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

const defaultClass = 'storageclass.kubernetes.io/is-default-class';

const storageClasses: Printer = {
  columns: 'Name|Provisioner|ReclaimPolicy|VolumeBindingMode|AllowVolumeExpansion|Age',
  cells(object, ago) {
    const isDefault = fieldsOf(metaOf(object).annotations)[defaultClass] === 'true';
    return [
      isDefault ? `${nameOf(object)} (default)` : nameOf(object),
      text(object.provisioner),
      text(object.reclaimPolicy ?? 'Delete'),
      text(object.volumeBindingMode ?? 'Immediate'),
      object.allowVolumeExpansion === true,
      ageOf(object, ago),
    ];
  },
};

const limits = (hard: unknown, used: unknown, isLimit: boolean): string =>
  Object.keys(fieldsOf(hard))
    .filter((name) => name.startsWith('limits') === isLimit)
    .sort()
    .map((name) => `${name}: ${fieldsOf(used)[name] ?? 0}/${fieldsOf(hard)[name]}`)
    .join(', ');

/** How all other kinds with columns of their own are printed, by plural. */
export const otherPrinters: Readonly<Record<string, Printer>> = {
  namespaces: simple('Status', ({ status }) => [text(fieldsOf(status).phase)]),
  configmaps: simple('Data', ({ data, binaryData }) => [sizeOf(data) + sizeOf(binaryData)]),
  secrets: simple('Type|Data', ({ type, data }) => [text(type), sizeOf(data)]),
  serviceaccounts: simple('Secrets', ({ secrets }) => [listOf(secrets).length]),
  leases: simple('Holder', ({ spec }) => [text(fieldsOf(spec).holderIdentity)]),
  persistentvolumes: persistentVolumes,
  persistentvolumeclaims: persistentVolumeClaims,
  nodes,
  events,
  rolebindings: bindings,
  clusterrolebindings: bindings,
  storageclasses: storageClasses,
  resourcequotas: simple('Request|Limit', ({ status, spec }) => {
    const { hard, used } = fieldsOf(status);
    return [limits(hard ?? fieldsOf(spec).hard, used, false), limits(hard ?? fieldsOf(spec).hard, used, true)];
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
  csinodes: simple('Drivers:integer', ({ spec }) => [listOf(fieldsOf(spec).drivers).length]),
  controllerrevisions: {
    columns: 'Name|Controller|Revision|Age',
    cells(object, ago) {
      const owner = listOf(metaOf(object).ownerReferences).find(({ controller }) => controller === true);
      const controller =
        owner === undefined
          ? '<none>'
          : `${text(owner.kind).toLowerCase()}.${text(owner.apiVersion).split('/')[0]}/${owner.name}`;
      return [nameOf(object), controller, count(object.revision), ageOf(object, ago)];
    },
  },
  volumeattributesclasses: simple('DriverName', ({ driverName }) => [text(driverName)]),
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

/** `managedFields` of the objects that exist from the start. */

import { type Draft, type Fields, isFields } from '../apimachinery/object.ts';

/** Field manager of an initial object. */
interface Author {
  readonly manager: string;
  readonly apiVersion: string;
  /** Timestamp in RFC 3339. */
  readonly time: string;
  /** @default Update */
  readonly operation?: 'Apply';
  readonly subresource?: 'status';
}

/** Builds an entry of `metadata.managedFields`. */
const managedEntry = ({ manager, operation, apiVersion, time, subresource }: Author, fields: Fields): Fields => ({
  manager,
  operation: operation ?? 'Update',
  apiVersion,
  time,
  fieldsType: 'FieldsV1',
  fieldsV1: fields,
  ...(subresource !== undefined && { subresource }),
});

/** Structs that are always present, and so owned by no manager as such. */
const parts: ReadonlySet<string> = new Set(['metadata', 'spec', 'priorityLevelConfiguration']);
const unownedFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'status', 'name', 'namespace', 'generation']);

const treeOf = (name: string, value: unknown): Fields => {
  if (!isFields(value) || name === 'roleRef') return {};
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const own = members.map(([member, inner]) => [`f:${member}`, treeOf(member, inner)] as const);
  return Object.fromEntries(parts.has(name) ? own : [['.', {}] as const, ...own]);
};

/** Returns the fields of an object, with lists owned as a whole. */
function fieldsIn(draft: Draft): Fields {
  const { metadata, ...rest } = Object.fromEntries(Object.entries(draft).filter(([name]) => !unownedFields.has(name)));
  const own = Object.fromEntries(Object.entries(metadata as Fields).filter(([name]) => !unownedFields.has(name)));
  const whole = { ...(Object.keys(own).length > 0 && { metadata: own }), ...rest };
  return Object.fromEntries(
    Object.entries(whole)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [`f:${name}`, treeOf(name, value)]),
  );
}

/** Returns the fields of a condition. */
const conditionFields = (type: string, members: readonly string[]): Fields => {
  const own = members.map((member) => [`f:${member}`, {}] as const);
  const key = `k:{"type":${JSON.stringify(type)}}`;
  return { 'f:status': { 'f:conditions': { [key]: Object.fromEntries([['.', {}], ...own]) } } };
};

const leaves = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [`f:${name}`, {}]));
const labelled = (...names: readonly string[]) => ({ 'f:labels': { '.': {}, ...leaves(...names) } });
const port = { '.': {}, ...leaves('name', 'port', 'protocol', 'targetPort') };
const ofService = {
  'f:metadata': labelled('component', 'provider'),
  'f:spec': {
    ...leaves('clusterIP', 'internalTrafficPolicy', 'ipFamilyPolicy'),
    'f:ports': { '.': {}, 'k:{"port":443,"protocol":"TCP"}': port },
    ...leaves('sessionAffinity', 'type'),
  },
};
const ofNamespace = { 'f:metadata': labelled('kubernetes.io/metadata.name') };

/** Managers of a collection's initial objects: the creator, and one that applies fields to some of them. */
interface Authors {
  /** @default kube-apiserver */
  readonly manager?: string;
  /** Fields of the creator. @default all fields of the object */
  readonly fields?: Fields;
  readonly applied?: {
    readonly manager: string;
    readonly subresource?: 'status';
    readonly fields: Fields;
    /** Selects the objects. @default all */
    readonly to?: (draft: Draft) => boolean;
    /** Top-level member that the creator does not own. */
    readonly member?: string;
  };
}

const priorities = 'api-priority-and-fairness-config';
const conditionMembers = ['lastTransitionTime', 'message', 'reason', 'status', 'type'];

const authors: Readonly<Record<string, Authors>> = {
  '/namespaces': { fields: ofNamespace },
  '/services': { fields: ofService },
  '/configmaps': { manager: 'kube-controller-manager' },
  'flowcontrol.apiserver.k8s.io/flowschemas': {
    manager: `${priorities}-producer-v1`,
    applied: {
      manager: `${priorities}-consumer-v1`,
      subresource: 'status',
      fields: conditionFields('Dangling', conditionMembers),
    },
  },
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': { manager: `${priorities}-producer-v1` },
  'networking.k8s.io/servicecidrs': {
    applied: {
      manager: 'kubernetes-service-cidr-controller',
      subresource: 'status',
      fields: conditionFields(
        'Ready',
        conditionMembers.filter((member) => member !== 'reason'),
      ),
    },
  },
  'rbac.authorization.k8s.io/clusterroles': {
    applied: {
      manager: 'clusterrole-aggregation-controller',
      fields: { 'f:rules': {} },
      to: (draft) => draft.aggregationRule !== undefined,
      member: 'rules',
    },
  },
};

/** Returns the `metadata.managedFields` of an initial object, or one created alike; undefined without owned fields. `time` is a timestamp. */
export function firstManagers(collection: string, draft: Draft, time: string): readonly Fields[] | undefined {
  const { manager = 'kube-apiserver', fields: known, applied } = authors[collection] ?? {};
  const { apiVersion = '' } = draft;
  const isApplied = applied !== undefined && (applied.to?.(draft) ?? true);
  const { [isApplied ? (applied.member ?? '') : '']: _theirs, ...own } = draft;
  const made = managedEntry({ manager, apiVersion, time }, known ?? fieldsIn(own as Draft));
  if (!isApplied) return Object.keys(made.fieldsV1 as Fields).length === 0 ? undefined : [made];
  const { fields, ...author } = applied;
  return [managedEntry({ ...author, operation: 'Apply', apiVersion, time }, fields), made];
}

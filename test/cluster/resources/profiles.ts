/** Differences between the supported minor versions of kube-apiserver. */

import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import { internalFieldsIn } from './internal-structs.ts';
import { type TableChanges, unchanged, type VersionChanges } from './table-changes.ts';
import type { TypeInfo, TypeTable } from './type-table.ts';

/** Capabilities of one minor version. Nothing else depends on the version. */
export interface Profile {
  /** Minor version, 27 to 35. */
  readonly minor: number;
  /** Version that `/version` reports, such as `v1.34.1`. */
  readonly gitVersion: string;
  /** Versions of aggregated discovery, most preferred first. */
  readonly aggregatedDiscovery: readonly ('v2' | 'v2beta1')[];
  /** Supports `sendInitialEvents`: a watch that begins with the current objects, ended by a bookmark. */
  readonly streamingLists: boolean;
  /** Supports validation ratcheting: updates of custom resources may keep invalid values that they do not change. */
  readonly ratcheting: boolean;
  /** Differences between this version and the tables. */
  readonly changes: VersionChanges;
  /** Returns a built-in resource as this version serves it; undefined when it does not. */
  served(info: ResourceInfo): ResourceInfo | undefined;
  /** Returns the built-in types with the fields that this version knows, and its internal structs. */
  known(types: TypeTable): TypeTable;
}

const oldest = 27;
const newest = 35;
/** Minor version that the tables are of. */
const tablesMinor = 34;
const patches: Readonly<Record<number, number>> = { 34: 1 };

/** Minor version that first serves a built-in resource, by group, version and plural, if later than 1.27. */
const lateResources: Readonly<Record<string, number>> = {
  'authentication.k8s.io/v1 selfsubjectreviews': 28,
  'admissionregistration.k8s.io/v1 validatingadmissionpolicies': 30,
  'admissionregistration.k8s.io/v1 validatingadmissionpolicybindings': 30,
  'networking.k8s.io/v1 ipaddresses': 33,
  'networking.k8s.io/v1 servicecidrs': 33,
  'v1 pods/resize': 33,
  'resource.k8s.io/v1 deviceclasses': 34,
  'resource.k8s.io/v1 resourceclaims': 34,
  'resource.k8s.io/v1 resourceclaimtemplates': 34,
  'resource.k8s.io/v1 resourceslices': 34,
  'storage.k8s.io/v1 volumeattributesclasses': 34,
};

/** Minor version that first keeps a field, by type, if later than 1.27. */
const lateFields: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'admissionregistration.MutatingWebhook': { matchConditions: 28 },
  'admissionregistration.ValidatingWebhook': { matchConditions: 28 },
  'apiextensions.CustomResourceDefinitionVersion': { selectableFields: 31 },
  'apiextensions.ValidationRule': { reason: 28, fieldPath: 28, optionalOldSelf: 30 },
  'batch.JobSpec': {
    podReplacementPolicy: 29,
    backoffLimitPerIndex: 29,
    maxFailedIndexes: 29,
    successPolicy: 31,
    managedBy: 32,
  },
  'core.Container': { restartPolicy: 29 },
  'core.ServiceSpec': { trafficDistribution: 31 },
};

/** Reports whether streaming lists are enabled by default: they were in 1.32, not in 1.33, and again from 1.34. */
const streamsLists = (minor: number): boolean => minor === 32 || minor >= 34;

const isLate = (since: number | undefined, minor: number): boolean => since !== undefined && since > minor;

/** Reports whether a deprecation warning is of a later version. */
function isNotYet(warning: string | undefined, minor: number): boolean {
  const [, since] = (warning !== undefined && /deprecated in v1\.(\d+)/.exec(warning)) || [];
  return since !== undefined && isLate(Number(since), minor);
}

function servedAt(minor: number, info: ResourceInfo): ResourceInfo | undefined {
  if (minor >= tablesMinor) return info;
  const key = `${info.group === '' ? '' : `${info.group}/`}${info.version} ${info.plural}`;
  if (isLate(lateResources[key], minor)) return undefined;
  const subresources = info.subresources.filter(({ name }) => !isLate(lateResources[`${key}/${name}`], minor));
  const { deprecationWarning, ...others } = info;
  if (isNotYet(deprecationWarning, minor)) return { ...others, subresources };
  return subresources.length === info.subresources.length ? info : { ...info, subresources };
}

function knownAt(minor: number, types: TypeTable): TypeTable {
  const cut = new Map<string, TypeInfo>();
  return (name) => {
    const made = cut.get(name);
    if (made !== undefined) return made;
    const type = types(name);
    const late = lateFields[name];
    if (late === undefined) return type;
    const isKnown = ([field]: readonly [string, unknown]): boolean => !isLate(late[field], minor);
    const fields = new Map([...type.fields].filter(isKnown));
    const known = { ...type, fields, defaults: Object.fromEntries(Object.entries(type.defaults).filter(isKnown)) };
    cut.set(name, known);
    return known;
  };
}

const discoveryAt = (minor: number): Profile['aggregatedDiscovery'] =>
  minor >= 33 ? ['v2'] : minor >= 30 ? ['v2', 'v2beta1'] : ['v2beta1'];

/** Returns the types with the internal structs of a version; null in the changes is a struct like the published type. */
function withStructs(types: TypeTable, structs: TableChanges = {}): TypeTable {
  if (Object.keys(structs).length === 0) return types;
  return (name) => {
    const type = types(name);
    const line = structs[name];
    if (line === undefined) return type;
    return { ...type, internalFields: internalFieldsIn(line ?? [name, ...type.fields.keys()].join(' ')) };
  };
}

/** Changes of the versions that have some, in the order of versions; a version in between has those of the next newer one. */
const loaders: readonly (readonly [minor: number, load: () => Promise<VersionChanges>])[] = [
  [tablesMinor, async () => unchanged],
  [35, async () => (await import('./versions/v1-35.ts')).changes],
];

function profileWith(minor: number, patch: string | number, changes: VersionChanges): Profile {
  const late = (types: TypeTable): TypeTable => (minor >= tablesMinor ? types : knownAt(minor, types));
  return {
    minor,
    gitVersion: `v1.${minor}.${patch}`,
    aggregatedDiscovery: discoveryAt(minor),
    streamingLists: streamsLists(minor),
    ratcheting: minor >= 30,
    changes,
    served: (info) => servedAt(minor, info),
    known: (types) => withStructs(late(types), changes.tables.internalStructs),
  };
}

/** Profile of the version that the tables are of. */
export const defaultProfile: Profile = profileWith(tablesMinor, patches[tablesMinor] ?? 0, unchanged);

/** Loads the profile of a version such as `1.29` or `v1.29.4`. Rejects with a TypeError for an unsupported version. */
export async function loadProfile(version?: string): Promise<Profile> {
  if (version === undefined) return defaultProfile;
  const [, minorText, patch] = /^v?1\.(\d+)(?:\.(\d+))?$/.exec(version) ?? [];
  const minor = Number(minorText);
  if (!(minor >= oldest && minor <= newest)) {
    throw new TypeError(`version is ${JSON.stringify(version)}, and must be one from 1.${oldest} to 1.${newest}`);
  }
  const [, load] = loaders.find(([of]) => of >= minor)!;
  return profileWith(minor, patch ?? patches[minor] ?? 0, await load());
}

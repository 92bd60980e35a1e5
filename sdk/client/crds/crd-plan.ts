/** Decides how to create or update a CustomResourceDefinition; no I/O. */

import { isSameJson } from '../../api/json.ts';
import type { CustomResourceDefinition } from '../../api/kind.ts';
import { isDeleting } from '../../api/object.ts';
import type { CrdVersion } from './crd-gaps.ts';

type Definition = CustomResourceDefinition;

/** Action on a definition, with an optional notice for administrators. */
export type CrdPlan =
  | { readonly type: 'create' }
  | { readonly type: 'keep'; readonly notice?: string }
  | { readonly type: 'update'; readonly definition: Definition; readonly notice?: string }
  | { readonly type: 'refuse'; readonly problem: string };

/** Annotation of definitions: the release that wrote them. */
export const releaseAnnotation = 'se.quencer.io/release';

const stages = ['alpha', 'beta', ''];

function rankOf(version: string): readonly number[] {
  const [, major, stage = '', minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  return major === undefined ? [-1] : [stages.indexOf(stage), Number(major), Number(minor)];
}

/** Compares API versions by Kubernetes' version priority, lowest first: v1alpha1, v2alpha1, v1beta1, v1, v2. */
export const compareApiVersions = (one: string, other: string): number =>
  compareNumbers(rankOf(one), rankOf(other)) || one.localeCompare(other);

function compareNumbers(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

const compareReleases = (one: string, other: string): number =>
  compareNumbers(...([one, other].map((release) => release.split(/[.+-]/, 3).map(Number)) as [number[], number[]]));

/** Reports whether servers omit the member from responses: undefined members, empty lists, schemas' empty `properties`. */
const isOmitted = ([name, member]: [string, unknown]): boolean =>
  member === undefined ||
  (Array.isArray(member) && member.length === 0) ||
  (name === 'properties' && typeof member === 'object' && member !== null && Object.keys(member).length === 0);

/** Removes the members that servers omit, at all levels. */
function withoutOmitted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOmitted);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter((entry) => !isOmitted(entry));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutOmitted(member)]));
}

const isSame = (one: unknown, other: unknown): boolean => isSameJson(withoutOmitted(one), withoutOmitted(other));

/** Returns the desired conversion with the existing CA bundle, which another manager owns; the existing conversion if none is desired. */
function mergedConversion({ spec: { conversion: wanted } }: Definition, { spec: { conversion: found } }: Definition) {
  if (wanted?.webhook === undefined) return wanted ?? found;
  const { caBundle } = found?.webhook?.clientConfig ?? {};
  const clientConfig = { ...(caBundle !== undefined && { caBundle }), ...wanted.webhook.clientConfig };
  return { ...wanted, webhook: { ...wanted.webhook, clientConfig } };
}

/** Returns the existing webhook conversion without its CA bundle, to be applied again, since an apply removes omitted fields. */
function existingConversion({ spec: { conversion } }: Definition) {
  if (conversion?.webhook === undefined) return undefined;
  const { caBundle: _, ...clientConfig } = conversion.webhook.clientConfig;
  return { ...conversion, webhook: { ...conversion.webhook, clientConfig } };
}

/** Merges the desired versions into the existing definition; unknown versions are kept. */
function merged(wanted: Definition, found: Definition): Definition['spec'] {
  const ours = wanted.spec.versions.map(({ name }) => name);
  const others = found.spec.versions.filter(({ name }) => !ours.includes(name));
  const conversion = mergedConversion(wanted, found);
  return {
    ...found.spec,
    names: { ...found.spec.names, ...wanted.spec.names },
    versions: [...others.map((version) => ({ ...version, storage: false })), ...wanted.spec.versions],
    ...(conversion && { conversion }),
  };
}

const describeVersion = ({ name }: CrdVersion): string => `version ${name}`;

const versionIn = ({ spec }: Definition, { name }: CrdVersion): CrdVersion | undefined =>
  spec.versions.find((version) => version.name === name);

/** Returns the plan for an existing definition that must not be changed; undefined for one that may be changed. */
function planWithoutChange(wanted: Definition, found: Definition, release: string | undefined): CrdPlan | undefined {
  const [ours] = wanted.spec.versions as [CrdVersion];
  const { name, annotations } = found.metadata;
  if (found.spec.scope !== wanted.spec.scope || found.spec.names.kind !== wanted.spec.names.kind)
    return {
      type: 'refuse',
      problem: `${name} on the server is of kind ${found.spec.names.kind}, ${found.spec.scope}; ours is ${wanted.spec.names.kind}, ${wanted.spec.scope}`,
    };
  const stored = found.spec.versions.find(({ storage }) => storage);
  if (stored !== undefined && compareApiVersions(stored.name, ours.name) > 0)
    return versionIn(found, ours)?.served
      ? { type: 'keep', notice: `${name} is left alone: the server stores the newer ${describeVersion(stored)}` }
      : {
          type: 'refuse',
          problem: `${name} on the server has the newer ${describeVersion(stored)} and no longer serves ${ours.name}`,
        };
  if (isDeleting(found))
    return { type: 'keep', notice: `${name} is being deleted: it goes when the last ${ours.name} object is gone` };
  const writer = annotations?.[releaseAnnotation];
  if (release !== undefined && writer !== undefined && compareReleases(writer, release) > 0)
    return { type: 'keep', notice: `${name} is left alone: the newer release ${writer} wrote it` };
  return undefined;
}

/** Returns the action on a definition. `release` is the one of this program: an older release keeps the definition of a newer one. */
export function planCrd(wanted: Definition, found: Definition | undefined, release: string | undefined): CrdPlan {
  if (found === undefined) return { type: 'create' };
  const [ours] = wanted.spec.versions as [CrdVersion];
  const { name, annotations, uid, resourceVersion } = found.metadata;
  const kept = planWithoutChange(wanted, found, release);
  if (kept !== undefined) return kept;
  const theirs = versionIn(found, ours);
  const spec = merged(wanted, found);
  if (isSame(spec, found.spec)) return { type: 'keep' };
  const conversion = wanted.spec.conversion ?? existingConversion(found);
  const definition = appliedDefinition(wanted, release, { uid, resourceVersion, versions: spec.versions, conversion });
  return annotations?.[releaseAnnotation] === undefined && theirs !== undefined && !isSame(theirs.schema, ours.schema)
    ? {
        type: 'update',
        definition,
        notice: `${name} had a schema of another writer; it was replaced by that of this release`,
      }
    : { type: 'update', definition };
}

/** Parts of the stored definition that an apply repeats, and its uid and version, which the apply requires to be unchanged. */
interface ExistingDefinition {
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly versions: Definition['spec']['versions'];
  readonly conversion: Definition['spec']['conversion'];
}

/** Returns the object for server-side apply: the desired fields, the complete list of versions, and the release annotation. */
export function appliedDefinition(
  wanted: Definition,
  release: string | undefined,
  existing?: ExistingDefinition,
): Definition {
  const { name, annotations } = wanted.metadata;
  return {
    ...wanted,
    metadata: {
      name,
      annotations: { ...annotations, ...(release !== undefined && { [releaseAnnotation]: release }) },
      ...(existing?.uid !== undefined && { uid: existing.uid }),
      ...(existing?.resourceVersion !== undefined && { resourceVersion: existing.resourceVersion }),
    },
    spec: {
      ...wanted.spec,
      ...(existing && { versions: existing.versions, ...(existing.conversion && { conversion: existing.conversion }) }),
    },
  };
}

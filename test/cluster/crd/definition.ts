/** Reads CustomResourceDefinitions. */

import { createHash } from 'node:crypto';
import type { JsonSchema, PrinterColumn } from '../../../sdk/api/kind.ts';
import { type Fields, isFields } from '../apimachinery/object.ts';
import type { CustomResource, ResourceInfo, ScalePaths, SubresourceInfo, Verb } from '../apimachinery/resource-info.ts';

/** Names of a definition, as stored. */
export interface DefinitionNames {
  readonly plural: string;
  readonly singular?: string;
  readonly kind: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** Version of a definition. */
export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: ScalePaths };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

/** Conversion between versions. */
interface Conversion {
  readonly strategy: string;
  readonly webhook?: Fields;
}

/** Decoded spec of a CustomResourceDefinition; absent fields had no value. */
export interface DefinitionSpec {
  readonly group: string;
  readonly scope: string;
  readonly names: DefinitionNames;
  readonly versions: readonly DefinitionVersion[] | null;
  readonly conversion?: Conversion;
  readonly preserveUnknownFields?: boolean;
}

/** Returns the spec of a definition. */
export const definitionSpecOf = (crd: Fields): DefinitionSpec => crd.spec as unknown as DefinitionSpec;

const verbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const subresourceVerbs: readonly Verb[] = ['get', 'patch', 'update'];

/** Default column of a kind that declares none. */
const ageColumn: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** Orders versions: `v2` before `v1` before `v1beta1` before `v1alpha1`, then others by name. */
export function compareVersions(a: string, b: string): number {
  const rank = (version: string): readonly number[] | undefined => {
    const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
    if (match === null) return undefined;
    const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
    return [stability, Number(match[1]), Number(match[3] ?? 0)];
  };
  const left = rank(a);
  const right = rank(b);
  if (left === undefined || right === undefined) {
    return left === right ? a.localeCompare(b, 'en') : left === undefined ? 1 : -1;
  }
  const index = left.findIndex((part, position) => part !== right[position]);
  return index === -1 ? 0 : right[index]! - left[index]!;
}

/** Returns the storage version hash that discovery shows. */
export const storageVersionHashOf = (group: string, version: string, kind: string): string =>
  createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');

function subresourcesOf({ kind }: DefinitionNames, { subresources }: DefinitionVersion): SubresourceInfo[] {
  const found: SubresourceInfo[] = [];
  if (subresources?.status) found.push({ name: 'status', kind, verbs: subresourceVerbs });
  if (subresources?.scale) {
    found.push({ name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: subresourceVerbs });
  }
  return found;
}

/** Returns the default deprecation warning: it names the best later version that is not deprecated. */
function deprecationOf({ group, names, versions = [] }: DefinitionSpec, deprecated: string): string {
  const better = (versions ?? [])
    .filter(({ name, served, deprecated: isOld }) => served && !isOld && compareVersions(name, deprecated) < 0)
    .sort((a, b) => compareVersions(a.name, b.name))[0];
  const advice = better === undefined ? '' : `; use ${group}/${better.name} ${names.kind}`;
  return `${group}/${deprecated} ${names.kind} is deprecated${advice}`;
}

function customOf(crd: Fields, version: DefinitionVersion): CustomResource {
  const spec = definitionSpecOf(crd);
  const { versions, preserveUnknownFields } = spec;
  const { scale } = version.subresources ?? {};
  const { additionalPrinterColumns = [], selectableFields = [], deprecationWarning } = version;
  return {
    crd: (crd.metadata as { name: string }).name,
    storageVersion: versions?.find(({ storage }) => storage)?.name ?? version.name,
    ...(scale !== undefined && { scale }),
    columns: additionalPrinterColumns.length > 0 ? additionalPrinterColumns : [ageColumn],
    selectableFields: selectableFields.map(({ jsonPath }) => jsonPath),
    ...(version.deprecated === true && {
      deprecationWarning: deprecationWarning ?? deprecationOf(spec, version.name),
    }),
    preserveUnknownFields: preserveUnknownFields === true,
  };
}

/** Returns the names of the served versions. */
const servedBy = (crd: Fields): ReadonlySet<string> =>
  new Set((definitionSpecOf(crd).versions ?? []).filter(({ served }) => served).map(({ name }) => name));

/** Returns a resource per served version, the most stable first. The definition must have been defaulted. */
export function resourceInfosOf(crd: Fields, all = versionInfosOf(crd)): readonly ResourceInfo[] {
  const served = servedBy(crd);
  return all.filter(({ version }) => served.has(version));
}

/** Returns a resource per version, served or not, the most stable first. The definition must have been defaulted. */
export function versionInfosOf(crd: Fields): readonly ResourceInfo[] {
  const { group, scope, names, versions } = definitionSpecOf(crd);
  return [...(versions ?? [])]
    .sort((a, b) => compareVersions(a.name, b.name))
    .map((version) => {
      const custom = customOf(crd, version);
      return {
        group,
        version: version.name,
        kind: names.kind,
        listKind: names.listKind ?? `${names.kind}List`,
        plural: names.plural,
        singular: names.singular ?? names.kind.toLowerCase(),
        namespaced: scope === 'Namespaced',
        verbs,
        shortNames: names.shortNames ?? [],
        categories: names.categories ?? [],
        subresources: subresourcesOf(names, version),
        hasStatus: version.subresources?.status !== undefined,
        hasGeneration: true,
        deleteReturnsObject: false,
        unconditionalUpdate: false,
        createOnUpdate: false,
        statusUpdatesMetadata: false,
        storageVersionHash: storageVersionHashOf(group, custom.storageVersion, names.kind),
        schema: () => version.schema?.openAPIV3Schema,
        custom,
      };
    });
}

/** Webhook services default to the HTTPS port. */
function withPort(conversion: Conversion): Conversion {
  const { clientConfig } = conversion.webhook ?? {};
  if (!isFields(clientConfig) || !isFields(clientConfig.service)) return conversion;
  const service = { port: 443, ...clientConfig.service };
  return { ...conversion, webhook: { ...conversion.webhook, clientConfig: { ...clientConfig, service } } };
}

/** Returns a definition with default names and conversion. */
export function defaultCrd(crd: Fields): Fields {
  const spec = definitionSpecOf(crd);
  const { singular, listKind, kind = '' } = spec.names;
  const names = {
    ...spec.names,
    ...(singular ? {} : { singular: kind.toLowerCase() }),
    ...(listKind || kind === '' ? {} : { listKind: `${kind}List` }),
  };
  const strategy = spec.conversion?.strategy;
  const conversion = strategy ? withPort(spec.conversion!) : { ...spec.conversion, strategy: 'None' };
  return { ...crd, spec: { ...spec, names, conversion } };
}

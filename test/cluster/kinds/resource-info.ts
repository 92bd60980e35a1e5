import type { JsonSchema, PrinterColumn } from '../../../sdk/api/kind.ts';

/** A verb as discovery lists it. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** What is served below an object's own path, such as `pods/eviction`. */
export interface SubresourceInfo {
  /** The last part of the path: `status`, `scale`, `eviction`. */
  readonly name: string;
  /** The kind that is read and written there; its group and version only where they differ from the resource's. */
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly Verb[];
}

/** Where a custom resource keeps what its `/scale` shows; paths start with a dot. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** What only resources made by a CustomResourceDefinition have. */
export interface CustomResource {
  /** Name of the CustomResourceDefinition. */
  readonly crd: string;
  /** The version objects are stored at. */
  readonly storageVersion: string;
  readonly scale?: ScalePaths;
  readonly columns: readonly PrinterColumn[];
  readonly selectableFields: readonly string[];
  /** The text of the Warning header; set when this version is deprecated. */
  readonly deprecationWarning?: string;
  /** Unknown fields are kept everywhere (`spec.preserveUnknownFields`, only from old definitions). */
  readonly preserveUnknownFields: boolean;
}

/** One resource at one served version: everything that the request handler asks about a kind. Plain data. */
export interface ResourceInfo {
  /** API group; empty for core. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  /** In the order of discovery. */
  readonly verbs: readonly Verb[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly SubresourceInfo[];
  /** Whether the main endpoint ignores `status`, because `/status` exists. */
  readonly hasStatus: boolean;
  /** Whether `metadata.generation` is kept. */
  readonly hasGeneration: boolean;
  /** Whether DELETE answers with the object instead of a Status. */
  readonly deleteReturnsObject: boolean;
  /** Whether a PUT without resourceVersion is accepted. */
  readonly unconditionalUpdate: boolean;
  /** Whether a PUT of a missing object creates it. */
  readonly createOnUpdate: boolean;
  /** Whether a write to `/status` may change metadata too. */
  readonly statusUpdatesMetadata: boolean;
  readonly storageVersionHash?: string;
  /** Field labels that a fieldSelector may use besides `metadata.name` and `metadata.namespace`; only these two, with another error text, when absent. */
  readonly fieldLabels?: readonly string[];
  /** The text of the Warning header of every answer; built-in kinds only. */
  readonly deprecationWarning?: string;
  /** Name of the Go type in the tables of `types.ts`; built-in kinds only. */
  readonly type?: string;
  /** The structural schema; custom resources only. Undefined: anything goes. */
  readonly schema?: () => JsonSchema | undefined;
  readonly custom?: CustomResource;
}

/** `pods`, `deployments.apps`: how messages name the resource. */
export const qualifiedResourceOf = ({ group, plural }: Pick<ResourceInfo, 'group' | 'plural'>): string =>
  group === '' ? plural : `${plural}.${group}`;

/** `Pod`, `Deployment.apps`: how messages of invalid objects name the kind. */
export const qualifiedKindOf = ({ group, kind }: Pick<ResourceInfo, 'group' | 'kind'>): string =>
  group === '' ? kind : `${kind}.${group}`;

/** `v1`, `apps/v1`. */
export const groupVersionOf = ({ group, version }: Pick<ResourceInfo, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

/** `api/v1`, `apis/apps/v1`: where a group version is served, as the index of OpenAPI documents names it. */
export const rootOf = (info: Pick<ResourceInfo, 'group' | 'version'>): string =>
  `${info.group === '' ? 'api' : 'apis'}/${groupVersionOf(info)}`;

/** The subresource of that name, or undefined. */
export const subresourceOf = (info: ResourceInfo, name: string): SubresourceInfo | undefined =>
  info.subresources.find((subresource) => subresource.name === name);

/** Whether the resource comes from a CustomResourceDefinition. */
export const isCustom = (info: ResourceInfo): boolean => info.custom !== undefined;

/** Describes resources: everything that request handlers know of a kind. */

import type { JsonSchema, PrinterColumn } from '../../../sdk/api/kind.ts';

/** Verb, as discovery lists it. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** Subresource, such as `pods/eviction`. */
export interface SubresourceInfo {
  /** Last segment of the path: `status`, `scale`, `eviction`. */
  readonly name: string;
  /** Kind that is read and written; its group and version only where they differ from the resource's. */
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly Verb[];
}

/** Paths of a custom resource's `/scale` fields, each starting with a dot. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** Properties of custom resources. */
export interface CustomResource {
  /** Name of the CustomResourceDefinition. */
  readonly crd: string;
  /** Version that objects are stored at. */
  readonly storageVersion: string;
  readonly scale?: ScalePaths;
  readonly columns: readonly PrinterColumn[];
  readonly selectableFields: readonly string[];
  /** Text of the Warning header; set when this version is deprecated. */
  readonly deprecationWarning?: string;
  /** True to keep unknown fields everywhere (`spec.preserveUnknownFields` of old definitions). */
  readonly preserveUnknownFields: boolean;
}

/** Resource at a served version, as plain data. */
export interface ResourceInfo {
  /** API group; empty for core. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  /** Verbs in the order of discovery. */
  readonly verbs: readonly Verb[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly SubresourceInfo[];
  /** True when the main endpoint ignores `status`, because `/status` exists. */
  readonly hasStatus: boolean;
  /** True when `metadata.generation` is counted. */
  readonly hasGeneration: boolean;
  /** True when DELETE answers with the object instead of a Status. */
  readonly deleteReturnsObject: boolean;
  /** True when PUT without resourceVersion is accepted. */
  readonly unconditionalUpdate: boolean;
  /** True when PUT creates a missing object. */
  readonly createOnUpdate: boolean;
  /** True when a write to `/status` may also change metadata. */
  readonly statusUpdatesMetadata: boolean;
  readonly storageVersionHash?: string;
  /**
   * Field labels of field selectors besides `metadata.name` and `metadata.namespace`; when absent only these two are
   * supported, with another error message.
   */
  readonly fieldLabels?: readonly string[];
  /** Text of the Warning header of every answer; built-in kinds only. */
  readonly deprecationWarning?: string;
  /** Type in the tables of `apis`; built-in kinds only. */
  readonly type?: string;
  /** Structural schema; custom resources only. Undefined accepts any content. */
  readonly schema?: () => JsonSchema | undefined;
  readonly custom?: CustomResource;
}

/** Returns the resource's name in messages: `pods`, `deployments.apps`. */
export const qualifiedResourceOf = ({ group, plural }: Pick<ResourceInfo, 'group' | 'plural'>): string =>
  group === '' ? plural : `${plural}.${group}`;

/** Returns the kind's name in messages about invalid objects: `Pod`, `Deployment.apps`. */
export const qualifiedKindOf = ({ group, kind }: Pick<ResourceInfo, 'group' | 'kind'>): string =>
  group === '' ? kind : `${kind}.${group}`;

/** Returns the apiVersion: `v1`, `apps/v1`. */
export const groupVersionOf = ({ group, version }: Pick<ResourceInfo, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

/** Returns the path of a group version, which is also its name in the index of OpenAPI documents: `api/v1`, `apis/apps/v1`. */
export const rootOf = (info: Pick<ResourceInfo, 'group' | 'version'>): string =>
  `${info.group === '' ? 'api' : 'apis'}/${groupVersionOf(info)}`;

/** Returns the subresource with a name; undefined when there is none. */
export const subresourceOf = (info: ResourceInfo, name: string): SubresourceInfo | undefined =>
  info.subresources.find((subresource) => subresource.name === name);

/** Reports whether the resource is defined by a CustomResourceDefinition. */
export const isCustom = (info: ResourceInfo): boolean => info.custom !== undefined;

/** Facts about the built-in types and resources, as the program `upstream` prints them. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { binaryPath } from '../binaries.ts';

/** Type of a field's value; a named one that is no struct has its name in Go. */
export interface GoType {
  readonly is: string;
  readonly go?: string;
  readonly package?: string;
  readonly key?: GoType;
  readonly of?: GoType;
  readonly enum?: readonly string[];
}

/** Field of a Go struct, with what its tags and its OpenAPI schema say. */
export interface GoField {
  readonly name: string;
  readonly protobuf?: string;
  readonly type: GoType;
  readonly required?: boolean;
  readonly pointer?: boolean;
  readonly omitEmpty?: boolean;
  readonly omitZero?: boolean;
  readonly patchStrategy?: readonly string[];
  readonly mergeKey?: string;
  readonly atomic?: boolean;
  readonly set?: boolean;
  readonly mapKeys?: readonly string[];
  readonly granular?: boolean;
  /** Default other than the zero value. */
  readonly default?: unknown;
  readonly zeroDefault?: boolean;
}

/** Go struct that is a built-in kind or a part of one. */
export interface GoStruct {
  readonly package: string;
  readonly name: string;
  /** True for an answer that is not stored. */
  readonly page?: boolean;
  readonly object?: boolean;
  readonly atomic?: boolean;
  readonly fields: readonly GoField[];
}

/** Column of a table, as the API server describes it. */
export interface GoColumn {
  readonly name: string;
  readonly description: string;
}

/** Collection that is served by default, or one of its subresources. */
export interface GoResource {
  readonly group: string;
  readonly version: string;
  /** Plural, and the subresource after a slash. */
  readonly path: string;
  readonly kindGroup: string;
  readonly kindVersion: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly namespaced?: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
  readonly deleteReturnsObject?: boolean;
  readonly deprecation?: string;
  /** Labels that field selectors may name besides name and namespace. */
  readonly fieldLabels?: readonly string[];
  readonly columns?: readonly GoColumn[];
  readonly strategy?: {
    readonly unconditionalUpdate?: boolean;
    readonly createOnUpdate?: boolean;
    readonly generation?: boolean;
    /** True when an update may change metadata. */
    readonly metadata?: boolean;
  };
}

/** Internal struct of a published type. */
export interface GoForm {
  readonly package: string;
  readonly name: string;
  /** Its fields by their names in JSON and in Go; those without a name in JSON are not published. */
  readonly fields: readonly { readonly name?: string; readonly go: string }[];
}

/** Rule of a role. */
export interface GoRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Metadata of a default role or binding. */
export interface GoMetadata {
  readonly namespace?: string;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Role or ClusterRole. */
export interface GoRole {
  readonly metadata: GoMetadata;
  readonly rules?: readonly GoRule[] | null;
  readonly aggregationRule?: object;
}

/** RoleBinding or ClusterRoleBinding. */
export interface GoBinding {
  readonly metadata: GoMetadata;
  readonly roleRef: { readonly name: string };
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[] | null;
}

/** Default roles and bindings; namespaced ones under their namespaces. */
export interface GoRoles {
  readonly clusterRoles: readonly GoRole[];
  readonly controllerRoles: readonly GoRole[];
  readonly roles: Readonly<Record<string, readonly GoRole[]>>;
  readonly clusterBindings: readonly GoBinding[];
  readonly controllerBindings: readonly GoBinding[];
  readonly bindings: Readonly<Record<string, readonly GoBinding[]>>;
}

/** Objects that a server creates at its start. */
export interface GoSeeds {
  readonly flowSchemas: readonly { readonly metadata: GoMetadata; readonly spec: object }[];
  readonly priorityLevels: readonly { readonly metadata: GoMetadata; readonly spec: object }[];
  readonly priorityClasses: readonly { readonly metadata: GoMetadata; readonly value: number }[];
  /** Priorities by the name of the APIService. */
  readonly apiServices: Readonly<Record<string, object>>;
}

/** All facts about one version of Kubernetes. */
export interface Facts {
  readonly types: readonly GoStruct[];
  /** Groups in the order of discovery, paths in theirs. */
  readonly resources: readonly GoResource[];
  readonly forms: readonly GoForm[];
  readonly roles: GoRoles;
  readonly seeds: GoSeeds;
}

/** Runs a program of a version, which has to be built. @default the version of go.mod */
export async function readFacts(program = binaryPath('upstream')): Promise<Facts> {
  const { stdout } = await promisify(execFile)(program, { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as Facts;
}

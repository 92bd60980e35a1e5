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
  readonly columns?: readonly GoColumn[];
  readonly strategy?: {
    readonly unconditionalUpdate?: boolean;
    readonly createOnUpdate?: boolean;
    readonly generation?: boolean;
    /** True when an update may change metadata. */
    readonly metadata?: boolean;
  };
}

/** All facts about one version of Kubernetes. */
export interface Facts {
  readonly types: readonly GoStruct[];
  /** Groups in the order of discovery, paths in theirs. */
  readonly resources: readonly GoResource[];
}

/** Runs the program, which has to be built. */
export async function readFacts(): Promise<Facts> {
  const { stdout } = await promisify(execFile)(binaryPath('upstream'), { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as Facts;
}

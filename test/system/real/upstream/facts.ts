/** Facts about the built-in types, as the program `upstream` prints them. */

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
  readonly default?: unknown;
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

/** All facts about one version of Kubernetes. */
export interface Facts {
  readonly types: readonly GoStruct[];
}

/** Runs the program, which has to be built. */
export async function readFacts(): Promise<Facts> {
  const { stdout } = await promisify(execFile)(binaryPath('upstream'), { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as Facts;
}

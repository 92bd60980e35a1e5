/** Kinds: the address of an API resource, its types and its CustomResourceDefinition. */

import type { ZodObject as ObjectSchema } from 'zod';
import type { KubeObject } from './object.ts';

/** Address of one kind at one version; `T` is the type of its objects. Plain data: nothing is loaded or checked here. */
export interface Kind<T extends KubeObject = KubeObject> {
  /** API group; empty for core. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Resource name in URLs, such as `workspaces`. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** Loads its CustomResourceDefinition; absent for built-in kinds. */
  readonly crd?: () => Promise<CustomResourceDefinition>;
  /** Never set: carries the type. */
  readonly objects?: T;
}

/** JSON schema as CRDs hold it (`openAPIV3Schema`). */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** An `apiextensions.k8s.io/v1` CustomResourceDefinition. */
export interface CustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: {
      readonly plural: string;
      readonly singular?: string;
      readonly kind: string;
      readonly listKind?: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly storage: boolean;
      readonly schema?: { readonly openAPIV3Schema: JsonSchema };
      readonly subresources?: { readonly status?: object; readonly scale?: object };
      readonly additionalPrinterColumns?: readonly PrinterColumn[];
    }[];
    /** Conversion between versions. @default none: all of them have the same fields */
    readonly conversion?: {
      readonly strategy: string;
      readonly webhook?: {
        readonly clientConfig: { readonly url?: string; readonly service?: object; readonly caBundle?: string };
        readonly conversionReviewVersions: readonly string[];
      };
    };
  };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}

/** One column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
  readonly priority?: number;
}

/** `group/version`, or `version` for core. */
export const apiVersionOf = ({ group, version }: Pick<Kind, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

/** Inverse of {@link apiVersionOf}. */
export function parseApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return { group, version };
}

/** Resource name as kubectl prints it: `workspaces.se.quencer.io`, or `pods`. */
export const resourceOf = ({ group, plural }: Pick<Kind, 'group' | 'plural'>): string =>
  group === '' ? plural : `${plural}.${group}`;

/** Options of {@link defineKind}. */
export interface KindOptions {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** @default the kind in lower case plus `s` */
  readonly plural?: string;
  /** @default true */
  readonly namespaced?: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly columns?: readonly PrinterColumn[];
  /** Returns a zod 4 object schema of `spec` and, for a status subresource, `status`. Called only when the CRD is loaded. */
  readonly schema: () => ObjectSchema | Promise<ObjectSchema>;
}

/**
 * Defines a custom kind whose CRD is generated from its zod schema: types, structural schema, columns, list-map keys, defaults and CEL rules.
 *
 * @example
 * ```ts run
 * import { defineKind, type KubeObject } from 'workspace-sequencer/sdk';
 * import { z } from 'zod';
 *
 * interface Backup extends KubeObject {
 *   readonly spec: { readonly volume: string };
 * }
 *
 * export const Backup = defineKind<Backup>({
 *   group: 'example.com',
 *   version: 'v1',
 *   kind: 'Backup',
 *   schema: () => z.object({ spec: z.object({ volume: z.string().max(63) }) }),
 * });
 * ```
 */
export function defineKind<T extends KubeObject>(options: KindOptions): Kind<T> {
  const { group, version, kind, plural = `${kind.toLowerCase()}s`, namespaced = true } = options;
  return {
    group,
    version,
    kind,
    plural,
    namespaced,
    crd: async () => {
      const [{ crdOf }, schema] = await Promise.all([import('./crd.ts'), options.schema()]);
      return crdOf({ ...options, plural, namespaced }, schema);
    },
  };
}

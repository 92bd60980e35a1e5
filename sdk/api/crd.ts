/** Generates CustomResourceDefinitions from zod schemas. */

import * as z from 'zod';
import { isJsonObject } from './json.ts';
import type { CustomResourceDefinition, JsonSchema, KindOptions } from './kind.ts';

type NamedKindOptions = KindOptions & { readonly plural: string; readonly namespaced: boolean };

/** JSON schema keywords that are not allowed in a structural schema. */
const droppedKeywords = new Set(['$schema', 'additionalProperties', 'id', 'propertyNames']);

/** Returns the structural counterpart of zod's `additionalProperties`: `{}` (an open object) preserves unknown fields, `false` is omitted. */
function additionalPropertiesOf(schema: JsonSchema): JsonSchema {
  const { additionalProperties: more } = schema;
  if (!isJsonObject(more)) return {};
  return Object.keys(more).length === 0
    ? { 'x-kubernetes-preserve-unknown-fields': true }
    : { additionalProperties: structural(more) };
}

/** Removes zod's default bounds of integers. */
const bounds = (schema: JsonSchema): JsonSchema =>
  schema.type === 'integer'
    ? {
        ...(schema.minimum === Number.MIN_SAFE_INTEGER && { minimum: undefined }),
        ...(schema.maximum === Number.MAX_SAFE_INTEGER && { maximum: undefined }),
      }
    : {};

/** Reports whether servers store the keyword. Keywords that they drop, such as empty `properties`, would differ from the stored schema at each apply. */
const isStored = ([keyword, value]: readonly [string, unknown]): boolean =>
  !droppedKeywords.has(keyword) &&
  value !== undefined &&
  !(keyword === 'properties' && isJsonObject(value) && Object.keys(value).length === 0);

/** Converts zod's JSON schema output into a Kubernetes structural schema. */
function structural(schema: JsonSchema): JsonSchema {
  const kept = Object.entries({ ...schema, ...bounds(schema) }).filter(isStored);
  const mapped = kept.map(([keyword, value]): [string, unknown] => {
    if (keyword === 'properties')
      return [
        keyword,
        Object.fromEntries(
          Object.entries(value as JsonSchema).map(([name, child]) => [name, structural(child as JsonSchema)]),
        ),
      ];
    if (keyword === 'items') return [keyword, structural(value as JsonSchema)];
    return [keyword, value];
  });
  return { ...Object.fromEntries(mapped), ...additionalPropertiesOf(schema) };
}

/** Builds the CustomResourceDefinition of a kind: one version, served and stored; a status subresource when the schema has `status`. */
export function crdOf(
  { group, version, kind, plural, namespaced, shortNames, categories, columns }: NamedKindOptions,
  schema: z.ZodObject,
): CustomResourceDefinition {
  const json = structural(
    z.toJSONSchema(schema, { io: 'input', target: 'openapi-3.0', unrepresentable: 'any' }) as JsonSchema,
  );
  const hasStatus = 'status' in schema.shape;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: {
        plural,
        singular: kind.toLowerCase(),
        kind,
        listKind: `${kind}List`,
        ...(shortNames && { shortNames }),
        ...(categories && { categories }),
      },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          ...(hasStatus && { subresources: { status: {} } }),
          ...(columns && { additionalPrinterColumns: columns }),
          schema: { openAPIV3Schema: json },
        },
      ],
    },
  };
}

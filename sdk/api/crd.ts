import * as z from 'zod';
import { isJsonObject } from './json.ts';
import type { CustomResourceDefinition, JsonSchema, KindOptions } from './kind.ts';

type Named = KindOptions & { readonly plural: string; readonly namespaced: boolean };

/** JSON schema keywords that are not allowed in a structural schema. */
const dropped = new Set(['$schema', 'additionalProperties', 'id', 'propertyNames']);

/** Translates zod's `additionalProperties` (`{}` for open, `false` for closed) into its structural counterpart. */
function openness(schema: JsonSchema): JsonSchema {
  const { additionalProperties: more } = schema;
  if (!isJsonObject(more)) return {};
  return Object.keys(more).length === 0
    ? { 'x-kubernetes-preserve-unknown-fields': true }
    : { additionalProperties: structural(more) };
}

const bounds = (schema: JsonSchema): JsonSchema =>
  schema.type === 'integer'
    ? {
        ...(schema.minimum === Number.MIN_SAFE_INTEGER && { minimum: undefined }),
        ...(schema.maximum === Number.MAX_SAFE_INTEGER && { maximum: undefined }),
      }
    : {};

/** Reports whether a server stores the keyword. A dropped keyword, such as empty `properties`, would differ from the stored schema in each apply. */
const isStored = ([keyword, value]: readonly [string, unknown]): boolean =>
  !dropped.has(keyword) &&
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
  return { ...Object.fromEntries(mapped), ...openness(schema) };
}

/** Builds the CustomResourceDefinition of a kind: one version, served and stored; a status subresource when the schema has `status`. */
export function crdOf(
  { group, version, kind, plural, namespaced, shortNames, categories, columns }: Named,
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

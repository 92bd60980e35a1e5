/** Descriptions of OpenAPI components and their fields. */

import type { FieldInfo, TypeInfo, TypeTable } from '../resources/type-table.ts';
import type { UpstreamTexts } from './upstream-descriptions.ts';

/** URL of the API conventions. */
export const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

/** Descriptions of fields that all kinds have. */
export const commonTexts = {
  apiVersion: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${conventions}#resources`,
  kind: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${conventions}#types-kinds`,
  metadata: `Standard object's metadata. More info: ${conventions}#metadata`,
  listMetadata: `Standard list metadata. More info: ${conventions}#types-kinds`,
} as const;

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const extensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';

/** Descriptions of components without models in client-node, which uses TypeScript types for them. */
const withoutModel: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity':
    'Quantity is a fixed-point representation of a number: digits with a suffix that is a power of ten, of two, or an exponent.',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString':
    'IntOrString is a type that can hold an int32 or a string.  When used in JSON or YAML marshalling and unmarshalling, it produces or consumes the inner type.  This allows you to have, for example, a JSON field that can accept a name or number.',
  'io.k8s.apimachinery.pkg.runtime.RawExtension': 'RawExtension is used to hold extensions in external versions.',
  [`${meta}.Time`]:
    'Time is a wrapper around time.Time which supports correct marshaling to YAML and JSON.  Wrappers are provided for many of the factory methods that the time package offers.',
  [`${meta}.MicroTime`]: 'MicroTime is version of Time with microsecond level precision.',
  [`${meta}.FieldsV1`]: 'FieldsV1 stores a set of fields in a data structure like a Trie, in JSON format.',
  [`${meta}.Patch`]: 'Patch is provided to give a concrete name and type to the Kubernetes PATCH request body.',
  [`${extensions}.JSON`]:
    'JSON represents any valid JSON value. These types are supported: bool, int64, float64, string, []interface{}, map[string]interface{} and nil.',
  [`${extensions}.JSONSchemaPropsOrArray`]:
    'JSONSchemaPropsOrArray represents a value that can either be a JSONSchemaProps or an array of JSONSchemaProps. Mainly here for serialization purposes.',
  [`${extensions}.JSONSchemaPropsOrBool`]:
    'JSONSchemaPropsOrBool represents JSONSchemaProps or a boolean value. Defaults to true for the boolean property.',
  [`${extensions}.JSONSchemaPropsOrStringArray`]:
    'JSONSchemaPropsOrStringArray represents a JSONSchemaProps or a string array.',
  [`${extensions}.CustomResourceSubresourceStatus`]:
    'CustomResourceSubresourceStatus defines how to serve the status subresource for CustomResources.',
};

/** Returns the description of a component; undefined without one, and without upstream's texts. */
export const componentText = (texts: UpstreamTexts, component: string): string | undefined =>
  texts.model(component).type ?? (texts.isAtHand ? withoutModel[component] : undefined);

/** Kinds whose metadata has no description. */
export const unexplained: ReadonlySet<string> = new Set(['CertificateSigningRequest', 'CertificateSigningRequestList']);

/** Field to describe. */
export interface Field {
  readonly texts: UpstreamTexts;
  readonly types: TypeTable;
  readonly type: TypeInfo;
  readonly info: FieldInfo;
  /** Enum values. */
  readonly values?: readonly string[] | undefined;
}

/** Returns the description of a field that refers to a model, as comments have none: a common text, or that of its type. */
function textOfReference({ texts, types, type, info }: Field): string | undefined {
  if (info.type.is !== 'struct' || (unexplained.has(type.goName) && info.name === 'metadata')) return undefined;
  const { name, openapiName } = types(info.type.name);
  if (name === 'meta.ObjectMeta') return commonTexts.metadata;
  if (name === 'meta.ListMeta') return commonTexts.listMetadata;
  if (name === `${type.name}Spec`) return `Specification of the desired behavior of the ${type.goName}.`;
  if (name === `${type.name}Status`) return `Most recently observed status of the ${type.goName}.`;
  return componentText(texts, openapiName);
}

const valuesText = (values: readonly string[]): string =>
  `\n\nPossible enum values:\n${values.map((value) => ` - \`${JSON.stringify(value)}\``).join('\n')}`;

/** Returns the description of a field; undefined without one. */
export function fieldText(field: Field): string | undefined {
  const { texts, type, info, values } = field;
  if (!texts.isAtHand) return undefined;
  const text = texts.model(type.openapiName).field(info.name) ?? textOfReference(field);
  return text === undefined || values === undefined ? text : text + valuesText(values);
}

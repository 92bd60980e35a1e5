/** Builds the OpenAPI components of built-in types. */

import type { Fields } from '../apimachinery/object.ts';
import type { FieldInfo, Scalar, TypeInfo, TypeRef, TypeTable } from '../resources/type-table.ts';
import { componentText, fieldText } from './component-descriptions.ts';
import type { UpstreamTexts } from './upstream-descriptions.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const extensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';

/** Returns a reference to a component. */
export const refTo = (name: string): Fields => ({ $ref: `#/components/schemas/${name}` });

const named: Partial<Record<Scalar, string>> = {
  quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  intOrString: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  time: `${meta}.Time`,
  microTime: `${meta}.MicroTime`,
  schemaOrBool: `${extensions}.JSONSchemaPropsOrBool`,
  schemaOrArray: `${extensions}.JSONSchemaPropsOrArray`,
  schemaOrStrings: `${extensions}.JSONSchemaPropsOrStringArray`,
};

/** Components of named scalars. */
const scalarComponents: Readonly<Record<string, Fields>> = {
  [named.quantity!]: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  [named.intOrString!]: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  [named.time!]: { type: 'string', format: 'date-time' },
  [named.microTime!]: { type: 'string', format: 'date-time' },
  [named.schemaOrBool!]: {},
  [named.schemaOrArray!]: {},
  [named.schemaOrStrings!]: {},
};

const inline: Partial<Record<Scalar, Fields>> = {
  string: { type: 'string' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  bool: { type: 'boolean' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
};

const raw: readonly [string, Fields] = ['io.k8s.apimachinery.pkg.runtime.RawExtension', { type: 'object' }];

/** Components of free-form fields; in definitions they are JSON. */
const openComponents: Readonly<Record<string, readonly [string, Fields]>> = {
  'meta.ManagedFieldsEntry.fieldsV1': [`${meta}.FieldsV1`, { type: 'object' }],
  'apps.ControllerRevision.data': raw,
  'pages.WatchEvent.object': raw,
  'resource.AllocatedDeviceStatus.data': raw,
  'resource.OpaqueDeviceConfiguration.parameters': raw,
};

/** Collects components while schemas refer to them. */
export interface Collector {
  readonly types: TypeTable;
  readonly texts: UpstreamTexts;
  readonly components: Map<string, Fields>;
}

/** Go's zero values of scalars. */
const zeroes: Partial<Record<Scalar, unknown>> = { string: '', int32: 0, int64: 0, bool: false, double: 0 };

/** Position of a field in its type. */
interface FieldPosition {
  readonly collector: Collector;
  /** Field, such as `core.ContainerPort.protocol`. */
  readonly field: string;
}

/** Returns a description member, or nothing without a description. */
export const withDescription = (description: string | undefined): Fields =>
  description === undefined ? {} : { description };

/** Adds a component that is not a built-in type; returns a reference. */
export function refToOther({ texts, components }: Collector, name: string, component: Fields): Fields {
  components.set(name, { ...withDescription(componentText(texts, name)), ...component });
  return refTo(name);
}

function openSchema({ collector, field }: FieldPosition): Fields {
  const [name, component] = openComponents[field] ?? [`${extensions}.JSON`, {}];
  return refToOther(collector, name, component);
}

function scalarSchema(place: FieldPosition, { scalar, enum: values }: TypeRef & { readonly is: 'scalar' }): Fields {
  if (scalar === 'any') return openSchema(place);
  const name = named[scalar];
  if (name === undefined) {
    return { ...inline[scalar], ...(values !== undefined && { enum: values }) };
  }
  return refToOther(place.collector, name, scalarComponents[name]!);
}

/** Returns the schema of list items or map values, with their zero value as default. */
function itemSchema(place: FieldPosition, type: TypeRef): Fields {
  if (type.is === 'struct') return { default: {}, allOf: [refTo(collect(place.collector, type.name))] };
  const schema = schemaOf(place, type);
  const zero = type.is === 'scalar' ? zeroes[type.scalar] : undefined;
  return zero === undefined ? schema : { ...schema, default: zero };
}

function schemaOf(place: FieldPosition, type: TypeRef): Fields {
  if (type.is === 'list') return { type: 'array', items: itemSchema(place, type.of) };
  if (type.is === 'map') return { type: 'object', additionalProperties: itemSchema(place, type.of) };
  if (type.is === 'struct') return refTo(collect(place.collector, type.name));
  return scalarSchema(place, type);
}

/** Returns the keywords of server-side apply. */
const applyWords = ({ listType, mapKeys, type }: FieldInfo): Fields => {
  const isMap = type.is === 'map';
  return {
    ...(!isMap && listType !== undefined && { 'x-kubernetes-list-type': listType }),
    ...(isMap && listType === 'atomic' && { 'x-kubernetes-map-type': 'atomic' }),
    ...(mapKeys.length > 0 && { 'x-kubernetes-list-map-keys': mapKeys }),
  };
};

/** Returns the keywords of strategic merge patches. */
const patchWords = ({ mergeKey, retainKeys }: FieldInfo): Fields => {
  const strategies = [...(mergeKey === undefined ? [] : ['merge']), ...(retainKeys ? ['retainKeys'] : [])];
  return {
    ...(mergeKey !== undefined && mergeKey !== '' && { 'x-kubernetes-patch-merge-key': mergeKey }),
    ...(strategies.length > 0 && { 'x-kubernetes-patch-strategy': strategies.join(',') }),
  };
};

const givenDefault = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text);

/** Returns the default in a field's schema; undefined without one. */
function defaultOf({ type, whenEmpty, isPointer, default: given }: FieldInfo): unknown {
  if (given !== undefined && given !== '') return givenDefault(given);
  if (isPointer && given === undefined) return undefined;
  if (type.is === 'struct') return {};
  return type.is === 'scalar' && (given === '' || whenEmpty === 'shown') ? zeroes[type.scalar] : undefined;
}

/** Reports whether a field has no description upstream; its reference then stands alone. */
const isBare = (field: string): boolean =>
  field === 'networking.IngressRule.http' ||
  (field.startsWith('apiextensions.JSONSchemaProps.') && !field.endsWith('.default'));

/** Fields that older strategic patches replaced. */
const replaced: ReadonlySet<string> = new Set(['policy.PodDisruptionBudgetSpec.selector']);

/** Discriminated unions: the discriminator and the fields that it selects. */
const unions: Readonly<Record<string, readonly [string, Readonly<Record<string, string>>]>> = {
  'core.AppArmorProfile': ['type', { localhostProfile: 'LocalhostProfile' }],
  'core.SeccompProfile': ['type', { localhostProfile: 'LocalhostProfile' }],
  'flowcontrol.LimitResponse': ['type', { queuing: 'Queuing' }],
  'flowcontrol.PriorityLevelConfigurationSpec': ['type', { exempt: 'Exempt', limited: 'Limited' }],
  'flowcontrol.Subject': ['kind', { group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' }],
};

function unionOf(type: string): Fields {
  const [discriminator, fields] = unions[type] ?? [];
  if (discriminator === undefined) return {};
  return { 'x-kubernetes-unions': [{ discriminator, 'fields-to-discriminateBy': fields }] };
}

function property(place: FieldPosition, field: FieldInfo): Fields {
  const schema = schemaOf(place, field.type);
  const value = defaultOf(field);
  const words = {
    ...applyWords(field),
    ...patchWords(field),
    ...(replaced.has(place.field) && { 'x-kubernetes-patch-strategy': 'replace' }),
    ...(field.granular === true && { 'x-kubernetes-map-type': 'granular' }),
    ...(value !== undefined && { default: value }),
  };
  if (!('$ref' in schema) || isBare(place.field)) return { ...schema, ...words };
  const { default: own, ...others } = words as Fields;
  return { ...(own !== undefined && { default: own }), allOf: [schema], ...others };
}

const byName = (one: FieldInfo, other: FieldInfo): number => (one.name < other.name ? -1 : 1);

function componentOf(collector: Collector, type: TypeInfo): Fields {
  const fields = [...type.fields.values()];
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const { texts, types } = collector;
  const described = (info: FieldInfo): Fields => {
    const place = { collector, field: `${type.name}.${info.name}` };
    const schema = property(place, info);
    if ('$ref' in schema) return schema;
    return {
      ...withDescription(fieldText({ texts, types, type, info, values: schema.enum as readonly string[] })),
      ...schema,
    };
  };
  return {
    ...withDescription(componentText(texts, type.openapiName)),
    type: 'object',
    ...(required.length > 0 && { required }),
    ...(fields.length > 0 && {
      properties: Object.fromEntries(fields.toSorted(byName).map((field) => [field.name, described(field)])),
    }),
    ...(type.atomic && { 'x-kubernetes-map-type': 'atomic' }),
    ...unionOf(type.name),
  };
}

/** Adds a built-in type and all types it refers to as components; returns its name. */
export function collect(collector: Collector, typeName: string): string {
  const type = collector.types(typeName);
  const { openapiName } = type;
  if (!collector.components.has(openapiName)) {
    collector.components.set(openapiName, {});
    collector.components.set(openapiName, componentOf(collector, type));
  }
  return openapiName;
}

import type { FieldInfo, Scalar, TypeInfo, TypeRef, TypeTable } from '../kinds/type-table.ts';
import type { Fields } from '../objects/object.ts';
import { metadataTexts } from './metadata-texts.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** A reference to a component. */
export const refTo = (name: string): Fields => ({ $ref: `#/components/schemas/${name}` });

const named: Partial<Record<Scalar, string>> = {
  quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  intOrString: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  time: `${meta}.Time`,
  microTime: `${meta}.MicroTime`,
};

/** Components of scalars that the API has names for. */
const scalarComponents: Readonly<Record<string, Fields>> = {
  [named.quantity!]: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  [named.intOrString!]: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  [named.time!]: { type: 'string', format: 'date-time' },
  [named.microTime!]: { type: 'string', format: 'date-time' },
};

const schemaName = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';

const inline: Partial<Record<Scalar, Fields>> = {
  string: { type: 'string' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  bool: { type: 'boolean' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  any: { type: 'object' },
  schemaOrBool: { oneOf: [refTo(schemaName), { type: 'boolean' }] },
  schemaOrArray: { oneOf: [refTo(schemaName), { type: 'array', items: refTo(schemaName) }] },
  schemaOrStrings: { oneOf: [refTo(schemaName), { type: 'array', items: { type: 'string' } }] },
};

/** Collects components while schemas refer to them. */
export interface Collector {
  readonly types: TypeTable;
  readonly components: Map<string, Fields>;
}

function schemaOf(collector: Collector, type: TypeRef): Fields {
  if (type.is === 'list') return { type: 'array', items: schemaOf(collector, type.of) };
  if (type.is === 'map') return { type: 'object', additionalProperties: schemaOf(collector, type.of) };
  if (type.is === 'struct') return refTo(collect(collector, type.name));
  const name = named[type.scalar];
  if (name === undefined) return inline[type.scalar] ?? {};
  collector.components.set(name, scalarComponents[name]!);
  return refTo(name);
}

const listWords = ({ listType, mapKeys, mergeKey, retainKeys, type }: FieldInfo): Fields => {
  const strategies = [...(mergeKey === undefined ? [] : ['merge']), ...(retainKeys ? ['retainKeys'] : [])];
  const isList = type.is === 'list';
  return {
    ...(isList && listType !== undefined && { 'x-kubernetes-list-type': listType }),
    ...(!isList && listType === 'atomic' && { 'x-kubernetes-map-type': 'atomic' }),
    ...(mapKeys.length > 0 && { 'x-kubernetes-list-map-keys': mapKeys }),
    ...(mergeKey !== undefined && mergeKey !== '' && { 'x-kubernetes-patch-merge-key': mergeKey }),
    ...(strategies.length > 0 && { 'x-kubernetes-patch-strategy': strategies.join(',') }),
  };
};

function property(collector: Collector, field: FieldInfo): Fields {
  const schema = schemaOf(collector, field.type);
  const words = {
    ...listWords(field),
    ...(field.default !== undefined && {
      default: /^\d+$/.test(field.default) ? Number(field.default) : field.default,
    }),
  };
  return '$ref' in schema ? { allOf: [schema], ...words } : { ...schema, ...words };
}

function componentOf(collector: Collector, type: TypeInfo): Fields {
  const fields = [...type.fields.values()];
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const texts = type.name === 'meta.ObjectMeta' ? metadataTexts : {};
  const described = (field: FieldInfo): Fields => {
    const description = texts[field.name];
    return { ...(description !== undefined && { description }), ...property(collector, field) };
  };
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    ...(fields.length > 0 && {
      properties: Object.fromEntries(fields.map((field) => [field.name, described(field)])),
    }),
    ...(type.atomic && { 'x-kubernetes-map-type': 'atomic' }),
  };
}

/** Makes a built-in type a component, with all it refers to; returns its name. */
export function collect(collector: Collector, typeName: string): string {
  const type = collector.types(typeName);
  const { openapiName } = type;
  if (!collector.components.has(openapiName)) {
    collector.components.set(openapiName, {});
    collector.components.set(openapiName, componentOf(collector, type));
  }
  return openapiName;
}

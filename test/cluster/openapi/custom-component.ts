import type { JsonSchema } from '../../../sdk/api/kind.ts';
import type { ResourceInfo } from '../kinds/resource-info.ts';
import { type Fields, isFields } from '../objects/object.ts';
import { refTo } from './component.ts';

const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

const resourceProperties: Fields = {
  apiVersion: {
    description: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${conventions}#resources`,
    type: 'string',
  },
  kind: {
    description: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${conventions}#types-kinds`,
    type: 'string',
  },
  metadata: {
    description: `Standard object's metadata. More info: ${conventions}#metadata`,
    allOf: [refTo('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta')],
  },
};

const eitherType = [{ type: 'integer' }, { type: 'string' }];

/** A schema as it is published: int-or-string spelt out, embedded resources with their own fields. */
function published(schema: Fields): Fields {
  const entries = Object.entries(schema).map(([word, value]) => {
    if (word === 'properties' && isFields(value)) {
      return [word, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, published(one as Fields)]))];
    }
    return [word, (word === 'items' || word === 'additionalProperties') && isFields(value) ? published(value) : value];
  });
  const made = Object.fromEntries(entries) as Fields;
  if (made['x-kubernetes-int-or-string'] === true && made.anyOf === undefined) return { ...made, anyOf: eitherType };
  if (made['x-kubernetes-embedded-resource'] !== true) return made;
  return { ...made, properties: { ...resourceProperties, ...(made.properties as Fields | undefined) } };
}

/** The name of a custom resource's component: its group backwards, then version and kind. */
export const customName = ({ group, version, kind }: ResourceInfo): string =>
  [...group.split('.').reverse(), version, kind].join('.');

/** The component of a custom resource. */
export function customComponent(info: ResourceInfo): Fields {
  const { group, version, kind } = info;
  const schema: JsonSchema = info.schema?.() ?? {};
  const { properties, ...rest } = published(schema);
  const isOpen = rest['x-kubernetes-preserve-unknown-fields'] === true && properties === undefined;
  return {
    ...rest,
    type: 'object',
    ...(!isOpen && { properties: { ...(properties as Fields | undefined), ...resourceProperties } }),
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
  };
}

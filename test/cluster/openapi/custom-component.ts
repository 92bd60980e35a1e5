/** Builds the OpenAPI components of custom resources. */

import type { JsonSchema } from '../../../sdk/api/kind.ts';
import { type Fields, isFields } from '../apimachinery/object.ts';
import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import { refTo } from './component.ts';
import { commonTexts } from './component-descriptions.ts';

const resourceProperties: Fields = {
  apiVersion: {
    description: commonTexts.apiVersion,
    type: 'string',
  },
  kind: {
    description: commonTexts.kind,
    type: 'string',
  },
  metadata: {
    description: commonTexts.metadata,
    allOf: [refTo('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta')],
  },
};

const eitherType = [{ type: 'integer' }, { type: 'string' }];

/** Returns a schema as published: int-or-string is expanded, embedded resources get their own fields. */
function publishedSchema(schema: Fields): Fields {
  const entries = Object.entries(schema).map(([word, value]) => {
    if (word === 'properties' && isFields(value)) {
      return [
        word,
        Object.fromEntries(Object.entries(value).map(([name, one]) => [name, publishedSchema(one as Fields)])),
      ];
    }
    return [
      word,
      (word === 'items' || word === 'additionalProperties') && isFields(value) ? publishedSchema(value) : value,
    ];
  });
  const made = Object.fromEntries(entries) as Fields;
  if (made['x-kubernetes-int-or-string'] === true && made.anyOf === undefined) return { ...made, anyOf: eitherType };
  if (made['x-kubernetes-embedded-resource'] !== true) return made;
  return { ...made, properties: { ...resourceProperties, ...(made.properties as Fields | undefined) } };
}

/** Returns the component name of a custom resource: the reversed group, version and kind. */
export const customName = ({ group, version, kind }: ResourceInfo): string =>
  [...group.split('.').reverse(), version, kind].join('.');

/** Returns the selectable fields of a custom resource. */
export function selectableOf({ custom }: ResourceInfo): Fields {
  const paths = custom?.selectableFields ?? [];
  const fields = paths.map((path) => ({ fieldPath: path.replace(/^\./, '') }));
  return fields.length > 0 ? { 'x-kubernetes-selectable-fields': fields } : {};
}

/** Returns the component of a custom resource. */
export function customComponent(info: ResourceInfo): Fields {
  const { group, version, kind } = info;
  const schema: JsonSchema = info.schema?.() ?? {};
  const { properties, ...rest } = publishedSchema(schema);
  return {
    ...rest,
    type: 'object',
    properties: { ...(properties as Fields | undefined), ...resourceProperties },
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
    ...selectableOf(info),
  };
}

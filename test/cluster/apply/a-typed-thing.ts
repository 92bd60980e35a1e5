import { parseTypes } from '../kinds/type-table.ts';
import type { Structural } from '../schema/structural.ts';
import { builtinMergeTypes } from './builtin-type.ts';
import type { MergeType } from './merge-type.ts';
import { structuralMergeType } from './structural-type.ts';

const schema: Structural = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    count: { type: 'integer' },
    tags: { type: 'object', additionalProperties: { type: 'string' } },
    whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
    list: { type: 'array', items: { type: 'string' } },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    items: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['key'],
      items: { type: 'object', properties: { key: { type: 'string' }, a: { type: 'string' }, b: { type: 'string' } } },
    },
    deep: { type: 'object', properties: { x: { type: 'string' }, y: { type: 'string' } } },
  },
};

const text = '\nObjectMeta name/1:s labels/11:{s} finalizers/14:[s]~@\n';
const types = parseTypes({ meta: { package: 'io.example.meta.v1', text } });

/** Type with every merge strategy, for tests. */
export const aThing: MergeType = structuralMergeType(schema, {
  metadata: builtinMergeTypes(types)('meta.ObjectMeta'),
  preserve: false,
});

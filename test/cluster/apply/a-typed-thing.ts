import fc from 'fast-check';
import { parseTypes } from '../kinds/type-table.ts';
import type { Structural } from '../schema/structural.ts';
import { builtinMergeTypes } from './builtin-type.ts';
import type { MergeType } from './merge-type.ts';
import type { Members } from './ownership.ts';
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

/** A type with every way to merge, for tests. */
export const aThing: MergeType = structuralMergeType(schema, {
  metadata: builtinMergeTypes(types)('meta.ObjectMeta'),
  preserve: false,
});

const word = fc.constantFrom('p', 'q', 'r');
const item = fc.record({ key: word, a: word, b: word }, { requiredKeys: ['key'] });

/** Objects of that type; where something is empty the server makes it null, so nothing is. */
export const things: fc.Arbitrary<Members> = fc.record(
  {
    name: word,
    count: fc.integer({ min: 0, max: 3 }),
    tags: fc.dictionary(word, word, { minKeys: 1, noNullPrototype: true }),
    whole: fc.dictionary(word, word, { minKeys: 1, noNullPrototype: true }),
    list: fc.array(word, { minLength: 1, maxLength: 3 }),
    set: fc.uniqueArray(word, { minLength: 1 }),
    items: fc.uniqueArray(item, { minLength: 1, selector: ({ key }) => key }),
    deep: fc.oneof(fc.record({ x: word }), fc.record({ y: word }), fc.record({ x: word, y: word })),
  },
  { requiredKeys: [] },
);

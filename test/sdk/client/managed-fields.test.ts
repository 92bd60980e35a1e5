import test from 'ava';
import fc from 'fast-check';
import { textDepth, withoutManagedFields } from '../../../sdk/client/managed-fields.ts';

const fields = [{ manager: 'a "quoted\\" name]', fieldsV1: { 'k:{"type":"x"}': { '.': {} }, 'f:[': ['}', 1, null] } }];
const lean = (text: string, depth: number): unknown => JSON.parse(withoutManagedFields(text, depth));

const tricky = fc.constantFrom(
  'metadata',
  'managedFields',
  'object',
  'items',
  'x"metadata',
  '\\',
  '"',
  ',"managedFields":[',
);
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    tricky,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.oneof(tricky, fc.string()), tie('value'), { maxKeys: 4 }),
}));

/** An object with managedFields at any place among its metadata, and whatever else around it. */
const objects = fc
  .tuple(values.object, values.object, values.object, values.object)
  .map(([before, first, last, after]) => {
    const clean = ({ managedFields: _, ...rest }: Record<string, unknown>) => rest;
    const metadata = {
      ...clean(first as Record<string, unknown>),
      managedFields: fields,
      ...clean(last as Record<string, unknown>),
    };
    const { metadata: _, ...around } = before as Record<string, unknown>;
    const { metadata: __, ...behind } = after as Record<string, unknown>;
    return { whole: { ...around, metadata, ...behind }, expected: { ...around, metadata: clean(metadata), ...behind } };
  });

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

test('an object loses its own managedFields and nothing else', (t) => {
  fc.assert(
    fc.property(objects, ({ whole, expected }) =>
      same(lean(JSON.stringify(whole), textDepth.object), JSON.parse(JSON.stringify(expected))),
    ),
  );
  t.pass();
});

test('so does the object of a watch event', (t) => {
  fc.assert(
    fc.property(objects, ({ whole, expected }) => {
      const text = JSON.stringify({ type: 'ADDED', object: whole });
      return same(lean(text, textDepth.event), JSON.parse(JSON.stringify({ type: 'ADDED', object: expected })));
    }),
  );
  t.pass();
});

test('so does every item of a list', (t) => {
  fc.assert(
    fc.property(fc.array(objects), (items) => {
      const listOf = (member: 'whole' | 'expected') => ({
        metadata: { resourceVersion: '7' },
        items: items.map((item) => item[member]),
      });
      return same(
        lean(JSON.stringify(listOf('whole')), textDepth.list),
        JSON.parse(JSON.stringify(listOf('expected'))),
      );
    }),
  );
  t.pass();
});

test('a text without managedFields, or laid out in lines, comes back as it is', (t) => {
  const inLines = JSON.stringify({ metadata: { managedFields: fields } }, null, 1);
  for (const text of ['{"metadata":{}}', inLines, '']) t.is(withoutManagedFields(text, textDepth.object), text);
});

import test from 'ava';
import { messageOf } from '../../../cluster/apimachinery/field-error.ts';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { distinctListsOf, listTypeErrors } from '../../../cluster/schema/list-types.ts';
import type { Structural } from '../../../cluster/schema/structural.ts';
import { validate } from '../../../cluster/schema/validate.ts';
import { excessiveGrowth, items, workOn } from '../../growth.ts';
import { aWorkspace } from '../fixtures/a-workspace.ts';

const spec = (fields: Fields): Fields => ({ spec: { owner: 'alice', ...fields } });
const messages = (object: unknown, options = {}): readonly string[] =>
  validate(aWorkspace, object, options).map(messageOf);

const faults: readonly (readonly [Fields, string])[] = [
  [{}, 'spec: Required value'],
  [{ spec: {} }, 'spec.owner: Required value'],
  [spec({ owner: 1 }), 'spec.owner: Invalid value: "integer": spec.owner in body must be of type string: "integer"'],
  [spec({ owner: null }), 'spec.owner: Invalid value: "null": spec.owner in body must be of type string: "null"'],
  [spec({ owner: 'Bob!' }), `spec.owner: Invalid value: "Bob!": spec.owner in body should match '^[a-z][a-z0-9-]*$'`],
  [spec({ owner: 'a' }), 'spec.owner: Invalid value: "a": spec.owner in body should be at least 2 chars long'],
  [spec({ owner: 'a'.repeat(21) }), 'spec.owner: Too long: may not be more than 20 bytes'],
  [
    spec({ replicas: -1 }),
    'spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0',
  ],
  [
    spec({ replicas: 1.5 }),
    'spec.replicas: Invalid value: "number": spec.replicas in body must be of type integer: "number"',
  ],
  [spec({ size: 'tiny' }), 'spec.size: Unsupported value: "tiny": supported values: "small", "large"'],
  [
    spec({ quota: true }),
    'spec.quota: Invalid value: "boolean": spec.quota in body must be of type integer,string: "boolean"',
  ],
  [spec({ zones: ['a', 'b', 'c', 'd', 'e', 'f'] }), 'spec.zones: Too many: 6: must have at most 5 items'],
  [
    spec({ tags: { 'a.b': 1 } }),
    'spec.tags.a.b: Invalid value: "integer": spec.tags.a.b in body must be of type string: "integer"',
  ],
  [spec({ when: 'x' }), 'spec.when: Invalid value: "x": spec.when in body must be of type date-time: "x"'],
  [
    spec({ members: [{ name: 'x', weight: 'y' }] }),
    'spec.members[0].weight: Invalid value: "string": spec.members[0].weight in body must be of type integer: "string"',
  ],
  [spec({ tags: [] }), 'spec.tags: Invalid value: "array": spec.tags in body must be of type object: "array"'],
];

for (const [object, message] of faults) {
  test(`${JSON.stringify(object).slice(0, 60)} is refused: ${message}`, (t) =>
    t.deepEqual(messages(object), [message]));
}

test('what fits passes', (t) => {
  t.deepEqual(messages(spec({ nickname: null, quota: '5', replicas: 3, when: '2020-01-01T00:00:00.5+02:00' })), []);
});

const either: Structural = {
  type: 'object',
  properties: { a: {}, b: {} },
  oneOf: [{ required: ['a'] }, { required: ['b'] }],
};
const composites: readonly (readonly [Structural, unknown, readonly string[]])[] = [
  [
    either,
    {},
    [
      '<nil>: Invalid value: "": "x" must validate one and only one schema (oneOf). Found none valid',
      'x.a: Required value',
    ],
  ],
  [
    either,
    { a: 1, b: 1 },
    ['<nil>: Invalid value: "": "x" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
  ],
  [
    { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    {},
    ['<nil>: Invalid value: "": "x" must validate at least one schema (anyOf)', 'x.a: Required value'],
  ],
  [{ not: { enum: ['q'] } }, 'q', ['<nil>: Invalid value: "": "x" must not validate the schema (not)']],
  [
    { allOf: [{ maxLength: 1 }, { pattern: '^z' }] },
    'zz',
    [
      'x: Too long: may not be more than 1 bytes',
      '<nil>: Invalid value: "": "x" must validate all the schemas (allOf)',
    ],
  ],
];

for (const [schema, value, expected] of composites) {
  test(`${JSON.stringify(value)} against ${Object.keys(schema).at(-1)} says ${expected[0]}`, (t) => {
    t.deepEqual(validate({ properties: { x: schema } }, { x: value }).map(messageOf), expected);
  });
}

test('on an update, what has not changed passes', (t) => {
  const old = spec({ owner: 'OLD', members: [{ name: 'x', weight: 'bad' }] });
  t.deepEqual(messages({ spec: { ...(old.spec as Fields), replicas: 2 } }, { old }), []);
  t.deepEqual(messages(spec({ owner: 'NEW', members: [{ name: 'x', weight: 'bad' }] }), { old }).length, 1);
  const moved = spec({ owner: 'OLD', members: [{ name: 'y' }, { name: 'x', weight: 'bad' }] });
  t.deepEqual(messages(moved, { old }), [], 'items of a map list are found by their key');
});

test('a status that is checked alone is named by its prefix', (t) => {
  t.deepEqual(validate(aWorkspace.properties!.status!, { count: 'x' }, { prefix: 'status' }).map(messageOf), [
    'status.count: Invalid value: "string": count in body must be of type integer: "string"',
  ]);
});

test('sets and map lists hold nothing twice', (t) => {
  const object = spec({ zones: ['x', 'y', 'x'], members: [{ name: 'a' }, { name: 'a', role: 'b' }] });
  t.deepEqual(listTypeErrors(distinctListsOf(aWorkspace), object).map(messageOf), [
    'spec.zones[2]: Duplicate value: "x"',
    'spec.members[1]: Duplicate value: {"name":"a"}',
  ]);
});

test('the time of a validation grows as the number of values, however many numbers their enum has', async (t) => {
  const check = workOn(
    (size) => items(size, 8, (index) => index),
    (numbers) => t.deepEqual(validate({ type: 'array', items: { type: 'integer', enum: numbers } }, [...numbers]), []),
  );
  t.is(await excessiveGrowth(check, { size: 1 << 18 }), undefined);
});

import { definitions, definition as thingsBy } from '../machinery/definitions.ts';
import type { Scenario, Step } from '../runner/scenario.ts';
import { array, object, priced, rule, text } from './priced.ts';
import { readEvaluations, readMistakes, readSubject } from './tables.ts';

const subject = readSubject();

const things = '/apis/{ns}.example.com/v1/namespaces/{ns}/things';

/** A definition of things with this schema of their spec. */
const definition = (spec: object, root: object = {}) => thingsBy({ properties: { spec }, ...root });

const ruled = (...rules: readonly object[]) => definition({ ...subject.schema, 'x-kubernetes-validations': rules });

const dry = (name: string, bodies: readonly object[]): Scenario => ({
  name: `rules: ${name}`,
  steps: bodies.map((body): Step => ({ path: `${definitions}?dryRun=All`, body })),
});

const thing = (name: string, spec: unknown) => ({
  apiVersion: '{ns}.example.com/v1',
  kind: 'Thing',
  metadata: { name },
  spec,
});

/** Things of one definition, created or changed one after the other. */
const lived = (name: string, body: object, steps: readonly Step[]): Scenario => ({
  name: `rules: ${name}`,
  steps: [{ path: definitions, body, silent: true }, { path: things, until: 200, silent: true }, ...steps],
});

const transitions: readonly object[] = [
  object({ a: array({ type: 'integer', ...rule('self == oldSelf') }) }),
  object({ a: array({ type: 'integer', ...rule('self == oldSelf') }, { 'x-kubernetes-list-type': 'set' }) }),
  object({
    a: array(
      object({ k: { ...text, maxLength: 5 }, v: { type: 'integer', ...rule('self >= oldSelf') } }, { required: ['k'] }),
      {
        maxItems: 5,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
    ),
  }),
  object({
    a: {
      type: 'object',
      additionalProperties: { type: 'integer', ...rule('self == oldSelf') },
      'x-kubernetes-map-type': 'atomic',
    },
  }),
  object({ a: { type: 'integer', ...rule('oldSelf.hasValue() || self == 1', { optionalOldSelf: true }) } }),
  object({ a: { type: 'integer', ...rule('oldSelf == 1', { optionalOldSelf: true }) } }),
  object({ a: { type: 'integer', ...rule('self == 1', { optionalOldSelf: true }) } }),
  object({ a: { type: 'integer', ...rule('self == 1', { optionalOldSelf: false }) } }),
  object({ a: { type: 'integer', ...rule('self == oldSelf', { messageExpression: '"was " + string(oldSelf)' }) } }),
  object({ a: { type: 'integer', ...rule('self > 0', { messageExpression: '"was " + string(oldSelf)' }) } }),
];

const messages: readonly object[] = [
  { messageExpression: '1' },
  { messageExpression: 'self.nope' },
  { messageExpression: '"a" +' },
  { messageExpression: 'self.s', message: 'x' },
  { messageExpression: ' ' },
  { message: ' ' },
  { message: 'a\nb' },
  { reason: 'Nope' },
  { fieldPath: '.s' },
  { fieldPath: '.nope' },
  { fieldPath: 's' },
  { fieldPath: '.m.a' },
  { fieldPath: ".m['a']" },
  { fieldPath: '.l[0]' },
  { fieldPath: '.o.inner' },
  { fieldPath: ".['a-b']" },
  { fieldPath: "['a-b']" },
  { fieldPath: '.a-b' },
  { fieldPath: ' ' },
];

const updates = object(
  {
    a: { type: 'integer', ...rule('self < 5') },
    l: array({ type: 'integer', ...rule('self < 5') }, { maxItems: 5 }),
    m: { type: 'object', maxProperties: 5, additionalProperties: { type: 'integer', ...rule('self < 5') } },
    k: array(
      object({ k: { ...text, maxLength: 5 }, v: { type: 'integer', ...rule('self >= oldSelf') } }, { required: ['k'] }),
      {
        maxItems: 5,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
    ),
    o: { type: 'integer', ...rule('!oldSelf.hasValue() || self > oldSelf.value()', { optionalOldSelf: true }) },
    once: { type: 'integer', ...rule('self == oldSelf', { message: 'once only' }) },
  },
  {
    'x-kubernetes-validations': [
      { rule: '!has(oldSelf.once) || has(self.once)', message: 'once is needed' },
      { rule: 'self.a != 3', messageExpression: 'string(self.a)', reason: 'FieldValueForbidden', fieldPath: '.a' },
      { rule: 'self.a != 4', messageExpression: 'self.a == 4 ? "a\\nb" : ""', reason: 'FieldValueRequired' },
      {
        rule: 'self.a != 2',
        messageExpression: 'string(self.l[9])',
        reason: 'FieldValueDuplicate',
        fieldPath: ".m['x']",
      },
      { rule: 'self.a != 1', messageExpression: '""', message: ' spaced ' },
    ],
  },
);

const small = { 'x-kubernetes-validations': [{ rule: 'self < 5' }] };
const keyed = { maxItems: 5, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
const schemaOf = (more: object) =>
  object({
    a: { type: 'integer', ...more },
    l: array({ type: 'integer', ...more }, { maxItems: 5 }),
    m: { type: 'object', maxProperties: 5, additionalProperties: { type: 'integer', ...more } },
    k: array(object({ k: { ...text, maxLength: 5 }, v: { type: 'integer', ...more } }, { required: ['k'] }), keyed),
    other: { type: 'integer' },
  });
const earlier = schemaOf({});
const later = {
  ...schemaOf(small),
  'x-kubernetes-validations': [{ rule: 'self.a == 1', message: 'a must be 1', fieldPath: '.a' }],
};
const wrong = { a: 1, l: [9], other: 1 };

const written = (name: string, specs: readonly unknown[]): readonly Step[] =>
  specs.map(
    (spec, index): Step =>
      index === 0
        ? { path: things, body: thing(name, spec) }
        : { method: 'PATCH', path: `${things}/${name}`, body: { spec } },
  );

const expensive = object(
  { l: array({ type: 'string', maxLength: 10 }, { maxItems: 500 }) },
  rule('self.l.all(x, self.l.all(y, x == y))'),
);
const manyRules = object(
  { l: array({ type: 'string', maxLength: 10 }, { maxItems: 120 }) },
  {
    'x-kubernetes-validations': Array.from({ length: 20 }, (_, n) => ({
      rule: `self.l.all(x, self.l.all(y, x == y && ${n} > -1))`,
    })),
  },
);

/** Rules of definitions: messages, costs and refusals. */
export const ruleScenarios: readonly Scenario[] = [
  ...Object.entries(readMistakes()).flatMap(([name, all]) => [
    dry(
      `mistakes, ${name}`,
      all.map((one) => ruled({ rule: one, message: 'm' })),
    ),
  ]),
  dry(
    'costs',
    priced.map(([spec, root]) => definition(spec, root)),
  ),
  dry(
    'transitions',
    transitions.map((spec) => definition(spec)),
  ),
  dry(
    'messages',
    messages.map((one) => ruled({ rule: 'self.i == 1', ...one })),
  ),
  ...Object.entries(readEvaluations()).map(([name, all]) =>
    lived(`evaluations, ${name}`, ruled(...all.map((one) => ({ rule: one }))), [
      { path: things, body: thing('a', subject.object) },
    ]),
  ),
  lived('updates', definition(updates), [
    ...written('a', [{ a: 0 }, { a: 3 }, { a: 4 }, { a: 2 }, { a: 1 }, { a: 7 }]),
    ...written('b', [{ a: 0, once: 1 }, { once: 2 }, { once: null }, { a: 6 }]),
    ...written('c', [
      { a: 0, k: [{ k: 'x', v: 1 }] },
      {
        k: [
          { k: 'y', v: 0 },
          { k: 'x', v: 0 },
        ],
      },
      { o: 3 },
      { o: 2 },
      { o: 4 },
    ]),
    ...written('d', [{ a: 0, l: [9], m: { x: 9 } }]),
  ]),
  lived('values that were wrong before', definition(earlier), [
    { path: things, body: thing('a', wrong), silent: true },
    { method: 'PATCH', path: `${definitions}/things.{ns}.example.com`, body: definition(later), silent: true },
    { path: `${things}?dryRun=All`, body: thing('b', wrong), until: 422 },
    ...[{ other: 2 }, { l: [9, 1] }, { l: [1] }, { a: 8 }, { m: { x: 9, y: 1 } }, { m: { x: 8 } }].map(
      (spec): Step => ({ method: 'PATCH', path: `${things}/a`, body: { spec } }),
    ),
  ]),
  lived('budgets', definition(expensive), [
    { path: things, body: thing('a', { l: Array.from({ length: 500 }, () => 'aaaaaaaaaa') }) },
    { path: things, body: thing('b', { l: Array.from({ length: 50 }, () => 'aaaaaaaaaa') }) },
  ]),
  lived('budgets of objects', definition(manyRules), [
    { path: things, body: thing('a', { l: Array.from({ length: 120 }, () => 'aaaaaaaaaa') }) },
    { path: things, body: thing('b', { l: Array.from({ length: 20 }, () => 'aaaaaaaaaa') }) },
  ]),
];

/** Random patterns, CEL rules and patches. */

import fc from 'fast-check';
import { aDefinition } from '../../unit/cluster/fixtures/a-definition.ts';
import { type FuzzRequest, requestOf } from './arbitraries.ts';

const token = fc.constantFrom(
  ...[
    'a',
    '.',
    '\\d',
    '[a-z]',
    '[',
    ']',
    '(',
    ')',
    '(?i)',
    '(?=',
    '*',
    '+',
    '?',
    '{2}',
    '{1001}',
    '|',
    '^',
    '$',
    '\\',
    'é',
  ],
);
/** Regular expressions, valid and not. */
export const pattern = fc.array(token, { maxLength: 6 }).map((tokens) => tokens.join(''));

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      ...[
        'self',
        'self.x',
        'self.list',
        'self.map',
        'oldSelf',
        'oldSelf.x',
        'i',
        '1',
        '-1u',
        '1.5e3',
        '"a"',
        "b'\\xff'",
      ],
      ...[
        'true',
        'null',
        '[]',
        '{}',
        '[1, "a"]',
        '{"a": 1}',
        'duration("1h")',
        'timestamp("2020-01-01T00:00:00Z")',
        '',
      ],
    ),
    pattern.map((text) => `self.text.matches(${JSON.stringify(text)})`),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('+', '-', '*', '/', '%', '==', '<', '&&', '||', 'in', '?'),
        tie('expression'),
      )
      .map(([left, sign, right]) => `(${left} ${sign} ${right})`),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('all', 'exists', 'exists_one', 'map', 'filter', 'sum', 'split', 'replace', 'find', 'contains'),
        fc.constantFrom('i, ', ''),
        tie('expression'),
      )
      .map(([target, name, variable, argument]) => `${target}.${name}(${variable}${argument})`),
    fc
      .tuple(
        fc.constantFrom('size', 'has', 'string', 'int', 'type', '!', '-', 'quantity', 'url', 'ip'),
        tie('expression'),
      )
      .map(([name, argument]) => `${name}(${argument})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([one, yes, no]) => `${one} ? ${yes} : ${no}`),
  ),
}));

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = '/apis/example.org/v1/things';

/** A definition with a rule and a pattern, and an object that is validated against them twice. Missing bounds raise a rule's estimated cost. */
export const ruleLife: fc.Arbitrary<readonly FuzzRequest[]> = fc
  .record({
    rule: fc.oneof(
      expression,
      expression.map((one) => `[${one}].size() > 0`),
    ),
    message: expression,
    text: pattern,
    bound: fc.constantFrom(undefined, 1, 1000),
  })
  .map(({ rule, message, text, bound }) => {
    const bounds = { maxItems: bound, maxProperties: bound, maxLength: bound };
    const schema = {
      type: 'object',
      'x-kubernetes-validations': [{ rule, messageExpression: message }],
      properties: {
        x: { type: 'integer' },
        text: { type: 'string', pattern: text, ...bounds },
        list: { type: 'array', items: { type: 'string', ...bounds }, ...bounds },
        map: { type: 'object', additionalProperties: { type: 'integer' }, ...bounds },
      },
    };
    const metadata = { name: 'a' };
    const thing = {
      apiVersion: 'example.org/v1',
      kind: 'Thing',
      metadata,
      x: 1,
      text: 'aaa',
      list: ['a'],
      map: { a: 1 },
    };
    return [
      requestOf(`POST ${definitions}`, aDefinition(schema, { kind: 'Thing', group: 'example.org', scope: 'Cluster' })),
      requestOf(`POST ${things}`, thing),
      requestOf(`PATCH ${things}/a`, { x: 2, list: ['a', 'b'] }, 'application/merge-patch+json'),
    ];
  });

const place = fc.constantFrom(
  '/data',
  '/data/k',
  '/metadata/finalizers/-',
  '/metadata/finalizers/0',
  '/metadata/labels/k',
);

/** JSON patches of many operations of one kind. */
export const largePatch: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    fc.constantFrom('add', 'remove', 'replace', 'test', 'copy', 'move'),
    fc.tuple(place, place),
    fc.constantFrom('', '1', 'example.com/f', {}, []),
    fc.constantFrom(100, 3000, 10_001),
  )
  .map(([op, [path, from], value, count]) => {
    const first = [
      { op: 'add', path: '/data', value: { k: 'v' } },
      { op: 'add', path: '/metadata/finalizers', value: [] },
      { op: 'add', path: '/metadata/labels', value: { k: 'v' } },
    ];
    const rest = Array.from({ length: count }, (_, index) => ({
      op,
      path: path.replace('k', `k${index}`),
      from,
      value,
    }));
    return requestOf(
      'PATCH /api/v1/namespaces/default/configmaps/a',
      [...first, ...rest],
      'application/json-patch+json',
    );
  });

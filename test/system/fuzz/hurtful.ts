/** Inputs that would take quadratic or exponential time in a naive implementation. */

import fc from 'fast-check';
import { aDefinition } from '../../unit/cluster/fixtures/a-definition.ts';
import { type FuzzRequest, requestOf } from './arbitraries.ts';

/** Requests of a size that would be slow with pairwise comparisons; the last one is measured. */
export interface Hurtful {
  readonly what: string;
  /** Size of the large input; small ones have a 16th of it. */
  readonly size: number;
  readonly requests: (size: number) => readonly FuzzRequest[];
}

const namespace = '/api/v1/namespaces/default';
const map = `${namespace}/configmaps/a`;
const gadgets = '/apis/example.com/v1/namespaces/default/gadgets';
const gadget = `${gadgets}/a`;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const patch = (kind: string, path: string, body: unknown): FuzzRequest =>
  requestOf(`PATCH ${path}`, body, `application/${kind}`);
const jsonPatch = (operations: readonly object[]): FuzzRequest => patch('json-patch+json', map, operations);
const finalizers = (letter: string, size: number) => ({
  metadata: { finalizers: many(size, (index) => `example.com/${letter}${index}`) },
});
const data = (size: number) => ({ data: Object.fromEntries(many(size, (index) => [`k${index}`, 'v'])) });
const parts = (size: number, first = 0) => ({
  spec: { parts: many(size, (index) => ({ name: `n${first + index}` })) },
});
const owner = (index: number) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: `o${index}`, uid: `u${index}` });
const aGadget = (members: object) => ({ apiVersion: 'example.com/v1', kind: 'Gadget', ...members });
const applied = (manager: string, members: object): FuzzRequest =>
  patch(
    `apply-patch+yaml`,
    `${gadget}?force=true&fieldManager=${manager}`,
    aGadget({ metadata: { name: 'a' }, ...members }),
  );
const created = (spec: object, query = ''): FuzzRequest =>
  requestOf(`POST ${gadgets}${query}`, aGadget({ metadata: { name: 'b' }, spec }));

const ruled = (rule: string): FuzzRequest => {
  const schema = { type: 'object', properties: { x: { type: 'integer' } }, 'x-kubernetes-validations': [{ rule }] };
  return requestOf(`POST ${definitions}`, aDefinition(schema, { kind: 'Thing', group: 'example.org' }));
};

/** Requests that took quadratic time, or would with a naive implementation. */
export const hurtful: readonly Hurtful[] = [
  {
    what: 'a JSON patch that adds members',
    size: 9600,
    requests: (size) => [
      jsonPatch([
        { op: 'add', path: '/data', value: {} },
        ...many(size, (index) => ({ op: 'add', path: `/data/k${index}`, value: 'v' })),
      ]),
    ],
  },
  {
    what: 'a JSON patch that removes members',
    size: 9600,
    requests: (size) => [
      patch('merge-patch+json', map, data(size)),
      jsonPatch(many(size, (index) => ({ op: 'remove', path: `/data/k${index}` }))),
    ],
  },
  {
    what: 'a strategic patch of a list of scalars',
    size: 10000,
    requests: (size) => [
      patch('strategic-merge-patch+json', map, finalizers('a', size)),
      patch('strategic-merge-patch+json', map, finalizers('b', size)),
    ],
  },
  {
    what: 'owner references',
    size: 6000,
    requests: (size) => [patch('merge-patch+json', map, { metadata: { ownerReferences: many(size, owner) } })],
  },
  { what: 'items with keys', size: 10000, requests: (size) => [created(parts(size).spec)] },
  {
    what: 'items with keys beside former ones',
    size: 10000,
    requests: (size) => [
      patch('merge-patch+json', gadget, parts(size)),
      patch('merge-patch+json', gadget, parts(size, size / 2)),
    ],
  },
  {
    what: 'items that two have applied',
    size: 8000,
    requests: (size) => [applied('one', parts(size)), applied('two', parts(size, size / 2))],
  },
  { what: 'many mistakes', size: 16000, requests: (size) => [created({ parts: many(size, () => true) })] },
  {
    what: 'many warnings',
    size: 8000,
    requests: (size) => [created(Object.fromEntries(many(size, (index) => [`k${index}`, 1])), '?fieldValidation=Warn')],
  },
  {
    what: 'terms of a rule',
    size: 6000,
    requests: (size) => [ruled(many(size, (i) => `self.x == ${i}`).join(' || '))],
  },
  { what: 'faults of a rule', size: 6000, requests: (size) => [ruled(many(size, (i) => `y${i}`).join(' && '))] },
  { what: 'a list in a rule', size: 12000, requests: (size) => [ruled(`self.x in [${many(size, String).join()}]`)] },
];

const piece = fc.constantFrom(
  ...[
    'a',
    'b',
    '.',
    '[ab]',
    '[^b]',
    '\\w',
    '\\pL',
    'é',
    '(a|b)',
    '(a|aa)',
    '(a*)',
    '(?:a+)+',
    '(b?a)*',
    'a{2,5}',
    '\\b',
  ],
);
const repeated = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '*', '+', '?', '{3,9}'))
  .map(([pieces, times]) => `(${pieces.join('')})${times}`);

/** Expressions in Go's syntax that are slow with backtracking, and the parts of the texts to match. */
export const patternAndText = fc.tuple(
  fc
    .tuple(
      fc.constantFrom('', '^', '.*'),
      fc.array(repeated, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', '$', 'c', 'c$'),
    )
    .map(([start, middle, end]) => start + middle.join('') + end),
  fc.constantFrom('a', 'b', 'ab', 'aab', 'aé', 'a ', '\n'),
);

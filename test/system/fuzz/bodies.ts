import fc from 'fast-check';
import { good } from './good-objects.ts';

const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    'a',
    'default',
    0,
    -1,
    1.5,
    1e300,
    2 ** 53,
    [],
    {},
    '2020-01-01T00:00:00Z',
    '100m',
    '{"a":',
  ),
  fc.string({ maxLength: 8 }),
);
const member = fc.constantFrom(
  ...[
    'metadata',
    'spec',
    'status',
    'data',
    'name',
    'namespace',
    'labels',
    'annotations',
    'finalizers',
    'ownerReferences',
    'managedFields',
    'resourceVersion',
    'uid',
    'generateName',
    'creationTimestamp',
    'deletionTimestamp',
    'containers',
    'template',
    'selector',
    'matchLabels',
    'replicas',
    'ports',
    'port',
    'group',
    'names',
    'versions',
    'schema',
    'openAPIV3Schema',
    'properties',
    'items',
    'type',
    'x-kubernetes-validations',
    'rules',
    'rule',
    'webhooks',
    'clientConfig',
    'validations',
    'expression',
    '$patch',
    '$setElementOrder/ports',
    '$deleteFromPrimitiveList/finalizers',
    '$retainKeys',
    '__proto__',
    'constructor',
    'kind',
    'apiVersion',
    'preconditions',
    'propagationPolicy',
    'size',
    'x',
  ],
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(member, tie('value')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
  ),
}));
/** Returns a valid object with some member replaced, added or removed. */
function spoilt(object: unknown, steps: readonly number[], change: readonly [string, unknown]): unknown {
  if (typeof object !== 'object' || object === null) return change[1];
  const [step, ...rest] = steps;
  const keys = Object.keys(object);
  if (step === undefined || keys.length === 0) return { ...object, [change[0]]: change[1] };
  const key = keys[step % keys.length]!;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(object) ? [...object] : { ...object };
  (copy as Record<string, unknown>)[key] = spoilt((object as Record<string, unknown>)[key], rest, change);
  return copy;
}

const pointer = fc
  .array(fc.oneof(member, fc.constantFrom('0', '-', '~1', '~2', '')), { maxLength: 4 })
  .map((parts) => parts.map((part) => `/${part}`).join(''));
const operation = fc.record(
  {
    op: fc.constantFrom('add', 'remove', 'replace', 'test', 'move', 'copy', 'x'),
    path: fc.oneof(pointer, leaf),
    from: pointer,
    value,
  },
  { requiredKeys: ['op'] },
);
const text = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...good), fc.array(fc.nat(9), { maxLength: 5 }), fc.tuple(member, value))
      .map(([object, steps, change]) => JSON.stringify(spoilt(object, steps, change))),
  },
  { weight: 2, arbitrary: fc.constantFrom(...good).map((object) => JSON.stringify(object)) },
  { weight: 2, arbitrary: value.map((one) => JSON.stringify(one)) },
  { weight: 2, arbitrary: fc.array(operation, { maxLength: 4 }).map((one) => JSON.stringify(one)) },
  fc.tuple(fc.constantFrom(...good), fc.nat(200)).map(([object, length]) => JSON.stringify(object).slice(0, length)),
  fc.string({ maxLength: 30 }),
  fc.constantFrom(
    '',
    '{',
    '[',
    '"',
    '{"a":1,"a":2}',
    'a: &x [*x]',
    'a: !!js/function x',
    '--- a\n--- b',
    '['.repeat(20_000),
    `{"a":${'{"a":'.repeat(3000)}`,
    `${'{"spec":'.repeat(3000)}1${'}'.repeat(3000)}`,
    `${'['.repeat(900)}${']'.repeat(900)}`,
    '\u0000',
    'k8s\0',
  ),
);
/** Bodies: valid ones, invalid ones, patches, and arbitrary bytes. */
export const bytes = fc.oneof(
  { weight: 6, arbitrary: text.map((one) => Buffer.from(one)) },
  fc.uint8Array({ maxLength: 40 }).map((one) => Buffer.from(one)),
  fc.uint8Array({ maxLength: 60 }).map((one) => Buffer.concat([Buffer.from('k8s\0'), one])),
);

import test from 'ava';
import { Pod } from '../../../../../sdk/api/kinds.ts';
import { decodeObject, deepFreeze } from '../../../../../sdk/client/http/decode-object.ts';

const parsed = (value: unknown): Pod => JSON.parse(JSON.stringify(value)) as Pod;

test('everything in an object is frozen', (t) => {
  const object = decodeObject(
    Pod,
    parsed({ metadata: { name: 'p', labels: { a: 'b' } }, spec: { containers: [{ name: 'c' }] } }),
  );
  for (const part of [
    object,
    object.metadata,
    object.metadata.labels,
    object.spec?.containers,
    object.spec?.containers[0],
  ])
    t.true(Object.isFrozen(part));
  t.is(deepFreeze(null), null);
  t.is(deepFreeze('text'), 'text');
});

test('everything is frozen, however deep it lies', (t) => {
  let value: Record<string, unknown> = { name: 'p' };
  for (let level = 0; level < 20_000; level += 1) value = level % 2 === 0 ? { a: [value] } : { a: value };
  let at: unknown = deepFreeze(value);
  let frozen = 0;
  while (typeof at === 'object' && at !== null) {
    if (Object.isFrozen(at)) frozen += 1;
    at = Object.values(at)[0];
  }
  t.is(frozen, 30_001);
});

test('managedFields of the object are left out, a field of that name elsewhere stays', (t) => {
  const object = decodeObject(
    Pod,
    parsed({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'p', managedFields: [{}] },
      spec: { managedFields: [1] },
    }),
  );
  t.deepEqual(object.metadata, { name: 'p' });
  t.deepEqual(object.spec as unknown, { managedFields: [1] });
});

test('list items and partial answers get their apiVersion and kind, another kind keeps its own', (t) => {
  const kindOf = (value: object) => {
    const { apiVersion, kind } = decodeObject(Pod, parsed({ ...value, metadata: { name: 'p' } }));
    return `${apiVersion} ${kind}`;
  };
  t.is(kindOf({}), 'v1 Pod');
  t.is(kindOf({ apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' }), 'v1 Pod');
  t.is(kindOf({ apiVersion: 'autoscaling/v1', kind: 'Scale' }), 'autoscaling/v1 Scale');
});

import test from 'ava';
import fc from 'fast-check';
import type { Fields } from '../../../../cluster/apimachinery/object.ts';
import {
  applyStrategicPatch,
  StrategicPatchError,
} from '../../../../cluster/apimachinery/patch/strategic-merge-patch.ts';
import { builtinTypes } from '../../../../cluster/apis/builtin-types.ts';
import { patchShapeOf } from '../../../../cluster/resources/builtin-patch-meta.ts';

const types = builtinTypes();
const pod = patchShapeOf(types, 'core.Pod');
const patched = (object: Fields, patch: Fields): Fields => applyStrategicPatch(object, patch, pod);

const two: Fields = {
  metadata: { name: 'p', finalizers: ['a', 'b'], labels: { x: 'y' } },
  spec: {
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'a' }],
    containers: [
      {
        name: 'one',
        image: 'i:1',
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
        args: ['x'],
      },
      { name: 'two', image: 'i:2' },
    ],
  },
};
const spec = (fields: Fields): Fields => ({ spec: fields });
const containersOf = (object: Fields): readonly Fields[] => (object.spec as { containers: Fields[] }).containers;
const names = (object: Fields): readonly unknown[] => containersOf(object).map(({ name }) => name);

test('containers merge by name, new ones come before what the patch does not name', (t) => {
  const result = patched(
    two,
    spec({
      containers: [
        { name: 'two', image: 'i:22' },
        { name: 'new', image: 'i:9' },
      ],
    }),
  );
  t.deepEqual(names(result), ['one', 'two', 'new']);
  t.is(containersOf(result)[1]!.image, 'i:22');
  t.deepEqual(names(patched(two, spec({ containers: [{ name: 'new' }] }))), ['new', 'one', 'two']);
});

test('nested lists merge by their own keys, other lists are replaced', (t) => {
  const [one] = containersOf(
    patched(
      two,
      spec({
        containers: [
          {
            name: 'one',
            args: ['y'],
            env: [
              { name: 'B', value: 'two' },
              { name: 'C', value: '3' },
            ],
          },
        ],
      }),
    ),
  );
  t.deepEqual(one?.env, [
    { name: 'A', value: '1' },
    { name: 'B', value: 'two' },
    { name: 'C', value: '3' },
  ]);
  t.deepEqual(one?.args, ['y']);
  t.deepEqual(patched(two, spec({ tolerations: [{ key: 'b' }] })), {
    ...two,
    spec: { ...(two.spec as Fields), tolerations: [{ key: 'b' }] },
  });
});

test('directives delete and replace items and maps', (t) => {
  t.deepEqual(names(patched(two, spec({ containers: [{ name: 'two', $patch: 'delete' }] }))), ['one']);
  t.deepEqual(names(patched(two, spec({ containers: [{ name: 'only' }, { $patch: 'replace' }] }))), ['only']);
  t.deepEqual(patched(two, spec({ nodeSelector: { $patch: 'replace', z: '1' } })).spec, {
    ...(two.spec as Fields),
    nodeSelector: { z: '1' },
  });
  t.deepEqual((patched(two, { metadata: { labels: { $patch: 'delete' } } }).metadata as Fields).labels, {});
  t.is((patched(two, { metadata: { labels: null } }).metadata as Fields).labels, undefined);
});

test('lists of scalars are sets that can be added to and deleted from', (t) => {
  const finalizers = (patch: Fields): unknown => (patched(two, { metadata: patch }).metadata as Fields).finalizers;
  t.deepEqual(finalizers({ finalizers: ['c'] }), ['c', 'a', 'b']);
  t.deepEqual(finalizers({ '$deleteFromPrimitiveList/finalizers': ['a'] }), ['b']);
});

test('an order that is set is kept', (t) => {
  const result = patched(
    two,
    spec({
      '$setElementOrder/containers': [{ name: 'two' }, { name: 'one' }],
      containers: [{ name: 'one', image: 'i:11' }],
    }),
  );
  t.deepEqual(names(result), ['two', 'one']);
  t.is(containersOf(result)[1]!.image, 'i:11');
});

test('keys that are retained are the only ones left', (t) => {
  const deployment = patchShapeOf(types, 'apps.Deployment');
  const object = spec({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } });
  const result = applyStrategicPatch(
    object,
    spec({ strategy: { $retainKeys: ['type'], type: 'Recreate' } }),
    deployment,
  );
  t.deepEqual(result, spec({ strategy: { type: 'Recreate' } }));
});

test('an unknown directive and an item without its key are refused', (t) => {
  const zap = () => patched(two, spec({ containers: [{ name: 'one', $patch: 'zap' }] }));
  t.throws(zap, {
    instanceOf: StrategicPatchError,
    message: 'unknown patch type: zap in map: map[$patch:zap name:one]',
  });
  t.throws(() => patched(two, spec({ containers: [{ image: 'x' }] })), {
    message: 'map: map[image:x] does not contain declared merge key: name',
  });
});

const aContainer = fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), image: fc.string() });
const someContainers = fc.uniqueArray(aContainer, { selector: ({ name }) => name, minLength: 1 });

test('a patch that deletes what is gone, names the rest and sets the order leads to the target', (t) => {
  fc.assert(
    fc.property(someContainers, someContainers, (before, target) => {
      const gone = before.filter(({ name }) => !target.some((one) => one.name === name));
      const patch = spec({
        containers: [...target, ...gone.map(({ name }) => ({ name, $patch: 'delete' }))],
        '$setElementOrder/containers': target.map(({ name }) => ({ name })),
      });
      t.deepEqual(patched(spec({ containers: before }), patch), spec({ containers: target }));
    }),
  );
});

test('applying a patch twice is applying it once, and the object stays as it was', (t) => {
  fc.assert(
    fc.property(someContainers, someContainers, (before, change) => {
      const object = Object.freeze(spec({ containers: before }));
      const once = patched(object, spec({ containers: change }));
      t.deepEqual(patched(once, spec({ containers: change })), once);
      t.deepEqual(object, spec({ containers: before }));
    }),
  );
});

import test from 'ava';
import fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import { add, applied, changesOf, patchOf, pointer, remove, test as testOperation } from '../../../../sdk/api/patch.ts';
import { aWorkspace } from '../../a-workspace.ts';

test('a pointer escapes what RFC 6901 says', (t) => {
  t.is(pointer('metadata', 'annotations', 'a/b~c', 0), '/metadata/annotations/a~1b~0c/0');
  t.is(pointer(), '');
});

test('operations are what RFC 6902 says; a test of undefined is one of null', (t) => {
  t.deepEqual(add('/a', 1), { op: 'add', path: '/a', value: 1 });
  t.deepEqual(remove('/a'), { op: 'remove', path: '/a' });
  t.deepEqual(testOperation('/a', undefined), { op: 'test', path: '/a', value: null });
});

test('a recipe becomes the smallest patch, tested against the version it saw', (t) => {
  const workspace = aWorkspace({ status: { host: 'a' } });
  t.deepEqual(
    patchOf(workspace, (draft) => {
      draft.status!.host = 'b';
    }),
    [
      { op: 'test', path: '/metadata/resourceVersion', value: '10' },
      { op: 'replace', path: '/status/host', value: 'b' },
    ],
  );
});

test('a recipe that changes nothing sends nothing', (t) => {
  t.deepEqual(
    patchOf(aWorkspace({ status: { host: 'a' } }), (draft) => {
      draft.status!.host = 'a';
    }),
    [],
  );
});

test('a member that a recipe sets to undefined is removed, as it is absent in JSON', (t) => {
  t.deepEqual(
    changesOf(aWorkspace({ status: { host: 'a' } }), (draft) => {
      Object.assign(draft.status!, { host: undefined, phase: undefined });
    }),
    [{ op: 'remove', path: '/status/host' }],
  );
});

test('the object itself is never touched', (t) => {
  const workspace = Object.freeze(aWorkspace());
  changesOf(workspace, (draft) => {
    draft.metadata.labels = { a: 'b' };
  });
  t.is(workspace.metadata.labels, undefined);
});

test('whatever a recipe makes of an object, its patch makes too', (t) => {
  const labels = fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), fc.string({ maxLength: 5 }), {
    maxKeys: 5,
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(labels, labels, (before, after) => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: before } };
      const changes = changesOf(object, (draft) => {
        for (const key of Object.keys(draft.metadata.labels)) if (!(key in after)) delete draft.metadata.labels[key];
        for (const [key, value] of Object.entries(after)) draft.metadata.labels[key] = value;
      });
      const patched = structuredClone(object);
      t.deepEqual(
        applyPatch(patched, structuredClone([...changes]) as Parameters<typeof applyPatch>[1]).filter(Boolean),
        [],
      );
      t.deepEqual(patched.metadata.labels, after);
    }),
  );
});

test('an object is as a patch makes it, whatever its tests say, and is not modified itself', (t) => {
  const object = { ...aWorkspace(), status: { conditions: [], outputs: { 'a/b': {} } } };
  const operations = [
    { op: 'test', path: '/metadata/uid', value: 'another' },
    { op: 'add', path: '/status/conditions/-', value: 1 },
    { op: 'add', path: '/status/conditions/0', value: 0 },
    { op: 'replace', path: '/status/conditions/1', value: 2 },
    { op: 'remove', path: '/status/outputs/a~1b' },
  ] as const;
  t.deepEqual(applied(object, operations).status as unknown, { conditions: [0, 2], outputs: {} });
  t.deepEqual(object.status, { conditions: [], outputs: { 'a/b': {} } });
});

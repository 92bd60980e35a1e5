import test from 'ava';
import { addFinalizer, hasFinalizer, removeFinalizer } from '../../../../sdk/api/finalizer.ts';
import { aWorkspace } from '../../a-workspace.ts';

test('adding tests what was seen, and keeps what others hold', (t) => {
  t.deepEqual(addFinalizer(aWorkspace(), 'a/b').slice(-2), [
    { op: 'test', path: '/metadata/finalizers', value: null },
    { op: 'add', path: '/metadata/finalizers', value: ['a/b'] },
  ]);
  t.deepEqual(addFinalizer(aWorkspace({ finalizers: ['x/y'] }), 'a/b').slice(-2), [
    { op: 'test', path: '/metadata/finalizers', value: ['x/y'] },
    { op: 'add', path: '/metadata/finalizers', value: ['x/y', 'a/b'] },
  ]);
});

test('nothing is added twice, nor to an object being deleted', (t) => {
  t.deepEqual(addFinalizer(aWorkspace({ finalizers: ['a/b'] }), 'a/b'), []);
  t.deepEqual(addFinalizer(aWorkspace({ deleting: true }), 'a/b'), []);
});

test('removing takes the one seen from its place, and nothing where it is not', (t) => {
  const workspace = aWorkspace({ finalizers: ['x/y', 'a/b'] });
  t.true(hasFinalizer(workspace, 'a/b'));
  t.deepEqual(removeFinalizer(workspace, 'a/b'), [
    { op: 'test', path: '/metadata/uid', value: 'uid-shop' },
    { op: 'test', path: '/metadata/finalizers/1', value: 'a/b' },
    { op: 'remove', path: '/metadata/finalizers/1' },
  ]);
  t.deepEqual(removeFinalizer(aWorkspace(), 'a/b'), []);
});

test('several are added in one patch, those that are there already left out', (t) => {
  t.deepEqual(addFinalizer(aWorkspace({ finalizers: ['x/y'] }), 'x/y', 'a/b', 'c/d').at(-1), {
    op: 'add',
    path: '/metadata/finalizers',
    value: ['x/y', 'a/b', 'c/d'],
  });
});

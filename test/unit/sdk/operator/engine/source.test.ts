import test from 'ava';
import { Namespace, Pod } from '../../../../../sdk/api/kinds.ts';
import { Workspace } from '../../../../../sdk/api/workspace.ts';
import { ownersOf } from '../../../../../sdk/operator/engine/source.ts';

const owned = (...owners: readonly (readonly [apiVersion: string, kind: string, name: string])[]) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 's',
    namespace: 'n',
    ownerReferences: owners.map(([apiVersion, kind, name]) => ({ apiVersion, kind, name, uid: `uid of ${name}` })),
  },
});

test('finds the owners of one kind, whatever version their references name', (t) => {
  const object = owned(
    ['se.quencer.io/v1alpha1', 'Workspace', 'a'],
    ['se.quencer.io/v9', 'Workspace', 'b'],
    ['other.io/v1', 'Workspace', 'c'],
    ['v1', 'Pod', 'd'],
  );
  t.deepEqual(ownersOf(Workspace, object), [
    { namespace: 'n', name: 'a' },
    { namespace: 'n', name: 'b' },
  ]);
  t.deepEqual(ownersOf(Pod, object), [{ namespace: 'n', name: 'd' }]);
});

test('owners that are cluster-scoped have no namespace', (t) => {
  t.deepEqual(ownersOf(Namespace, owned(['v1', 'Namespace', 'x'])), [{ name: 'x' }]);
  t.deepEqual(ownersOf(Namespace, { ...owned(), metadata: { name: 's' } }), []);
});

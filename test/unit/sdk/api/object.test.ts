import test from 'ava';
import fc from 'fast-check';
import { isDeleting, isOwnedBy, keyOf, objectKeyOf, ownerReferenceTo, parseKey } from '../../../../sdk/api/object.ts';
import { aWorkspace } from '../../a-workspace.ts';

test('a key is spelled one way, and read back', (t) => {
  const name = fc.stringMatching(/^[a-z0-9.-]{1,10}$/);
  fc.assert(fc.property(fc.record({ namespace: name, name }), (key) => void t.deepEqual(parseKey(keyOf(key)), key)));
  t.deepEqual(parseKey(keyOf({ name: 'node-1' })), { name: 'node-1' });
});

test('an owner is known by its uid, not by its name', (t) => {
  const owner = aWorkspace();
  const child = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', ownerReferences: [ownerReferenceTo(owner)] } };
  t.true(isOwnedBy(child, owner));
  t.false(isOwnedBy(child, { ...owner, metadata: { ...owner.metadata, uid: 'another' } }));
  t.like(ownerReferenceTo(owner), {
    kind: 'Workspace',
    name: 'shop',
    uid: 'uid-shop',
    controller: true,
    blockOwnerDeletion: true,
  });
});

test('an object is being deleted once it says so', (t) => {
  t.false(isDeleting(aWorkspace()));
  t.true(isDeleting(aWorkspace({ deleting: true })));
});

test('an object is named by its namespace and name, a cluster-scoped one by its name alone', (t) => {
  t.deepEqual(objectKeyOf(aWorkspace()), { namespace: 'default', name: 'shop' });
  t.deepEqual(objectKeyOf({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } }), { name: 'a' });
});

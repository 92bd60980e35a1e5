import test from 'ava';
import { Deployment, Namespace, Pod } from '../../../../../sdk/api/kinds.ts';
import { collectionPath, creationPath, objectPath, withQuery } from '../../../../../sdk/client/http/paths.ts';

test('core kinds live under /api, others under /apis', (t) => {
  t.is(objectPath(Pod, { namespace: 'a', name: 'p' }, 'status'), '/api/v1/namespaces/a/pods/p/status');
  t.is(objectPath(Deployment, { namespace: 'a', name: 'd' }), '/apis/apps/v1/namespaces/a/deployments/d');
  t.is(collectionPath(Deployment), '/apis/apps/v1/deployments');
});

test('a cluster-scoped kind has no namespace in its path', (t) => {
  t.is(objectPath(Namespace, { name: 'a' }), '/api/v1/namespaces/a');
  t.is(collectionPath(Namespace, 'a'), '/api/v1/namespaces');
  t.is(creationPath(Namespace, undefined), '/api/v1/namespaces');
});

test('names are escaped', (t) => {
  t.is(objectPath(Namespace, { name: 'system:a b' }), '/api/v1/namespaces/system%3Aa%20b');
});

for (const name of ['', '.', '..', 'a/b', 'a%2fb', undefined as unknown as string])
  test(`the name ${JSON.stringify(name)} is refused, since its path would be another's`, (t) => {
    t.throws(() => objectPath(Pod, { namespace: 'a', name }), { instanceOf: TypeError, message: /the name of a Pod/ });
    t.throws(() => objectPath(Pod, { namespace: name, name: 'p' }), { message: /the namespace of/ });
  });

test('a new object of a namespaced kind needs a namespace', (t) => {
  t.throws(() => creationPath(Pod, undefined), { instanceOf: TypeError, message: /namespace of a Pod is missing/ });
});

test('a query leaves out what is not set', (t) => {
  t.is(withQuery('/a', {}), '/a');
  t.is(withQuery('/a', { b: undefined, c: false, d: true, e: 0, f: 'x=y,z' }), '/a?d=true&e=0&f=x%3Dy%2Cz');
});

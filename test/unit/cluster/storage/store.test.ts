import test from 'ava';
import { Store } from '../../../cluster/storage/store.ts';

const draft = (name: string, namespace: string) => ({ apiVersion: 'v1', kind: 'Thing', metadata: { name, namespace } });

function filled(options = {}) {
  const store = new Store(options);
  const put = (key: string) => {
    const [namespace = '', name = ''] = key.split('/');
    return store.put('things', key, draft(name, namespace));
  };
  return { store, put };
}
const keysOf = (objects: readonly { metadata: { name: string; namespace?: string } }[]) =>
  objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);

test('one counter for all collections', (t) => {
  const { store, put } = filled();
  const first = Number(put('a/x').metadata.resourceVersion);
  store.put('others', 'y', draft('y', ''));
  t.is(store.revision, first + 1);
});

test('a namespace is a range of keys, also where names of namespaces begin alike', (t) => {
  const { store, put } = filled();
  for (const key of ['a/x', 'a-b/x', 'a.b/x', 'ab/x', 'a/y']) put(key);
  t.deepEqual(keysOf(store.page('things', { prefix: 'a/' }).objects), ['a/x', 'a/y']);
  t.deepEqual(keysOf(store.page('things', { prefix: '' }).objects), ['a-b/x', 'a.b/x', 'a/x', 'a/y', 'ab/x']);
});

test('a former state is reported after additions, changes and removals, page by page', (t) => {
  const { store, put } = filled();
  for (const name of ['b', 'd', 'f']) put(`n/${name}`);
  const then = store.revision;
  put('n/a');
  put('n/e');
  put('n/d');
  store.remove('things', 'n/b');
  const page = store.page('things', { prefix: 'n/', revision: then, limit: 1 });
  t.deepEqual(keysOf(page.objects), ['n/b']);
  t.like(page, { last: 'n/b', remaining: 2 });
  const rest = store.page('things', { prefix: 'n/', revision: then, after: page.last! });
  t.deepEqual(keysOf(rest.objects), ['n/d', 'n/f']);
  t.true(rest.objects.every(({ metadata }) => Number(metadata.resourceVersion) <= then));
});

test('history has a limit, and what is older is not reported', (t) => {
  const { store, put } = filled({ historyLimit: 4 });
  const start = store.revision;
  for (let index = 0; index < 20; index += 1) put(`n/${index}`);
  t.is(store.changesSince(start), undefined);
  t.true(store.oldest > start);
  t.deepEqual(
    store.changesSince(store.revision - 2)?.map(({ key }) => key),
    ['n/18', 'n/19'],
  );
});

test('listeners hear each write in it, until they stop', (t) => {
  const { store, put } = filled();
  const heard: string[] = [];
  const stop = store.listen(({ type, key }) => heard.push(`${type} ${key}`));
  put('n/a');
  put('n/a');
  store.remove('things', 'n/a');
  stop();
  put('n/b');
  t.deepEqual(heard, ['ADDED n/a', 'MODIFIED n/a', 'DELETED n/a']);
});

test('what is stored is frozen through and through', (t) => {
  const { store } = filled();
  const object = store.put('things', 'n/a', { ...draft('a', 'n'), spec: { list: [{ deep: 1 }] } });
  t.throws(() => (object.spec as { list: object[] }).list.push({}), { instanceOf: TypeError });
});

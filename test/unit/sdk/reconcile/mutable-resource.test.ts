import test from 'ava';
import { ConfigMap } from '../../../../sdk/api/kinds.ts';
import {
  contentHash,
  copyTemplate,
  type MutableResource,
  mutationOf,
} from '../../../../sdk/reconcile/mutable-resource.ts';
import { requestFor } from '../../../../sdk/reconcile/request.ts';
import { aConfigMap, inDefault } from '../operator/controlled.ts';

const owner: ConfigMap = { ...aConfigMap('owner'), metadata: { ...inDefault('owner'), uid: 'owner-uid' } };
const options = { request: requestFor(ConfigMap, owner), owner, hashAnnotation: 'example.com/hash' };

const noting = (calls: string[]): MutableResource<ConfigMap, ConfigMap> => ({
  kind: ConfigMap,
  name: 'm',
  preMutate: () => void calls.push('preMutate'),
  mutateWithInitialData: () => void calls.push('mutateWithInitialData'),
  mutateWithCR: () => void calls.push('mutateWithCR'),
  postMutate: () => void calls.push('postMutate'),
  getHashableRef: ({ data }) => {
    calls.push('getHashableRef');
    return data;
  },
});

const decide = (resource: MutableResource<ConfigMap, ConfigMap>, peer?: ConfigMap) =>
  mutationOf({ resource, index: 'm', key: inDefault('m'), peer }, options);

test('mutates in OKT’s order, and hashes last', async (t) => {
  const calls: string[] = [];
  const { wanted, drifted, change } = await decide(noting(calls));
  t.deepEqual(calls, ['preMutate', 'mutateWithInitialData', 'mutateWithCR', 'postMutate', 'getHashableRef']);
  t.deepEqual([drifted, change], [false, undefined]);
  t.is(wanted.metadata.annotations?.['example.com/hash'], contentHash(undefined));
  t.is(wanted.metadata.ownerReferences?.[0]?.uid, 'owner-uid');
});

test('OKT-c7: the hash is that of the data, in whatever order a server or an author has them', (t) => {
  t.is(contentHash({ a: 1, b: [{ c: 2, d: undefined }] }), contentHash({ b: [{ c: 2 }], a: 1 }));
  t.not(contentHash({ a: 1 }), contentHash({ a: '1' }));
  t.not(contentHash({ volume: { emptyDir: {} } }), contentHash({ volume: {} }));
});

test('a drafted peer is a copy: frozen objects stay as they are', async (t) => {
  const frozen = Object.freeze({ ...aConfigMap('m', { a: '1' }) });
  const { change } = await decide(
    { kind: ConfigMap, name: 'm', mutateWithCR: (draft) => void Object.assign(draft, { data: { a: '2' } }) },
    frozen,
  );
  t.like(change, { data: { a: '2' } });
  t.deepEqual(frozen.data, { a: '1' });
});

test('an owner in another namespace cannot be one', async (t) => {
  const elsewhere = { ...options, owner: { ...owner, metadata: { ...owner.metadata, namespace: 'other' } } };
  const resource: MutableResource<ConfigMap, ConfigMap> = { kind: ConfigMap, name: 'm' };
  const about = { index: 'm', key: inDefault('m'), peer: undefined };
  await t.throwsAsync(mutationOf({ resource, ...about }, elsewhere), { message: /set enableOwnerReference to false/ });
  await t.notThrowsAsync(mutationOf({ resource: { ...resource, enableOwnerReference: false }, ...about }, elsewhere));
});

test('OKT-c8: a template is data: nothing in it is escaped, and what it does not name stays', (t) => {
  const draft = { metadata: { name: 'm', labels: { a: '1' } }, data: { kept: 'x' } };
  copyTemplate(draft, { metadata: { labels: { b: '2' } }, data: { html: `<a href="?x=1&y='2'">` } });
  t.deepEqual(draft, {
    metadata: { name: 'm', labels: { a: '1', b: '2' } },
    data: { kept: 'x', html: `<a href="?x=1&y='2'">` },
  } as never);
});

/** Scenarios of garbage collection. */

import type { Step } from '../../runner/scenario.ts';
import { creating, ownOf, subjects } from '../subjects.ts';

/** Path of ConfigMaps. */
export const maps = '/api/v1/namespaces/{ns}/configmaps';

/** Request that creates a ConfigMap. */
export const map = (name: string, metadata: object = {}, step: Partial<Step> = {}): Step => ({
  path: maps,
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } },
  ...step,
});

/** Reference to the object that step `step` has created. */
export const ownedBy = (step: number, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: `{${step}.metadata.name}`,
  uid: `{${step}.metadata.uid}`,
  ...more,
});

/** Waits until a ConfigMap is gone. */
export const gone = (name: string): Step => ({ path: `${maps}/${name}`, until: 404 });
/** Reads a ConfigMap. */
export const there = (name: string): Step => ({ path: `${maps}/${name}` });
/** Changes a ConfigMap's metadata. */
export const change = (name: string, metadata: object): Step => ({
  method: 'PATCH',
  path: `${maps}/${name}`,
  body: { metadata },
});
/** Removes a ConfigMap's finalizers. */
export const strip = (name: string): Step => change(name, { finalizers: null });
/** Deletes an object; the answer depends on timing. */
export const remove = (path: string, propagationPolicy?: string): Step => ({
  method: 'DELETE',
  path,
  silent: true,
  ...(propagationPolicy !== undefined && { body: { propagationPolicy } }),
});
/** A uid of no object. */
export const uid = '00000000-0000-4000-8000-000000000000';
/** Metadata that delays a deletion. */
export const held = { finalizers: ['example.com/a'] };
/** Reference fields that block the owner's deletion. */
export const blocking = { blockOwnerDeletion: true };
/** Reference to an object that does not exist. */
export const absent = { apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid };

/** Effects of owner references on objects, by topic. */
export const garbage: Readonly<Record<string, readonly Step[]>> = {
  'a chain goes': [
    map('a'),
    map('b', { ownerReferences: [ownedBy(0)] }),
    map('c', { ownerReferences: [ownedBy(1)] }),
    remove(`${maps}/a`),
    gone('b'),
    gone('c'),
  ],
  'a chain goes, foreground': [
    map('a'),
    map('b', { ownerReferences: [ownedBy(0, { blockOwnerDeletion: true })] }),
    map('c', { ownerReferences: [ownedBy(1, { blockOwnerDeletion: true })] }),
    remove(`${maps}/a`, 'Foreground'),
    gone('a'),
    gone('b'),
    gone('c'),
  ],
  'orphans stay': [
    map('a'),
    map('b', { ownerReferences: [ownedBy(0)] }),
    map('c', { ownerReferences: [ownedBy(1)] }),
    remove(`${maps}/a`, 'Orphan'),
    gone('a'),
    there('b'),
    there('c'),
  ],
  'one of three owners goes': [
    map('a'),
    map('b'),
    map('c'),
    map('d', { ownerReferences: [ownedBy(0), ownedBy(1), ownedBy(2)] }),
    remove(`${maps}/a`),
    gone('a'),
    remove(`${maps}/b`),
    gone('b'),
    remove(`${maps}/c`),
    gone('d'),
  ],
  'an owner that never was': [
    map('a', { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid }] }),
    gone('a'),
  ],
  'an owner of another uid': [map('a'), map('b', { ownerReferences: [{ ...ownedBy(0), uid }] }), gone('b'), there('a')],
  'an owner of another name': [
    map('a'),
    map('b', { ownerReferences: [{ ...ownedBy(0), name: 'other' }] }),
    gone('b'),
    there('a'),
  ],
  'a cluster-scoped owner': [
    creating(subjects.clusterRole),
    map('a', { ownerReferences: [ownedBy(0, { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' })] }),
    remove(ownOf(subjects.clusterRole)),
    gone('a'),
  ],
  'its namespace as owner of another uid': [
    map('a', { ownerReferences: [{ apiVersion: 'v1', kind: 'Namespace', name: '{ns}', uid }] }),
    gone('a'),
  ],
  'a held dependent blocks': [
    map('a'),
    map('b', { ...held, ownerReferences: [ownedBy(0, { blockOwnerDeletion: true })] }),
    remove(`${maps}/a`, 'Foreground'),
    { path: `${maps}/b`, until: 200 },
    strip('b'),
    gone('a'),
    gone('b'),
  ],
  'a held dependent that does not block': [
    map('a'),
    map('b', { ...held, ownerReferences: [ownedBy(0, { blockOwnerDeletion: false })] }),
    remove(`${maps}/a`, 'Foreground'),
    gone('a'),
    strip('b'),
    gone('b'),
  ],
  'a held owner, background': [
    map('a', held),
    map('b', { ownerReferences: [ownedBy(0)] }),
    remove(`${maps}/a`, 'Background'),
    there('b'),
    strip('a'),
    gone('b'),
  ],
  'a held owner, orphan': [
    map('a', held),
    map('b', { ownerReferences: [ownedBy(0)] }),
    remove(`${maps}/a`, 'Orphan'),
    { ...strip('a'), silent: true },
    gone('a'),
    there('b'),
  ],
  'dependents of two, one foreground': [
    map('a'),
    map('b'),
    map('c', { ownerReferences: [ownedBy(0, { blockOwnerDeletion: true }), ownedBy(1, { blockOwnerDeletion: true })] }),
    remove(`${maps}/a`, 'Foreground'),
    gone('a'),
    there('c'),
  ],
  'a kind that there is not': [
    map('a', { ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'None', name: 'x', uid }] }),
    there('a'),
  ],
  'an owner in another namespace': [
    { path: '/api/v1/namespaces', body: { metadata: { name: 'other-{ns}' } } },
    { path: '/api/v1/namespaces/other-{ns}/configmaps', body: { metadata: { name: 'o' } } },
    map('b', { ownerReferences: [ownedBy(1)] }),
    gone('b'),
    { path: '/api/v1/namespaces/other-{ns}/configmaps/o' },
  ],
  'a reference added later': [
    map('a'),
    map('b'),
    {
      method: 'PATCH',
      path: `${maps}/b`,
      body: { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid }] } },
    },
    gone('b'),
  ],
  'a collection and its dependents': [
    map('a', { labels: { go: '1' } }),
    map('b', { labels: { go: '1' } }),
    map('c', { ownerReferences: [ownedBy(0)] }),
    map('d', { ownerReferences: [ownedBy(1)] }),
    { method: 'DELETE', path: `${maps}?labelSelector=go`, silent: true },
    gone('c'),
    gone('d'),
  ],
};

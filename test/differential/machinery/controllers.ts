import type { Family, Scenario, Step } from '../scenario.ts';
import { beforeSubjects, creating, objectOf, ownOf, type Subject, subjects } from './subjects.ts';

const maps = '/api/v1/namespaces/{ns}/configmaps';
const map = (name: string, metadata: object = {}, step: Partial<Step> = {}): Step => ({
  path: maps,
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } },
  ...step,
});

/** A reference to what step `step` has created. */
const ownedBy = (step: number, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: `{${step}.metadata.name}`,
  uid: `{${step}.metadata.uid}`,
  ...more,
});

const gone = (name: string): Step => ({ path: `${maps}/${name}`, until: 404 });
const there = (name: string): Step => ({ path: `${maps}/${name}` });
const strip = (name: string): Step => ({
  method: 'PATCH',
  path: `${maps}/${name}`,
  body: { metadata: { finalizers: null } },
});
const remove = (path: string, propagationPolicy?: string): Step => ({
  method: 'DELETE',
  path,
  silent: true,
  ...(propagationPolicy !== undefined && { body: { propagationPolicy } }),
});
const uid = '00000000-0000-4000-8000-000000000000';
const held = { finalizers: ['example.com/a'] };

const garbage: Readonly<Record<string, readonly Step[]>> = {
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
  'a custom owner': [
    creating(subjects.workspace),
    map('a', { ownerReferences: [ownedBy(0, { apiVersion: 'se.quencer.io/v1alpha1', kind: 'Workspace' })] }),
    remove(ownOf(subjects.workspace)),
    gone('a'),
  ],
  'a custom dependent': [
    map('a'),
    creating(subjects.workspace, { 'metadata.ownerReferences': [ownedBy(0)] }),
    remove(`${maps}/a`),
    { path: ownOf(subjects.workspace), until: 404 },
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

const deletedNamespace: Step = { method: 'DELETE', path: '/api/v1/namespaces/{ns}', silent: true };
const namespaceGone: Step = { path: '/api/v1/namespaces/{ns}', until: 404 };
const writes = (subject: Subject): readonly Step[] => {
  const own = ownOf(subject);
  return [
    creating(subject, { 'metadata.finalizers': ['example.com/a'] }),
    deletedNamespace,
    { ...creating(subject, { 'metadata.name': 'new' }) },
    { ...creating(subject, { 'metadata.name': 'new' }, '?dryRun=All') },
    { ...creating(subject, { 'metadata.name': undefined, 'metadata.generateName': 'new-' }) },
    { method: 'PUT', path: `${subject.collection}/new`, body: objectOf(subject, { 'metadata.name': 'new' }) },
    { method: 'PATCH', path: own, body: { metadata: { labels: { a: 'b' } } }, silent: true },
    {
      method: 'PATCH',
      path: `${subject.collection}/applied?fieldManager=m`,
      contentType: 'application/apply-patch+yaml',
      body: objectOf(subject, { 'metadata.name': 'applied' }),
    },
    { method: 'PATCH', path: own, body: { metadata: { finalizers: null } }, silent: true },
    namespaceGone,
    creating(subject),
    { path: subject.collection },
  ];
};

const subjectNames = ['configMap', 'pod', 'service', 'deployment', 'lease', 'workspace', 'secret'] as const;

function* controllerScenarios(): Generator<Scenario> {
  for (const [title, steps] of Object.entries(garbage)) yield { name: `garbage: ${title}`, steps };
  for (const name of subjectNames) yield { name: `terminating namespaces: ${name}`, steps: writes(subjects[name]) };
  yield {
    name: 'terminating namespaces: finalize',
    steps: [
      { path: '/api/v1/namespaces/{ns}' },
      {
        method: 'PUT',
        path: '/api/v1/namespaces/{ns}/finalize',
        from: 0,
        set: { 'spec.finalizers': ['kubernetes', 'example.com/a'] },
      },
      { method: 'DELETE', path: '/api/v1/namespaces/{ns}', silent: true },
      { path: `${maps}/kube-root-ca.crt`, until: 404 },
      { method: 'PUT', path: '/api/v1/namespaces/{ns}/finalize', from: 1, set: { 'spec.finalizers': ['bad'] } },
      {
        method: 'PUT',
        path: '/api/v1/namespaces/{ns}/finalize',
        from: 1,
        set: { 'metadata.resourceVersion': undefined, 'spec.finalizers': [] },
      },
      namespaceGone,
    ],
  };
}

/** What the controllers of an API server do: garbage and namespaces. */
export const controllers: Family = {
  fixed: controllerScenarios,
  before: beforeSubjects,
  controllers: true,
  ignored: ['uid', 'resourceVersion', 'time'],
};

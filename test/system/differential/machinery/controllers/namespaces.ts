/** Scenarios of terminating namespaces. */

import type { Scenario, Step } from '../../runner/scenario.ts';
import { creating, objectOf, ownOf, type Subject, subjects } from '../subjects.ts';
import { held, map, maps, ownedBy, strip } from './garbage.ts';

const deletedNamespace: Step = { method: 'DELETE', path: '/api/v1/namespaces/{ns}', silent: true };
const namespaceGone: Step = { path: '/api/v1/namespaces/{ns}', until: 404 };
/** Writes to a namespace that is terminating. */
export const writes = (subject: Subject): readonly Step[] => {
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

const says = (condition: number, reason: string): Step => ({
  path: '/api/v1/namespaces/{ns}',
  awaits: { [`status.conditions[${condition}].reason`]: reason },
});
const pods = '/api/v1/namespaces/{ns}/pods';

/** Termination of namespaces. */
export const terminating: Readonly<Record<string, readonly Step[]>> = {
  'what holds': [
    map('a', held),
    map('b', { finalizers: ['example.com/a', 'example.com/b'] }),
    creating(subjects.secret, { 'metadata.finalizers': ['example.com/b'] }),
    deletedNamespace,
    says(4, 'SomeFinalizersRemain'),
    strip('a'),
    { method: 'DELETE', path: '/api/v1/namespaces/{ns}', silent: true },
    strip('b'),
    { method: 'PATCH', path: ownOf(subjects.secret), body: { metadata: { finalizers: null } } },
    namespaceGone,
  ],
  'pods first': [
    map('a'),
    { path: pods, body: { metadata: { name: 'p', ...held }, spec: { containers: [{ name: 'c', image: 'i' }] } } },
    deletedNamespace,
    says(3, 'ContentRemoved'),
    { path: `${maps}/a` },
    { path: `${pods}/p` },
    { method: 'PATCH', path: `${pods}/p`, body: { metadata: { finalizers: null } } },
    namespaceGone,
  ],
  'finalizers of its own': [
    { path: '/api/v1/namespaces', body: { metadata: { name: 'own-{ns}', finalizers: ['example.com/a'] } } },
    { path: '/api/v1/namespaces/own-{ns}/configmaps', body: { metadata: { name: 'a' } } },
    { method: 'DELETE', path: '/api/v1/namespaces/own-{ns}', silent: true },
    { path: '/api/v1/namespaces/own-{ns}', awaits: { 'spec.finalizers': undefined } },
    { path: '/api/v1/namespaces/own-{ns}/configmaps/a' },
    { path: '/api/v1/namespaces/own-{ns}/configmaps', body: { metadata: { name: 'b' } } },
    { method: 'DELETE', path: '/api/v1/namespaces/own-{ns}', silent: true },
    { method: 'PATCH', path: '/api/v1/namespaces/own-{ns}', body: { metadata: { finalizers: null } }, silent: true },
    { path: '/api/v1/namespaces/own-{ns}', until: 404 },
  ],
  'what they say on the way': [
    { path: '/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3D{ns}', opens: 'own' },
    map('a', held),
    deletedNamespace,
    says(4, 'SomeFinalizersRemain'),
    strip('a'),
    namespaceGone,
    { path: '', collects: 'own', events: 6 },
  ],
  'what has owners': [
    map('a', held),
    map('b', { ownerReferences: [ownedBy(0, { blockOwnerDeletion: true })], ...held }),
    deletedNamespace,
    says(4, 'SomeFinalizersRemain'),
    { path: maps },
    strip('b'),
    strip('a'),
    namespaceGone,
  ],
};

/** Finalizers of a namespace besides its controller's. */
export const finalized: Scenario = {
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
    { path: '/api/v1/namespaces/{ns}', awaits: { 'status.conditions[3].reason': 'ContentRemoved' } },
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

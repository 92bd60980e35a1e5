/** Scenarios of deletions. */

import type { Scenario, Step } from '../runner/scenario.ts';
import { creating, everySubject, ownOf, type Subject, scenarioOf, subjects } from './subjects.ts';

const uid = '00000000-0000-4000-8000-000000000000';

/** Options of a deletion, by body or by query. */
const options: Readonly<Record<string, { readonly body?: unknown; readonly query?: string }>> = {
  none: {},
  'an empty body': { body: {} },
  Background: { body: { propagationPolicy: 'Background' } },
  Foreground: { body: { propagationPolicy: 'Foreground' } },
  Orphan: { body: { propagationPolicy: 'Orphan' } },
  'an empty policy': { body: { propagationPolicy: '' } },
  'a policy of a wrong type': { body: { propagationPolicy: 5 } },
  'Foreground by query': { query: 'propagationPolicy=Foreground' },
  'a bad policy by query': { query: 'propagationPolicy=foreground' },
  'a policy by query and another by body': {
    query: 'propagationPolicy=Orphan',
    body: { propagationPolicy: 'Foreground' },
  },
  orphanDependents: { body: { orphanDependents: true } },
  'no orphanDependents': { body: { orphanDependents: false } },
  'orphanDependents by query': { query: 'orphanDependents=true' },
  'bad orphanDependents by query': { query: 'orphanDependents=maybe' },
  'both spellings': { body: { orphanDependents: false, propagationPolicy: 'Background' } },
  'dry run': { body: { dryRun: ['All'] } },
  'dry run by query': { query: 'dryRun=All' },
  'dry run by query, and a body': { query: 'dryRun=All', body: { gracePeriodSeconds: 0 } },
  'dry run with Foreground': { body: { dryRun: ['All'], propagationPolicy: 'Foreground' } },
  'dry run twice': { body: { dryRun: ['All', 'All'] } },
  'a bad dry run by query': { query: 'dryRun=Some' },
  'no grace': { body: { gracePeriodSeconds: 0 } },
  'some grace': { body: { gracePeriodSeconds: 5 } },
  'negative grace': { body: { gracePeriodSeconds: -1 } },
  'no grace by query': { query: 'gracePeriodSeconds=0' },
  'bad grace by query': { query: 'gracePeriodSeconds=x' },
  'grace as a text': { body: { gracePeriodSeconds: '5' } },
  'its uid': { body: { preconditions: { uid: '{0.metadata.uid}' } } },
  'another uid': { body: { preconditions: { uid } } },
  'an empty uid': { body: { preconditions: { uid: '' } } },
  'its resourceVersion': { body: { preconditions: { resourceVersion: '{0.metadata.resourceVersion}' } } },
  'another resourceVersion': { body: { preconditions: { resourceVersion: '1' } } },
  'an empty resourceVersion': { body: { preconditions: { resourceVersion: '' } } },
  'another uid and resourceVersion': { body: { preconditions: { uid, resourceVersion: '1' } } },
  'another uid, with dry run': { body: { preconditions: { uid }, dryRun: ['All'] } },
  'preconditions of a wrong type': { body: { preconditions: 'x' } },
  'unknown fields': { body: { nope: 1 } },
  'kind and apiVersion': { body: { kind: 'DeleteOptions', apiVersion: 'v1' } },
  'the version of its group': { body: { kind: 'DeleteOptions', apiVersion: 'apps/v1' } },
  'the version of a custom group': { body: { kind: 'DeleteOptions', apiVersion: 'se.quencer.io/v1alpha1' } },
  'the version of meta': { body: { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' } },
  'an unknown version': { body: { kind: 'DeleteOptions', apiVersion: 'v7' } },
  'kind alone': { body: { kind: 'DeleteOptions' } },
  'apiVersion alone': { body: { apiVersion: 'v1' } },
  'the object itself': { body: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'x' } } },
  'another kind': { body: { kind: 'Status', apiVersion: 'v1' } },
  null: { body: 'null' },
  'a text': { body: '"x"' },
  'a number': { body: '5' },
  'a list': { body: '[]' },
  'ignoring read errors': { body: { ignoreStoreReadErrorWithClusterBreakingPotential: true } },
  'ignoring read errors and more': {
    body: {
      ignoreStoreReadErrorWithClusterBreakingPotential: true,
      gracePeriodSeconds: 0,
      propagationPolicy: 'Orphan',
    },
  },
};

const yaml = { contentType: 'application/yaml' };

function deleting(path: string, { body, query }: { readonly body?: unknown; readonly query?: string }): Step {
  return {
    method: 'DELETE',
    path: `${path}${query === undefined ? '' : `?${query}`}`,
    ...(body !== undefined && { body }),
  };
}

const many: readonly Subject[] = [subjects.configMap, subjects.pod, subjects.workspace];
const held = { 'metadata.finalizers': ['example.com/a'] };

function* optionsOf(subject: Subject): Generator<Scenario> {
  const own = ownOf(subject);
  const all = many.includes(subject);
  for (const [index, [title, one]] of Object.entries(options).entries()) {
    if (!all && (index + subject.kind.length + subject.apiVersion.length) % 3 !== 0) continue;
    const steps = [creating(subject), deleting(own, one), { path: own }];
    yield scenarioOf('delete', subject, { title, steps });
    if (index % 2 === 1 && !all) continue;
    const twice = [creating(subject, held), deleting(own, one), { path: own }, deleting(own, one), deleting(own, {})];
    yield scenarioOf('delete', subject, { title: `${title}, held by a finalizer`, steps: [...twice, { path: own }] });
  }
}

function* livesOf(subject: Subject): Generator<Scenario> {
  const own = ownOf(subject);
  const policies = ['Foreground', 'Orphan', 'Background'];
  for (const first of policies) {
    for (const second of policies) {
      const steps: Step[] = [
        creating(subject, held),
        deleting(own, { body: { propagationPolicy: first } }),
        deleting(own, { body: { propagationPolicy: second } }),
        { method: 'PATCH', path: own, body: { metadata: { finalizers: ['foregroundDeletion'] } } },
        deleting(own, { body: { propagationPolicy: second, dryRun: ['All'] } }),
        { method: 'PATCH', path: own, body: { metadata: { finalizers: null } } },
        { path: own },
      ];
      yield scenarioOf('delete', subject, { title: `${first}, then ${second}`, steps });
    }
  }
  yield scenarioOf('delete', subject, {
    title: 'what is not there, and in other ways',
    steps: [
      deleting(own, {}),
      deleting(own, { query: 'dryRun=All' }),
      deleting(own, { body: { preconditions: { uid } } }),
      creating(subject, { 'metadata.finalizers': ['example.com/a', 'foregroundDeletion', 'orphan'] }),
      { ...deleting(own, { body: 'propagationPolicy: Background\n' }), ...yaml },
      { path: own },
      { method: 'PATCH', path: own, body: { metadata: { finalizers: ['orphan', 'example.com/new'] } } },
      { method: 'PATCH', path: own, body: { metadata: { finalizers: [] } } },
      creating(subject),
      { method: 'PATCH', path: own, body: { metadata: { finalizers: ['example.com/z'] } } },
      deleting(own, { body: { preconditions: { resourceVersion: '{8.metadata.resourceVersion}' } } }),
      deleting(own, { body: { preconditions: { resourceVersion: '{9.metadata.resourceVersion}' } } }),
      deleting(own, { body: { preconditions: { resourceVersion: '{9.metadata.resourceVersion}' } } }),
    ],
  });
}

const numbered = (
  subject: Subject,
  index: number,
  { l, finalizers = [] }: { l: string; finalizers?: readonly string[] },
): Step =>
  creating(subject, {
    'metadata.name': `x-{ns}-${index}`,
    'metadata.labels': { l, ns: '{ns}' },
    'metadata.finalizers': finalizers,
  });

const collections: Readonly<Record<string, { readonly body?: unknown; readonly query?: string }>> = {
  'by a label': { query: 'labelSelector=ns%3D{ns},l%3Da' },
  'by a field': { query: 'labelSelector=ns%3D{ns}&fieldSelector=metadata.name%3Dx-{ns}-1' },
  'by a bad field': { query: 'labelSelector=ns%3D{ns}&fieldSelector=spec.nope%3Dx' },
  'by a bad label': { query: 'labelSelector=ns%3D%3D%3D{ns}' },
  'one by limit': { query: 'labelSelector=ns%3D{ns}&limit=1' },
  'dry run': { query: 'labelSelector=ns%3D{ns}&dryRun=All' },
  'dry run by body': { query: 'labelSelector=ns%3D{ns}', body: { dryRun: ['All'] } },
  Foreground: { query: 'labelSelector=ns%3D{ns}', body: { propagationPolicy: 'Foreground' } },
  'Orphan by query': { query: 'labelSelector=ns%3D{ns}&propagationPolicy=Orphan' },
  'another uid': { query: 'labelSelector=ns%3D{ns}', body: { preconditions: { uid } } },
  'a resourceVersion': { query: 'labelSelector=ns%3D{ns}', body: { preconditions: { resourceVersion: '1' } } },
  'a resourceVersion by query': { query: 'labelSelector=ns%3D{ns}&resourceVersion=0' },
  'an unknown policy': { query: 'labelSelector=ns%3D{ns}', body: { propagationPolicy: 'Nope' } },
  'a bad body': { query: 'labelSelector=ns%3D{ns}', body: '[]' },
  'a bad limit': { query: 'labelSelector=ns%3D{ns}&limit=x' },
  'a bad continue': { query: 'labelSelector=ns%3D{ns}&continue=x' },
  'as a table': { query: 'labelSelector=ns%3D{ns}' },
  'a match without version': { query: 'labelSelector=ns%3D{ns}&resourceVersionMatch=Exact' },
};

function* collectionsOf(subject: Subject): Generator<Scenario> {
  for (const [title, one] of Object.entries(collections)) {
    const steps: Step[] = [
      numbered(subject, 0, { l: 'a' }),
      numbered(subject, 1, { l: 'b', finalizers: ['example.com/a'] }),
      numbered(subject, 2, { l: 'a', finalizers: ['example.com/a'] }),
      {
        ...deleting(subject.collection, one),
        ...(title === 'as a table' && { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } }),
      },
      { path: `${subject.collection}?labelSelector=ns%3D{ns}` },
    ];
    yield scenarioOf('deletecollection', subject, { title, steps });
  }
}

/** Deletions of one object and of many, with all their options. */
export function* deletionScenarios(): Generator<Scenario> {
  for (const subject of everySubject) {
    yield* optionsOf(subject);
    yield* livesOf(subject);
    if (subject !== subjects.namespace && subject !== subjects.service) yield* collectionsOf(subject);
  }
}

/** A pod on a node that does not exist, so that no kubelet ends it. */
export const placedPod = { 'spec.nodeName': 'nowhere' };

/** Scenarios of pods in their grace period, in which they still exist. */
export function* graceScenarios(): Generator<Scenario> {
  const { pod } = subjects;
  const own = ownOf(pod);
  const graces = [undefined, 0, 1, 5, 30, 60, -1, -7];
  for (const first of graces) {
    for (const second of graces) {
      const bodyOf = (gracePeriodSeconds: number | undefined) => ({ body: { gracePeriodSeconds } });
      yield scenarioOf('grace', pod, {
        title: `${first}, then ${second}`,
        steps: [
          creating(pod, placedPod),
          deleting(own, bodyOf(first)),
          deleting(own, bodyOf(second)),
          { path: own },
          deleting(own, { body: { gracePeriodSeconds: second, dryRun: ['All'] } }),
          deleting(own, { body: { gracePeriodSeconds: 0, preconditions: { uid } } }),
          deleting(own, { body: { gracePeriodSeconds: 0 } }),
          { path: own },
        ],
      });
    }
    for (const own_ of [0, 1, 10]) {
      yield scenarioOf('grace', pod, {
        title: `${first} of a pod with ${own_} of its own`,
        steps: [
          creating(pod, { ...placedPod, ...held, 'spec.terminationGracePeriodSeconds': own_ }),
          deleting(own, { body: { gracePeriodSeconds: first, propagationPolicy: 'Foreground' } }),
          deleting(own, { body: { gracePeriodSeconds: 0 } }),
          { path: own },
          { method: 'PATCH', path: own, body: { metadata: { finalizers: null } } },
          { path: own },
        ],
      });
    }
  }
}

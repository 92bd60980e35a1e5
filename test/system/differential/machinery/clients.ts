import type { Scenario, Step } from '../runner/scenario.ts';
import { lastApplied, lastAppliedOf } from './apply/applies.ts';
import { apply, json, merge, strategic } from './patches/patch-steps.ts';
import { creating, everySubject, objectOf, ownOf, type Subject, scenarioOf } from './subjects.ts';

const version = '{0.metadata.resourceVersion}';
const isCustom = ({ apiVersion }: Subject): boolean => apiVersion.includes('quencer.io');
const uid = '00000000-0000-4000-8000-000000000000';

/** A patch as kubectl sends it: strategic if supported. */
const kubectlPatch = (subject: Subject, path: string, body: unknown): Step =>
  isCustom(subject) ? merge(path, body) : strategic(path, body);

const reading = (subject: Subject): Step => ({ path: ownOf(subject) });
const ending = (subject: Subject, body?: unknown): Step => ({
  method: 'DELETE',
  path: ownOf(subject),
  ...(body !== undefined && { body }),
});
const applied = (subject: Subject, query: string, changes: Readonly<Record<string, unknown>> = {}): Step =>
  apply(`${ownOf(subject)}?${query}`, objectOf(subject, changes));

/** Requests of widely used clients for one object over its life. */
const lives: Readonly<Record<string, (subject: Subject) => readonly Step[]>> = {
  'kubectl apply, edit, label, annotate and delete': (subject) => {
    const own = ownOf(subject);
    const annotations = { [lastApplied]: lastAppliedOf(subject) };
    const labelled = { metadata: { annotations, labels: { tier: 'a' } } };
    return [
      creating(
        subject,
        { 'metadata.annotations': annotations },
        '?fieldManager=kubectl-client-side-apply&fieldValidation=Strict',
      ),
      reading(subject),
      kubectlPatch(subject, `${own}?fieldManager=kubectl-client-side-apply&fieldValidation=Strict`, labelled),
      kubectlPatch(subject, `${own}?fieldManager=kubectl-edit&fieldValidation=Strict`, {
        metadata: { labels: { tier: 'b' } },
      }),
      merge(`${own}?fieldManager=kubectl-label`, { metadata: { labels: { more: 'x' } } }),
      merge(`${own}?fieldManager=kubectl-label`, { metadata: { labels: { more: null }, resourceVersion: '1' } }),
      merge(`${own}?fieldManager=kubectl-annotate`, { metadata: { annotations: { note: 'x' } } }),
      { method: 'PUT', path: `${own}?fieldManager=kubectl-replace&fieldValidation=Strict`, body: objectOf(subject) },
      applied(subject, 'fieldManager=kubectl&fieldValidation=Strict&force=false'),
      ending(subject, { propagationPolicy: 'Background' }),
      reading(subject),
    ];
  },
  'client-go: create, get, update, conflict, retry, delete by uid': (subject) => [
    creating(subject),
    reading(subject),
    { method: 'PUT', path: ownOf(subject), from: 1, set: { 'metadata.labels': { a: '1' } } },
    { method: 'PUT', path: ownOf(subject), from: 1, set: { 'metadata.labels': { a: '2' } } },
    reading(subject),
    { method: 'PUT', path: ownOf(subject), from: 4, set: { 'metadata.labels': { a: '2' } } },
    ending(subject, { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid } }),
    ending(subject, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      preconditions: { uid: '{0.metadata.uid}', resourceVersion: version },
    }),
    ending(subject, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      preconditions: { uid: '{0.metadata.uid}' },
      propagationPolicy: 'Foreground',
    }),
    ending(subject),
  ],
  'controller-runtime: finalizer, status, optimistic lock': (subject) => [
    creating(subject),
    merge(ownOf(subject), { metadata: { finalizers: ['example.com/f'], resourceVersion: version } }),
    merge(ownOf(subject), { metadata: { finalizers: ['example.com/f', 'example.com/g'], resourceVersion: version } }),
    merge(`${ownOf(subject)}/status`, { status: subject.status ?? {} }),
    { method: 'PUT', path: `${ownOf(subject)}/status`, from: 1, set: { status: subject.status ?? {} } },
    ending(subject),
    merge(`${ownOf(subject)}/status`, { status: subject.status ?? {} }),
    { method: 'PUT', path: ownOf(subject), from: 1, set: { 'metadata.finalizers': undefined } },
    merge(ownOf(subject), { metadata: { finalizers: [] } }),
    reading(subject),
  ],
  'controller-runtime: apply of a spec and of a status': (subject) => [
    applied(subject, 'fieldManager=ctrl&force=true', { 'metadata.labels': { owner: 'ctrl' } }),
    apply(`${ownOf(subject)}/status?fieldManager=ctrl-status&force=true`, {
      apiVersion: subject.apiVersion,
      kind: subject.kind,
      metadata: { name: 'x-{ns}' },
      status: subject.status ?? {},
    }),
    applied(subject, 'fieldManager=other', { 'metadata.labels': { owner: 'other' } }),
    applied(subject, 'fieldManager=other&force=true', { 'metadata.labels': { owner: 'other' } }),
    applied(subject, 'fieldManager=ctrl&force=true', {
      'metadata.labels': { owner: 'ctrl' },
      'metadata.finalizers': ['example.com/f'],
    }),
    applied(subject, 'fieldManager=ctrl&force=true', { 'metadata.labels': { owner: 'ctrl' } }),
    applied(subject, 'fieldManager=ctrl&force=true'),
    reading(subject),
  ],
  'patches that test what they are based on': (subject) => [
    creating(subject, { 'metadata.labels': { a: '1' } }),
    json(ownOf(subject), [
      { op: 'test', path: '/metadata/resourceVersion', value: version },
      { op: 'replace', path: '/metadata/labels/a', value: '2' },
    ]),
    json(ownOf(subject), [
      { op: 'test', path: '/metadata/resourceVersion', value: version },
      { op: 'replace', path: '/metadata/labels/a', value: '3' },
    ]),
    json(ownOf(subject), [
      { op: 'test', path: '/metadata/uid', value: uid },
      { op: 'remove', path: '/metadata/labels/a' },
    ]),
    json(ownOf(subject), [
      { op: 'test', path: '/metadata/finalizers', value: null },
      { op: 'add', path: '/metadata/finalizers', value: ['example.com/a'] },
    ]),
    json(ownOf(subject), [
      { op: 'test', path: '/metadata/finalizers/0', value: 'example.com/a' },
      { op: 'remove', path: '/metadata/finalizers/0' },
    ]),
    merge(ownOf(subject), { metadata: { uid, labels: { a: '4' } } }),
    merge(ownOf(subject), { metadata: { uid: '{0.metadata.uid}', resourceVersion: '', labels: { a: '5' } } }),
    reading(subject),
  ],
  'dry runs of everything': (subject) => [
    creating(subject, {}, '?dryRun=All'),
    reading(subject),
    creating(subject),
    creating(subject, {}, '?dryRun=All'),
    { method: 'PUT', path: `${ownOf(subject)}?dryRun=All`, from: 2, set: { 'metadata.labels': { a: '1' } } },
    merge(`${ownOf(subject)}?dryRun=All`, { metadata: { labels: { a: '2' }, finalizers: ['example.com/a'] } }),
    json(`${ownOf(subject)}?dryRun=All`, [{ op: 'add', path: '/metadata/labels', value: { a: '3' } }]),
    applied(subject, 'fieldManager=a&force=true&dryRun=All', { 'metadata.labels': { a: '4' } }),
    { method: 'PUT', path: `${ownOf(subject)}/status?dryRun=All`, from: 2, set: { status: subject.status ?? {} } },
    merge(`${ownOf(subject)}/status?dryRun=All`, { status: subject.status ?? {} }),
    ending(subject, { dryRun: ['All'], propagationPolicy: 'Foreground' }),
    ending(subject, { dryRun: ['All'], preconditions: { uid } }),
    reading(subject),
  ],
};

/** Life cycles of kinds as kubectl, client-go and controller-runtime manage them. */
export function* clientScenarios(): Generator<Scenario> {
  for (const subject of everySubject) {
    for (const [title, stepsOf] of Object.entries(lives)) {
      yield { ...scenarioOf('clients', subject, { title, steps: stepsOf(subject) }), apart: true };
    }
  }
}

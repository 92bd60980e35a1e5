/** Kinds that scenarios are run with. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario, Step } from '../runner/scenario.ts';
import { withChanges } from '../runner/scenario.ts';

/** A kind, built-in or custom, with the variable parts of scenarios on an object of it named `x-{ns}`. */
export interface Subject {
  readonly kind: string;
  readonly apiVersion: string;
  /** Path of its objects. */
  readonly collection: string;
  /** Fields of an object beside its metadata. */
  readonly rest: object;
  /** Path of a text field that may be changed. */
  readonly text: string;
  /** Status to write, if it has `/status`. */
  readonly status?: object;
}

const core = '/api/v1/namespaces/{ns}';
const labels = { app: 'x' };
const containers = [{ name: 'main', image: 'example.test/main' }];

const definitionsAt = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const readFixture = (name: string): object =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../conformance/fixtures', `crd-${name}.json`), 'utf8'));

/** Installs the custom kinds of `subjects`. */
export const beforeSubjects: readonly Step[] = [
  ...['workspace', 'gadget', 'widget'].map((name) => ({ path: definitionsAt, body: readFixture(name) })),
  ...['se.quencer.io/v1alpha1/workspaces', 'probe.quencer.io/v1/gadgets', 'probe.quencer.io/v1/widgets'].map(
    (path): Step => ({ path: `/apis/${path}`, until: 200 }),
  ),
];

/** Dissimilar kinds: with and without namespace, generation, status, schema, grace period, and so on. */
export const subjects = {
  configMap: {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    collection: `${core}/configmaps`,
    rest: { data: { a: '1' } },
    text: 'data.a',
  },
  secret: {
    kind: 'Secret',
    apiVersion: 'v1',
    collection: `${core}/secrets`,
    rest: { stringData: { a: '1' } },
    text: 'stringData.a',
  },
  service: {
    kind: 'Service',
    apiVersion: 'v1',
    collection: `${core}/services`,
    rest: { spec: { selector: labels, clusterIP: 'None', ports: [{ port: 80 }] } },
    text: 'spec.selector.app',
    status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
  },
  pod: {
    kind: 'Pod',
    apiVersion: 'v1',
    collection: `${core}/pods`,
    rest: { spec: { containers } },
    text: 'spec.containers[0].image',
    status: { phase: 'Running', message: 'm' },
  },
  deployment: {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    collection: '/apis/apps/v1/namespaces/{ns}/deployments',
    rest: { spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } } },
    text: 'spec.template.spec.containers[0].image',
    status: { observedGeneration: 1, replicas: 2 },
  },
  lease: {
    kind: 'Lease',
    apiVersion: 'coordination.k8s.io/v1',
    collection: '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases',
    rest: { spec: { holderIdentity: 'a', leaseDurationSeconds: 15 } },
    text: 'spec.holderIdentity',
  },
  clusterRole: {
    kind: 'ClusterRole',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    collection: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    rest: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    text: 'rules[0].resources[0]',
  },
  namespace: {
    kind: 'Namespace',
    apiVersion: 'v1',
    collection: '/api/v1/namespaces',
    rest: {},
    text: 'metadata.annotations.text',
    status: { phase: 'Active' },
  },
  workspace: {
    kind: 'Workspace',
    apiVersion: 'se.quencer.io/v1alpha1',
    collection: '/apis/se.quencer.io/v1alpha1/namespaces/{ns}/workspaces',
    rest: { spec: { owner: 'bob', tags: { a: 'b' } } },
    text: 'spec.owner',
    status: { phase: 'Ready' },
  },
  gadget: {
    kind: 'Gadget',
    apiVersion: 'probe.quencer.io/v1',
    collection: '/apis/probe.quencer.io/v1/namespaces/{ns}/gadgets',
    rest: { spec: { color: 'red', size: 3 } },
    text: 'spec.color',
    status: { replicas: 1 },
  },
  oldGadget: {
    kind: 'Gadget',
    apiVersion: 'probe.quencer.io/v1beta1',
    collection: '/apis/probe.quencer.io/v1beta1/namespaces/{ns}/gadgets',
    rest: { spec: { color: 'red', legacy: 'l' } },
    text: 'spec.legacy',
    status: { anything: 1 },
  },
  widget: {
    kind: 'Widget',
    apiVersion: 'probe.quencer.io/v1',
    collection: '/apis/probe.quencer.io/v1/widgets',
    rest: { any: { a: 'b', list: [1, { c: 'd' }] } },
    text: 'any.a',
  },
} as const satisfies Readonly<Record<string, Subject>>;

/** All of `subjects`. */
export const everySubject: readonly Subject[] = Object.values(subjects);

/** A valid object of a kind, with changes by path. */
export const objectOf = (subject: Subject, changes: Readonly<Record<string, unknown>> = {}): object => {
  const { apiVersion, kind, rest } = subject;
  return withChanges({ apiVersion, kind, metadata: { name: 'x-{ns}' }, ...rest }, changes) as object;
};

/** Path of the object that `objectOf` returns. */
export const ownOf = ({ collection }: Subject): string => `${collection}/x-{ns}`;

/** Request that creates it. */
export const creating = (subject: Subject, changes: Readonly<Record<string, unknown>> = {}, query = ''): Step => ({
  path: `${subject.collection}${query}`,
  body: objectOf(subject, changes),
});

const titleOf = ({ kind, apiVersion }: Subject): string => `${apiVersion.replace(/.*\//, '')} ${kind}`;

/** Scenario of a family for a kind. */
export const scenarioOf = (family: string, subject: Subject, { title, steps }: Titled): Scenario => ({
  name: `${family} ${titleOf(subject)}: ${title}`,
  namespace: subject.collection.includes('{ns}'),
  steps,
});

/** Title and steps of a scenario; family and kind complete its name. */
export interface Titled {
  readonly title: string;
  readonly steps: readonly Step[];
}

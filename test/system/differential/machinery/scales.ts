import { groupVersionOf } from '../../../cluster/apimachinery/resource-info.ts';
import { builtinResources } from '../../../cluster/apis/builtin-resources.ts';
import { readSamples } from '../kinds/samples.ts';
import type { Scenario, Step } from '../runner/scenario.ts';
import { apply, json, merge, strategic } from './patches/patch-steps.ts';
import { creating, objectOf, ownOf, subjects } from './subjects.ts';

interface Scalable {
  readonly title: string;
  readonly create: Step;
  readonly own: string;
}

const scaledKinds = ['Deployment', 'ReplicaSet', 'StatefulSet', 'ReplicationController'];

const builtinScalables = (): readonly Scalable[] =>
  readSamples()
    .filter(({ kind }) => scaledKinds.includes(kind))
    .map(({ kind, apiVersion, minimal }) => {
      const info = builtinResources.find((one) => one.kind === kind && groupVersionOf(one) === apiVersion)!;
      const path = `${info.group === '' ? '/api/v1' : `/apis/${apiVersion}`}/namespaces/{ns}/${info.plural}`;
      return {
        title: kind,
        create: { path, body: { apiVersion, kind, metadata: { name: 'x-{ns}', labels: { a: 'b' } }, ...minimal } },
        own: `${path}/x-{ns}`,
      };
    });

const scalables = (): readonly Scalable[] => [
  ...builtinScalables(),
  { title: 'Gadget', create: creating(subjects.gadget, { 'spec.replicas': 2 }), own: ownOf(subjects.gadget) },
  { title: 'Gadget without replicas', create: creating(subjects.gadget), own: ownOf(subjects.gadget) },
];

/** A Scale that step 1 has read. */
interface Scaled {
  readonly own: string;
  readonly at: string;
  readonly put: (set: object, query?: string) => Step;
}

const cases: Readonly<Record<string, (scaled: Scaled) => readonly Step[]>> = {
  put: ({ own, at, put }) => [put({ 'spec.replicas': 3 }), { path: own }, put({ 'spec.replicas': 4 }), { path: at }],
  'put without a version': ({ own, put }) => [
    put({ 'spec.replicas': 5, 'metadata.resourceVersion': undefined }),
    { path: own },
  ],
  'put of nothing': ({ own, put }) => [
    put({}),
    put({ spec: undefined }),
    put({ spec: null, 'metadata.resourceVersion': undefined }),
    { path: own },
  ],
  'put, negative': ({ put }) => [
    put({ 'spec.replicas': -1 }),
    put({ 'spec.replicas': 'x' }),
    put({ 'spec.replicas': 1.5 }),
    put({ 'spec.replicas': 2 ** 31 }),
  ],
  'put with other names': ({ put }) => [
    put({ 'metadata.name': 'other' }),
    put({ 'metadata.namespace': 'other' }),
    put({ 'metadata.uid': 'other' }),
    put({ 'metadata.name': undefined }),
    put({ 'metadata.uid': undefined, 'spec.replicas': 6 }),
  ],
  'put with other kinds': ({ put }) => [
    put({ kind: 'Other' }),
    put({ apiVersion: 'v1' }),
    put({ kind: undefined, apiVersion: undefined }),
    put({ apiVersion: 'autoscaling/v2' }),
  ],
  'put with status and labels': ({ own, put }) => [
    put({ 'spec.replicas': 3, 'status.replicas': 9, 'status.selector': 'x=y', 'metadata.labels': { x: 'y' } }),
    { path: own },
  ],
  'put with unknown fields': ({ own, put }) => [
    put({ nope: 1 }, '?fieldValidation=Strict'),
    put({ 'spec.nope': 1 }),
    put({ 'spec.nope': 1, 'spec.replicas': 4 }, '?dryRun=All'),
    { path: own },
  ],
  'put by another manager': ({ own, put }) => [put({ 'spec.replicas': 7 }, '?fieldManager=scaler'), { path: own }],
  'merge patches': ({ own, at }) => [
    merge(at, { spec: { replicas: 4 } }),
    merge(at, { spec: { replicas: 4 } }),
    merge(at, { spec: null }),
    merge(at, { metadata: { resourceVersion: '1' } }),
    merge(at, { metadata: { labels: { x: 'y' } } }),
    merge(at, { status: { replicas: 4 } }),
    { path: own },
  ],
  'json patches': ({ own, at }) => [
    json(at, [{ op: 'replace', path: '/spec/replicas', value: 8 }]),
    json(at, [{ op: 'test', path: '/spec/replicas', value: 1 }]),
    json(at, [{ op: 'remove', path: '/spec/replicas' }]),
    { path: own },
  ],
  'strategic patches': ({ own, at }) => [strategic(at, { spec: { replicas: 4 } }), { path: own }],
  'other verbs': ({ own, at }) => [
    { path: at, body: {} },
    { method: 'DELETE', path: at },
    { path: `${own}x/scale` },
    merge(`${own}x/scale`, { spec: { replicas: 1 } }),
  ],
  'as a table': ({ at }) => [
    { path: at, headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' } },
    { path: at, headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' } },
  ],
};

function* scalesOf({ title, create, own }: Scalable): Generator<Scenario> {
  const at = `${own}/scale`;
  const put = (set: object, query = ''): Step => ({ method: 'PUT', path: `${at}${query}`, from: 1, set: { ...set } });
  for (const [name, stepsAt] of Object.entries(cases)) {
    yield { name: `scale ${title}: ${name}`, steps: [create, { path: at }, ...stepsAt({ own, at, put })] };
  }
}

const scaleApplies: Scenario = {
  name: 'scale Deployment: applied',
  steps: [
    creating(subjects.deployment, { 'spec.replicas': 1 }),
    apply(`${ownOf(subjects.deployment)}/scale?fieldManager=hpa`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'x-{ns}' },
      spec: { replicas: 5 },
    }),
    apply(`${ownOf(subjects.deployment)}/scale?fieldManager=hpa&force=true`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'x-{ns}' },
      spec: { replicas: 5 },
    }),
    { path: ownOf(subjects.deployment) },
    apply(`${ownOf(subjects.deployment)}?fieldManager=own`, {
      ...objectOf(subjects.deployment),
      spec: { replicas: 6 },
    }),
    apply(`${ownOf(subjects.deployment)}/scale?fieldManager=hpa`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'x-{ns}' },
    }),
    { path: ownOf(subjects.deployment) },
  ],
};

/** The scale subresource of every kind that has one. */
export function* scaleScenarios(): Generator<Scenario> {
  for (const one of scalables()) yield* scalesOf(one);
  yield scaleApplies;
}

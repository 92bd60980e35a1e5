import { groupVersionOf } from '../../cluster/apimachinery/resource-info.ts';
import { builtinResources } from '../../cluster/apis/builtin-resources.ts';
import { type Mutation, spoilt } from './kinds/mutations.ts';
import { readSamples, type Sample, templates } from './kinds/samples.ts';
import { partOf, readVariants, type Variants } from './kinds/variants.ts';
import { workloads } from './kinds/workloads.ts';
import type { Family, Scenario, Step } from './runner/scenario.ts';
import { withChanges } from './runner/scenario.ts';

type Kind = Pick<Sample, 'apiVersion' | 'kind' | 'topic'>;

/** Path of a kind's objects; those without a namespace have the scenario's as their name, as all others do. */
function placeOf({ apiVersion, kind }: Kind): { path: string; namespaced: boolean } {
  const info = builtinResources.find((one) => one.kind === kind && groupVersionOf(one) === apiVersion)!;
  const root = info.group === '' ? '/api/v1' : `/apis/${apiVersion}`;
  return { path: `${root}${info.namespaced ? '/namespaces/{ns}' : ''}/${info.plural}`, namespaced: info.namespaced };
}

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

const objectOf = ({ apiVersion, kind }: Kind, { metadata = {}, ...rest }: { metadata?: object } = {}) => ({
  apiVersion,
  kind,
  metadata: { name: 'x-{ns}', ...metadata },
  ...rest,
});

const titleOf = ({ apiVersion, kind, topic }: Kind): string =>
  `${apiVersion} ${kind}${topic === undefined ? '' : ` (${topic})`}`;

/** Life of an object: created, read, updated without a change, labelled, changed in fields it does not own, deleted. */
function lifeOf(sample: Sample, how: 'minimal' | 'full'): Scenario {
  const { path, namespaced } = placeOf(sample);
  const own = `${path}/x-{ns}`;
  const steps: Step[] = [
    { path: `${path}?dryRun=All`, body: objectOf(sample, sample[how]) },
    { path, body: objectOf(sample, sample[how]) },
    { path, body: objectOf(sample, sample[how]) },
    { path: own, headers: table },
    { method: 'PUT', path: own, from: 1 },
    { method: 'PATCH', path: own, body: { metadata: { labels: { 'example.com/a': 'b' } } } },
    {
      method: 'PATCH',
      path: own,
      contentType: 'application/strategic-merge-patch+json',
      body: { metadata: { annotations: { c: 'd' } } },
    },
    { method: 'PUT', path: own, from: 1 },
    { method: 'PUT', path: own, from: 1, set: { 'metadata.resourceVersion': undefined } },
    { method: 'PATCH', path: own, body: { status: { unknown: true } } },
    { method: 'DELETE', path: own },
  ];
  return { name: `${titleOf(sample)} ${how}: life`, namespace: namespaced, steps };
}

function* livesOf(sample: Sample): Generator<Scenario> {
  if (sample.minimal !== undefined) yield lifeOf(sample, 'minimal');
  if (sample.full !== undefined) yield lifeOf(sample, 'full');
}

/** The kind in which the fields common to all kinds are mutated. */
const plainest = 'v1 ConfigMap';

/** Reports whether a change affects other scenarios. */
const isFeltElsewhere = ({ title }: Mutation): boolean => title.startsWith('globalDefault');

function mutationsOf(sample: Sample): readonly Mutation[] {
  const object = objectOf(sample, sample.full ?? sample.minimal);
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = object;
  const all = spoilt(titleOf(sample) === plainest ? object : rest);
  return [...all].filter((one) => !isFeltElsewhere(one));
}

/** Mutates each field: removed, empty, of another type, negative or doubled, and with an unknown one beside it. */
function* spoiltOf(sample: Sample): Generator<Scenario> {
  const { path, namespaced } = placeOf(sample);
  const object = objectOf(sample, sample.full ?? sample.minimal);
  for (const { title, set } of mutationsOf(sample)) {
    const step = { path: `${path}?fieldValidation=Strict`, body: withChanges(object, set) };
    yield { name: `${titleOf(sample)}: ${title}`, namespace: namespaced, steps: [step] };
  }
}

/** Reports whether a mutation concerns types: its message is the same for a create and an update. */
const isOfTypes = ({ title }: Mutation): boolean => /something unknown|a number|a text|no list$/.test(title);

/** Mutates each field in an existing object. */
function* changedOf(sample: Sample): Generator<Scenario> {
  const { path, namespaced } = placeOf(sample);
  const body = objectOf(sample, sample.full ?? sample.minimal);
  for (const one of mutationsOf(sample)) {
    if (isOfTypes(one)) continue;
    const change: Step = { method: 'PUT', path: `${path}/x-{ns}`, from: 0, set: one.set };
    yield { name: `${titleOf(sample)} updated: ${one.title}`, namespace: namespaced, steps: [{ path, body }, change] };
  }
}

/** Creates with changes, then changes again repeatedly, and reads. */
function* variantsOf({ object, variants, ...kind }: Variants): Generator<Scenario> {
  const { path, namespaced } = placeOf(kind);
  for (const [first = {}, ...more] of variants) {
    const name = String(first['metadata.name'] ?? 'x-{ns}');
    const body = withChanges(objectOf(kind, object), partOf(first).set);
    const own = `${path}/${encodeURIComponent(name).replace('%7Bns%7D', '{ns}')}`;
    const changes = more.map((one, index): Step => {
      const { set, part } = partOf(one);
      return { method: 'PUT', path: part === undefined ? own : `${own}/${part}`, from: index, set };
    });
    const steps = [{ path, body }, ...changes, { path: own, headers: table }];
    yield { name: `${titleOf(kind)} as ${JSON.stringify([first, ...more])}`, namespace: namespaced, steps };
  }
}

const pods = '/api/v1/namespaces/{ns}/pods';

const podWith = (name: string, spec: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'example.test/main' }], ...spec },
});

/** Pods with PriorityClasses. */
const priorities: Scenario = {
  name: 'priority: life',
  steps: [
    {
      path: '/apis/scheduling.k8s.io/v1/priorityclasses',
      body: {
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name: '{ns}' },
        value: 7,
        preemptionPolicy: 'Never',
      },
    },
    { path: pods, body: podWith('a', { priorityClassName: '{ns}' }) },
    { path: pods, body: podWith('b', { priorityClassName: 'none' }) },
    { path: pods, body: podWith('c', { priority: 5 }) },
    { path: pods, body: podWith('d', { priorityClassName: '{ns}', preemptionPolicy: 'PreemptLowerPriority' }) },
    { path: pods, body: podWith('e', { priorityClassName: 'system-node-critical' }) },
  ],
};

/** Built-in kinds: defaults, refusals, changes. */
export const kinds: Family = {
  ignored: ['managedFields'],
  *fixed() {
    const samples = readSamples();
    yield priorities;
    for (const sample of [...samples, ...templates(samples)]) yield* livesOf(sample);
    for (const variants of readVariants()) yield* variantsOf(variants);
    for (const sample of samples) yield* spoiltOf(sample);
    // Fields of a topic are validated alike on create; the samples without a topic cover updates.
    for (const sample of samples) if (sample.topic === undefined) yield* changedOf(sample);
    yield* workloads();
  },
};

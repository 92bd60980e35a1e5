import { groupVersionOf } from '../../../cluster/apimachinery/resource-info.ts';
import { builtinResources } from '../../../cluster/apis/builtin-resources.ts';
import { readSamples, type Sample } from '../kinds/samples.ts';
import type { Scenario, Step } from '../runner/scenario.ts';

const prefixes: readonly string[] = [
  'gen-',
  `${'a'.repeat(57)}-bcdef`,
  `${'a'.repeat(300)}-`,
  'Bad-',
  '-',
  'a.b-',
  '5-',
  'a_b-',
];

const names: readonly string[] = [
  'a.b',
  'a'.repeat(64),
  'a'.repeat(254),
  'A',
  'a_b',
  '5',
  '-a',
  'a-',
  'a:b',
  'a/b',
  'a%b',
  '.',
  '..',
  'a b',
  'ä',
];

function namesOf({ apiVersion, kind, minimal }: Sample): Scenario {
  const info = builtinResources.find((one) => one.kind === kind && groupVersionOf(one) === apiVersion)!;
  const root = info.group === '' ? '/api/v1' : `/apis/${apiVersion}`;
  const path = `${root}${info.namespaced ? '/namespaces/{ns}' : ''}/${info.plural}?dryRun=All`;
  const create = (metadata: object): Step => ({ path, body: { apiVersion, kind, metadata, ...minimal } });
  return {
    name: `names ${apiVersion} ${kind}: given and made`,
    namespace: info.namespaced,
    steps: [
      ...prefixes.map((generateName) => create({ generateName })),
      ...names.map((name) => create({ name })),
      create({ generateName: 'a-', name: 'x-{ns}' }),
    ],
  };
}

/** Messages about metadata that an update makes invalid; their number depends on the kind. */
function spoiltOf({ apiVersion, kind, minimal }: Sample): Scenario {
  const info = builtinResources.find((one) => one.kind === kind && groupVersionOf(one) === apiVersion)!;
  const root = info.group === '' ? '/api/v1' : `/apis/${apiVersion}`;
  const path = `${root}${info.namespaced ? '/namespaces/{ns}' : ''}/${info.plural}`;
  const spoil = (set: Step['set'] & {}): Step[] =>
    ['', ...(info.hasStatus ? ['/status'] : [])].map((sub) => ({
      method: 'PUT',
      path: `${path}/x-{ns}${sub}?dryRun=All`,
      from: 0,
      set,
    }));
  return {
    name: `names ${apiVersion} ${kind}: metadata spoilt by an update`,
    namespace: info.namespaced,
    steps: [
      { path, body: { apiVersion, kind, metadata: { name: 'x-{ns}' }, ...minimal } },
      ...spoil({ 'metadata.labels': { 'a b': 'c' } }),
      ...spoil({ 'metadata.annotations': { 'a b': 'c' } }),
      ...spoil({ 'metadata.finalizers': ['bad'] }),
      ...spoil({ 'metadata.ownerReferences': [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }] }),
      { method: 'DELETE', path: `${path}/x-{ns}`, silent: true },
    ],
  };
}

/** Valid and generated names of built-in kinds. */
export function* nameScenarios(): Generator<Scenario> {
  for (const sample of readSamples().filter(({ topic }) => topic === undefined)) {
    yield namesOf(sample);
    yield spoiltOf(sample);
  }
}

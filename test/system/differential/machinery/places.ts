import type { Scenario, Step } from '../runner/scenario.ts';
import { creating, objectOf, ownOf, type Subject, scenarioOf, subjects } from './subjects.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const bodyFor = (subject: Subject, method: string): Pick<Step, 'body'> =>
  ['POST', 'PUT', 'PATCH'].includes(method) ? { body: objectOf(subject) } : {};

/** Paths of requests for a kind. */
const placesOf = ({ collection }: Subject): readonly string[] => {
  const own = `${collection}/x-{ns}`;
  const everywhere = collection.replace('/namespaces/{ns}', '');
  return [
    `${collection}/`,
    `${own}/`,
    `${own}//`,
    `${collection}//x-{ns}`,
    `/${collection}`,
    everywhere,
    `${everywhere}/x-{ns}`,
    `${own}/nope`,
    `${own}/status/nope`,
    `${own}/Status`,
    `${collection.toUpperCase()}`,
    `${collection}x`,
    `${own}%2Fstatus`,
    `${own}%00`,
    `${own}%zz`,
    `${collection}/..`,
    `${collection}/%2e%2e`,
    `${collection}/.`,
    `${collection}/x%20y`,
    `${collection}/${'x'.repeat(300)}`,
    `${collection}.json`,
    `${own}/log`,
    `${own}/scale`,
    `${own}/eviction`,
    `${own}/proxy`,
  ];
};

function* placed(subject: Subject): Generator<Scenario> {
  for (const method of methods) {
    const steps = placesOf(subject).map(
      (path): Step => ({ method, path: `${path}?dryRun=All&labelSelector=ns%3D{ns}`, ...bodyFor(subject, method) }),
    );
    yield { ...scenarioOf('places', subject, { title: method, steps: [creating(subject), ...steps] }), apart: true };
  }
}

/** Query parameters, usual and invalid. */
const queries: readonly string[] = [
  'pretty=true',
  'pretty=false',
  'pretty=x',
  'nope=1',
  'dryRun=',
  'dryRun=None',
  'dryRun=All&dryRun=All',
  'dryRun=All&dryRun=',
  'dryRun=all',
  'dryRun=All,All',
  'dryRun=true',
  'fieldValidation=',
  'fieldValidation=strict',
  'fieldValidation=Strict&fieldValidation=Ignore&dryRun=All',
  'fieldManager=a%20b&dryRun=All',
  'fieldManager=a%0Ab&dryRun=All',
  'fieldManager=%C3%A4&dryRun=All',
  `fieldManager=${'m'.repeat(128)}&dryRun=All`,
  `fieldManager=${'m'.repeat(129)}&dryRun=All`,
  'fieldManager=a&fieldManager=b&dryRun=All',
  'force=true&dryRun=All',
  'force=x&dryRun=All',
  'timeout=1ns',
  'timeout=0s',
  'timeout=1',
  'timeout=-1s',
  'timeout=34s&dryRun=All',
  'limit=5&dryRun=All',
  'watch=true&dryRun=All',
  'resourceVersion=0&dryRun=All',
  'gracePeriodSeconds=0&dryRun=All',
  'propagationPolicy=Orphan&dryRun=All',
  '%zz=1&dryRun=All',
  'dryRun=All&;',
  '&&dryRun=All&&',
];

function* asked(subject: Subject): Generator<Scenario> {
  const own = ownOf(subject);
  const body = objectOf(subject, { 'metadata.labels': { a: 'b' } });
  const ways: Readonly<Record<string, (query: string) => Step>> = {
    create: (query) => ({
      path: `${subject.collection}?${query}`,
      body: objectOf(subject, { 'metadata.name': 'x-{ns}-b' }),
    }),
    update: (query) => ({
      method: 'PUT',
      path: `${own}?${query}`,
      from: 0,
      set: { 'metadata.resourceVersion': undefined },
    }),
    patch: (query) => ({ method: 'PATCH', path: `${own}?${query}`, body: { metadata: { labels: { c: 'd' } } } }),
    apply: (query) => ({ method: 'PATCH', path: `${own}?${query}`, contentType: 'application/apply-patch+yaml', body }),
    get: (query) => ({ path: `${own}?${query}` }),
    delete: (query) => ({ method: 'DELETE', path: `${subject.collection}/none?${query}` }),
  };
  for (const [title, stepFor] of Object.entries(ways)) {
    const some = queries.filter((query) => title !== 'get' || !query.includes('watch'));
    // A create that takes effect is followed by its deletion.
    const end: Step = { method: 'DELETE', path: `${subject.collection}/x-{ns}-b`, silent: true };
    const steps = some.flatMap((query): Step[] => (title === 'create' ? [stepFor(query), end] : [stepFor(query)]));
    yield { ...scenarioOf('queries', subject, { title, steps: [creating(subject), ...steps] }), apart: true };
  }
}

/** Methods at existing, missing and similar paths, with all kinds of parameters. */
export function* placeScenarios(): Generator<Scenario> {
  for (const subject of [
    subjects.configMap,
    subjects.pod,
    subjects.deployment,
    subjects.workspace,
    subjects.widget,
    subjects.clusterRole,
  ]) {
    yield* placed(subject);
    yield* asked(subject);
  }
}

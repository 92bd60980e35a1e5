import type { Scenario, Step } from '../../runner/scenario.ts';
import { creating, everySubject, ownOf, type Subject, scenarioOf } from '../subjects.ts';
import { add, ofMetadata, types } from './patch-bodies.ts';
import { specs } from './patch-specs.ts';

const queries = [
  'dryRun=All',
  'fieldManager=me',
  'fieldValidation=Strict',
  'fieldValidation=Ignore',
  'force=true',
  'force=x',
  'dryRun=x',
  'resourceVersion=3',
];

const patching = (path: string, type: keyof typeof types, body: unknown): Step => ({
  method: 'PATCH',
  path,
  contentType: types[type],
  body,
});

/** Number of patches to one object. */
const inARow = 5;

function* ofMetadataOf(subject: Subject): Generator<Scenario> {
  for (const type of Object.keys(types) as (keyof typeof types)[]) {
    const all = ofMetadata[type];
    for (let from = 0; from < all.length; from += inARow) {
      const some = all.slice(Math.max(0, from - 2), from + inARow);
      const steps = [creating(subject), ...some.map((body) => patching(ownOf(subject), type, body))];
      yield scenarioOf(`${type} patch`, subject, { title: `${from}`, steps });
    }
  }
}

function* queriesOf(subject: Subject): Generator<Scenario> {
  const bodies = {
    json: [add('/metadata/labels', { a: 'b' }), add('/nope', 1)],
    merge: { metadata: { labels: { a: 'b' }, nope: 1 }, nope: 2 },
    strategic: { metadata: { labels: { a: 'b' } }, nope: 2 },
  };
  for (const query of queries) {
    const steps = Object.entries(bodies).flatMap(([type, body]) => [
      patching(`${ownOf(subject)}?${query}`, type as keyof typeof types, body),
      { path: ownOf(subject) },
    ]);
    yield scenarioOf('patch', subject, { title: `with ${query}`, steps: [creating(subject), ...steps] });
  }
  const other = ['text/plain', 'application/json', 'application/yaml', 'application/merge-patch', ''];
  yield scenarioOf('patch', subject, {
    title: 'of other types, and of what is not there',
    steps: [
      ...Object.entries(bodies).map(([type, body]) => patching(ownOf(subject), type as keyof typeof types, body)),
      creating(subject),
      ...other.map((contentType): Step => ({ method: 'PATCH', path: ownOf(subject), contentType, body: {} })),
      {
        method: 'PATCH',
        path: ownOf(subject),
        contentType: 'application/merge-patch+json; charset=utf-8',
        body: { metadata: { labels: { a: 'b' } } },
      },
    ],
  });
}

/** Patches of all kinds: of common and of kind-specific fields. */
export function* patchingScenarios(): Generator<Scenario> {
  for (const subject of everySubject) {
    yield* ofMetadataOf(subject);
    yield* queriesOf(subject);
  }
  for (const [subject, type, bodies] of specs) {
    for (let from = 0; from < bodies.length; from += inARow) {
      const some = bodies.slice(0, from + inARow);
      const steps = [creating(subject), ...some.map((body) => patching(ownOf(subject), type, body))];
      yield scenarioOf(`${type} patch`, subject, { title: `of its own, ${from}`, steps });
    }
  }
}

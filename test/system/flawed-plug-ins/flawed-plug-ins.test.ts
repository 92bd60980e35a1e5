import test from 'ava';
import type { CaseName, Subject } from '../../compliance/index.ts';
import { caseNames } from '../../compliance/subject/case-names.ts';
import { verdictOf } from '../../unit/integrations/flawed/verdict.ts';
import { type Tools, toolsOf } from './a-box-plug-in.ts';
import { inDocument, inProjects } from './box-variants.ts';
import { type Flaw, subjectOf } from './flaw.ts';
import { flawsOfAims } from './flaws/apis/flaws-of-aims.ts';
import { flawsOfAttempts } from './flaws/apis/flaws-of-attempts.ts';
import { flawsOfBeginners, markedByLongHash } from './flaws/apis/flaws-of-beginners.ts';
import { flawsOfClients } from './flaws/apis/flaws-of-clients.ts';
import { flawsOfClouds } from './flaws/apis/flaws-of-clouds.ts';
import { flawsOfLists } from './flaws/apis/flaws-of-lists.ts';
import { flawsOfTenants } from './flaws/apis/flaws-of-tenants.ts';
import { flawsOfWaits } from './flaws/apis/flaws-of-waits.ts';
import { flawsOfAnswers } from './flaws/flaws-of-answers.ts';
import { flawsOfChanges } from './flaws/flaws-of-changes.ts';
import { flawsOfCreate } from './flaws/flaws-of-create.ts';
import { flawsOfCrowds } from './flaws/flaws-of-crowds.ts';
import { flawsOfDeadlines } from './flaws/flaws-of-deadlines.ts';
import { flawsOfEnds } from './flaws/flaws-of-ends.ts';
import { flawsOfFailures } from './flaws/flaws-of-failures.ts';
import { flawsOfGuards } from './flaws/flaws-of-guards.ts';
import { flawsOfHabits } from './flaws/flaws-of-habits.ts';
import { flawsOfHandles } from './flaws/flaws-of-handles.ts';
import { flawsOfLooks } from './flaws/flaws-of-looks.ts';
import { flawsOfMemory } from './flaws/flaws-of-memory.ts';
import { flawsOfNeighbours } from './flaws/flaws-of-neighbours.ts';
import { flawsOfOutages } from './flaws/flaws-of-outages.ts';
import { flawsOfPromises } from './flaws/flaws-of-promises.ts';
import { flawsOfRestores } from './flaws/flaws-of-restores.ts';
import { flawsOfServices } from './flaws/flaws-of-services.ts';
import { flawsOfThrottling } from './flaws/flaws-of-throttling.ts';
import { flawsOfTurns } from './flaws/flaws-of-turns.ts';
import { flawsOfValidate } from './flaws/flaws-of-validate.ts';

const flaws: readonly Flaw[] = [
  ...flawsOfHandles,
  ...flawsOfValidate,
  ...flawsOfLooks,
  ...flawsOfClients,
  ...flawsOfCreate,
  ...flawsOfChanges,
  ...flawsOfFailures,
  ...flawsOfGuards,
  ...flawsOfMemory,
  ...flawsOfRestores,
  ...flawsOfOutages,
  ...flawsOfNeighbours,
  ...flawsOfPromises,
  ...flawsOfThrottling,
  ...flawsOfCrowds,
  ...flawsOfDeadlines,
  ...flawsOfAnswers,
  ...flawsOfHabits,
  ...flawsOfTurns,
  ...flawsOfEnds,
  ...flawsOfServices,
  ...flawsOfTenants,
  ...flawsOfClouds,
  ...flawsOfAims,
  ...flawsOfWaits,
  ...flawsOfBeginners,
  ...flawsOfLists,
  ...flawsOfAttempts,
];

/** The subject with every other case disabled, but `unhandled` beside `emptied`, which asks whether each workspace is asked for. */
const only = (found: CaseName, subject: Subject): Subject => {
  const others = caseNames.filter((name) => name !== found && (found !== 'emptied' || name !== 'unhandled'));
  const cannot = Object.fromEntries(others.map((name) => [name, 'it is about another case']));
  return { ...subject, cannot: { ...cannot, ...subject.cannot } };
};

for (const identity of ['name', 'tag', 'key'] as const)
  test.serial(`the plug-in without a flaw passes, identity ${identity}`, async (t) => {
    t.deepEqual(await verdictOf(subjectOf({ identity })), {});
  });

const variants = {
  'in projects': (tools: Tools) => inProjects(tools, ({ namespace }) => namespace),
  'in one document': (tools: Tools) => inDocument(tools, true),
};
test.serial('the plug-in without a flaw passes with a mark that is a long hash', async (t) => {
  t.deepEqual(await verdictOf(subjectOf({ identity: 'tag', resource: markedByLongHash })), {});
});

for (const [where, resource] of Object.entries(variants))
  test.serial(`the plug-in without a flaw passes with boxes ${where}`, async (t) => {
    t.deepEqual(await verdictOf(subjectOf({ identity: 'tag', resource })), {});
  });

const past: Partial<Flaw> = {
  tools: (right) => ({ ...right, ...toolsOf((...given) => globalThis.fetch(...given), right.clock) }),
};

test.serial('a plug-in without a flaw that asks by the global fetch passes', async (t) => {
  const before = globalThis.fetch;
  t.deepEqual(await verdictOf(subjectOf(past)), {});
  t.is(globalThis.fetch, before);
});

test.serial('faults reach a plug-in that asks by the global fetch', async (t) => {
  const flaw = flaws.find(({ what }) => what === 'find takes every status but 200 for an empty list');
  t.truthy(flaw);
  const verdict = await verdictOf(only('outage', subjectOf({ ...flaw, ...past })));
  t.regex(Object.values(verdict)[0] ?? '', flaw!.says[0]);
});

test('each mistake is one of its own', (t) => {
  t.is(new Set(flaws.map(({ what }) => what)).size, flaws.length);
});

for (const flaw of flaws)
  test.serial(`${flaw.what}: the case "${flaw.found}" says so, and how to fix it`, async (t) => {
    const [report = 'nothing was found', ...others] = Object.values(await verdictOf(only(flaw.found, subjectOf(flaw))));
    t.deepEqual(others, []);
    for (const words of flaw.says) t.regex(report, words, report);
    t.regex(report, /\n {2}case: .*(\n {2}likely mistake:.*)+$/, 'a report ends with the fix');
  });

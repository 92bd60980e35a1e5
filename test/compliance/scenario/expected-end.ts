/** Expectations on the end of a scenario. */

import type { Call, Effect } from '../observation/effect.ts';
import type { RemoteObject, Subject } from '../subject/subject.ts';
import { expectCompleted, expectDeleted } from './case.ts';
import { descriptionsOf, idOf, listed } from './remote-objects.ts';
import { expect, Finding, fail, findingOf, merged } from './report.ts';
import { Scenario } from './scenario.ts';

/** Results and calls of a scenario without faults. */
export interface HappyPath {
  readonly expected: readonly string[];
  readonly secrets: readonly string[];
  readonly calls: readonly Call[];
  readonly effects: readonly Pick<Effect, 'name' | 'kind' | 'follows'>[];
  /** Time from creation to deletion, in ms of the clock. */
  readonly lasted: number;
}

/** Runs a function, and prefixes the message of its finding. @throws Finding */
export async function inContext<T>(when: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Finding) error.message = `${when}: ${error.message}`;
    throw error;
  }
}

/** Limit of failed scenarios, after which no more are run. */
const maxFailures = 8;

/** Runs scenarios one after the other and reports all that failed. @throws Finding */
export async function runAll(scenarios: readonly (() => Promise<void>)[]): Promise<void> {
  const broken: Finding[] = [];
  for (const [index, live] of scenarios.entries()) {
    await live().catch((error: unknown) => broken.push(findingOf(error)));
    const rest = scenarios.length - index - 1;
    if (broken.length < maxFailures || rest === 0) continue;
    broken.push(new Finding(`…and ${rest} more such scenarios were not tried`, []));
    break;
  }
  const finding = merged(broken);
  if (finding !== undefined) throw finding;
}

/** Returns the names of the Secrets created in a scenario. */
const secretsOf = async (scenario: Scenario): Promise<readonly string[]> =>
  (await scenario.madeInCluster()).filter(({ kind }) => kind === 'Secret').map(({ name }) => name);

/** Runs a scenario without faults from creation to deletion, as the reference. @throws Finding when even that fails */
export const runHappyPath = (subject: Subject): Promise<HappyPath> =>
  inContext('without any fault', () =>
    Scenario.during(
      subject,
      async (scenario) => {
        const { effects, environment } = scenario;
        const begun = environment.clock.monotonic();
        await scenario.create();
        const expected = await expectCompleted(scenario);
        const secrets = await secretsOf(scenario);
        await expectDeleted(scenario);
        return {
          expected,
          secrets,
          calls: effects.calls,
          effects: effects.done,
          lasted: environment.clock.monotonic() - begun,
        };
      },
      { recordsChanges: true },
    ),
  );

/** Expected end of a scenario; `mayAsk` also allows `Unknown`. */
export interface Ending extends Pick<HappyPath, 'expected' | 'secrets'> {
  readonly mayAsk: boolean;
}

/** Returns the objects that exist in addition to those before; of equal ones, the surplus. */
function addedObjects(now: readonly RemoteObject[], before: readonly RemoteObject[]): readonly RemoteObject[] {
  const left = before.map(idOf);
  return now.filter((thing) => {
    const index = left.indexOf(idOf(thing));
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}

/** Advice on a difference between two equal scenarios. */
export const nondeterminismAdvice =
  'what it does depends on chance, or on the time of day: take all time from run.clock and all chance from run.random, and let names and order come of the workspace';
const likelyTwice =
  'a creation was sent again without knowing what became of the first one: with identity name it has to be conditional, with tag its mark has to be in the same request, with key the key; a task of several steps awaits checkpoint after each';
const likelyLess =
  'a failed call counts as success, or what is left of an attempt is not taken up again: let errors out of the function, and let each step work on what is there already';

function expectThings(scenario: Scenario, there: readonly RemoteObject[], { expected }: Ending): void {
  const made = scenario.run === 1 ? [] : addedObjects(there, scenario.atCrash);
  const who = made.length > 0 ? `the second run created ${listed(made)}; ` : '';
  fail(
    `${who}the third party has ${listed(there)} instead of ${listed(expected)}`,
    there.length > expected.length ? likelyTwice : likelyLess,
  );
}

async function expectSecrets(scenario: Scenario, { secrets }: Ending): Promise<void> {
  const kept = await secretsOf(scenario);
  for (const name of secrets)
    expect(
      kept.includes(name),
      `Secret ${name} is missing: what it holds was lost with an answer`,
      'the resource cannot give its secret again: see secretOf',
    );
}

/** Checks the settled state. @throws Finding */
async function expectRest(scenario: Scenario, ending: Ending): Promise<void> {
  const asked = scenario.condition.startsWith('Unknown');
  const there = await scenario.remote();
  const differs = !asked && descriptionsOf(there).join('\n') !== ending.expected.join('\n');
  if (there.length > ending.expected.length || differs) expectThings(scenario, there, ending);
  if (!asked) await expectSecrets(scenario, ending);
}

/** Deletes the workspace. @throws Finding unless it is removed and no external objects are left */
export async function expectGone(scenario: Scenario, mayAsk: boolean): Promise<void> {
  await scenario.delete();
  if (!(await scenario.comesTo(['Gone', ...(mayAsk ? ['Deleting, Unknown'] : [])])))
    fail(`the workspace was never gone: ${scenario.condition}`);
  const left = scenario.condition.startsWith('Gone') ? await scenario.remote() : [];
  expect(
    left.length === 0,
    `${listed(left)} leaked`,
    'what an attempt made before its answer was lost, or before it died, is not found again: see find, and the ids that a task hands to checkpoint',
  );
}

/** Waits for rest, deletes the workspace and waits until it is gone. @throws Finding with all problems */
export async function expectEnd(scenario: Scenario, ending: Ending): Promise<void> {
  if (!(await scenario.comesTo(['Completed', 'Gone', ...(ending.mayAsk ? ['Unknown'] : [])])))
    fail(`it never came to rest: ${scenario.condition}`);
  const broken: Finding[] = [];
  for (const look of [() => expectRest(scenario, ending), () => expectGone(scenario, ending.mayAsk)])
    await look().catch((error: unknown) => broken.push(findingOf(error)));
  const finding = merged(broken, '; ');
  if (finding !== undefined) throw finding;
}

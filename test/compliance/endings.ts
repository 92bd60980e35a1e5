/** Expectations on the end of a life. */

import { arrive, listed, vanish } from './case.ts';
import type { Call, Effect } from './effects.ts';
import { inWords, Life } from './life.ts';
import { expect, Finding, fail, findingOf, merged } from './report.ts';
import type { Subject, Thing } from './subject.ts';

/** Results and calls of a life without faults. */
export interface Calm {
  readonly expected: readonly string[];
  readonly secrets: readonly string[];
  readonly calls: readonly Call[];
  readonly effects: readonly Pick<Effect, 'name' | 'kind' | 'follows'>[];
}

/** Prefixes a finding with its circumstances. @throws Finding */
export async function telling<T>(when: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Finding) error.message = `${when}: ${error.message}`;
    throw error;
  }
}

/** Limit of failed lives, after which no more are run. */
const enough = 8;

/** Runs lives one after the other and reports all that failed. @throws Finding */
export async function all(lives: readonly (() => Promise<void>)[]): Promise<void> {
  const broken: Finding[] = [];
  for (const [index, live] of lives.entries()) {
    await live().catch((error: unknown) => broken.push(findingOf(error)));
    const rest = lives.length - index - 1;
    if (broken.length < enough || rest === 0) continue;
    broken.push(new Finding(`…and ${rest} more such lives were not tried`, []));
    break;
  }
  const finding = merged(broken);
  if (finding !== undefined) throw finding;
}

/** Returns the names of the Secrets created in a life. */
const secretsOf = async (life: Life): Promise<readonly string[]> =>
  (await life.madeInCluster()).filter(({ kind }) => kind === 'Secret').map(({ name }) => name);

/** Runs a life without faults from creation to deletion, as the reference. @throws Finding when even that fails */
export const calmLife = (subject: Subject): Promise<Calm> =>
  telling('without any fault', () =>
    Life.during(
      subject,
      async (life) => {
        await life.create();
        const expected = await arrive(life);
        const secrets = await secretsOf(life);
        await vanish(life);
        return { expected, secrets, calls: life.effects.calls, effects: life.effects.done };
      },
      { compares: true },
    ),
  );

/** Expected end of a life; `mayAsk` also allows `Unknown`. */
export interface Ending extends Pick<Calm, 'expected' | 'secrets'> {
  readonly mayAsk: boolean;
}

/** Returns the id of an external object, or its description if it has none. */
export const idOf = (thing: Thing): string => (typeof thing === 'string' ? thing : thing.id);

/** Returns the objects that exist in addition to those before; of equal ones, the surplus. */
function beyond(now: readonly Thing[], before: readonly Thing[]): readonly Thing[] {
  const left = before.map(idOf);
  return now.filter((thing) => {
    const index = left.indexOf(idOf(thing));
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}

/** Likely cause of a difference between two lives that begin alike. */
export const likelyChance =
  'what it does depends on chance, or on the time of day: take all time from run.clock and all chance from run.random, and let names and order come of the workspace';
const likelyTwice =
  'a creation was sent again without knowing what became of the first one: with identity name it has to be conditional, with tag its mark has to be in the same request, with key the key; a task of several steps awaits checkpoint after each';
const likelyLess =
  'a failed call counts as success, or what is left of an attempt is not taken up again: let errors out of the function, and let each step work on what is there already';

function expectThings(life: Life, there: readonly Thing[], { expected }: Ending): void {
  const made = life.run === 1 ? [] : beyond(there, life.atDeath);
  const who = made.length > 0 ? `the second run created ${listed(made)}; ` : '';
  fail(
    `${who}the third party has ${listed(there)} instead of ${listed(expected)}`,
    there.length > expected.length ? likelyTwice : likelyLess,
  );
}

async function expectSecrets(life: Life, { secrets }: Ending): Promise<void> {
  const kept = await secretsOf(life);
  for (const name of secrets)
    expect(
      kept.includes(name),
      `Secret ${name} is missing: what it holds was lost with an answer`,
      'the resource cannot give its secret again: see secretOf',
    );
}

/** Checks the state at rest. @throws Finding */
async function expectRest(life: Life, ending: Ending): Promise<void> {
  const asked = life.condition.startsWith('Unknown');
  const there = await life.remote();
  const differs = !asked && inWords(there).join('\n') !== ending.expected.join('\n');
  if (there.length > ending.expected.length || differs) expectThings(life, there, ending);
  if (!asked) await expectSecrets(life, ending);
}

/** Deletes the workspace. @throws Finding unless it is removed and no external objects are left */
export async function expectGone(life: Life, mayAsk: boolean): Promise<void> {
  await life.delete();
  if (!(await life.comesTo(['Gone', ...(mayAsk ? ['Deleting, Unknown'] : [])])))
    fail(`the workspace was never gone: ${life.condition}`);
  const left = life.condition.startsWith('Gone') ? await life.remote() : [];
  expect(
    left.length === 0,
    `${listed(left)} leaked`,
    'what an attempt made before its answer was lost, or before it died, is not found again: see find, and the ids that a task hands to checkpoint',
  );
}

/** Waits for rest, deletes the workspace and waits until it is gone. @throws Finding with all problems */
export async function endsWell(life: Life, ending: Ending): Promise<void> {
  if (!(await life.comesTo(['Completed', 'Gone', ...(ending.mayAsk ? ['Unknown'] : [])])))
    fail(`it never came to rest: ${life.condition}`);
  const broken: Finding[] = [];
  for (const look of [() => expectRest(life, ending), () => expectGone(life, ending.mayAsk)])
    await look().catch((error: unknown) => broken.push(findingOf(error)));
  const finding = merged(broken, '; ');
  if (finding !== undefined) throw finding;
}

/** Case of two workspaces that want the same name. */

import type { WorkspaceSpec } from '../../../sdk/index.ts';
import { likelyLostUpdate } from '../resource/concurrent-calls.ts';
import { type Case, expectCompleted, expectRemote, lacking } from '../scenario/case.ts';
import { descriptionsOf, listed } from '../scenario/remote-objects.ts';
import { expect, fail } from '../scenario/report.ts';
import { Scenario } from '../scenario/scenario.ts';
import { joinedAlike, main, namesake } from '../scenario/workspace-names.ts';
import type { RemoteObject, Subject } from '../subject/subject.ts';

const likely =
  'an object is taken for ours by its name alone, or by the workspace’s: put owner.mark on it, let find and delete look at that, and throw ExternalAlreadyExistsError for what is another’s';

const likelySeparate =
  'each workspace gets its own (sameName: separate), so a name that others may want, in another namespace too, has the namespace and the name of the workspace in it, joined by what neither may have in it (not by a dash: a-b of c is a of b-c then), or its uid; or an object is taken for ours by its name alone, or by the workspace’s: put owner.mark on it, and let find and delete look at that';

const likelyMixed =
  'something of one workspace (its project, its tenant, its spec) is kept in a variable of the module or of the integration that the walk of another one has written since: take it of the workspace or the owner that each function is given, and keep in the id what a later call needs';

/** Two workspaces in one scenario, and the external objects that each has where it is alone. */
interface Contention {
  readonly names: readonly [string, string];
  readonly scenario: Scenario;
  readonly expected: readonly [readonly string[], readonly string[]];
}

/** Waits until both are Completed or, with `exclusive`, one is Completed and the other Error. @returns their conditions */
async function bothSettled({ names, scenario }: Contention, { sameName }: Subject): Promise<readonly string[]> {
  const conditions = () => Promise.all(names.map((name) => scenario.readCondition(name)));
  await scenario.until(async () => {
    const now = await conditions();
    const isOne = now.some((condition) => condition.startsWith('Completed'));
    return (
      isOne &&
      now.every((condition) => /^Completed/.test(condition) || (sameName === 'exclusive' && /^Error/.test(condition)))
    );
  });
  return conditions();
}

async function deleteWorkspace(scenario: Scenario, name: string): Promise<void> {
  await scenario.delete(name);
  if (!(await scenario.comesTo(['Gone'], name))) fail(`${name} was never gone: ${scenario.condition}`);
}

/** Expects that one workspace gets the object, and that the other reports an Error, deletes nothing, and gets it once the first is deleted. */
async function proveExclusive(contention: Contention, subject: Subject): Promise<void> {
  const { names, scenario } = contention;
  const [expected] = contention.expected;
  const conditions = await bothSettled(contention, subject);
  const shownConditions = conditions.join(' | ');
  const winner = names.find((_, index) => conditions[index]!.startsWith('Completed'));
  const loser = names.find((name) => name !== winner)!;
  expect(winner !== undefined, `two workspaces want the same name, and none gets it: ${shownConditions}`, likely);
  if (!conditions[names.indexOf(loser)]!.startsWith('Error'))
    fail(
      `two workspaces want the same name, and both say that they have it: ${shownConditions}. The third party has ${listed(await scenario.remote())}`,
      likely,
    );
  await expectRemote(scenario, expected, { when: 'while two workspaces want the same name,', likely });
  await deleteWorkspace(scenario, loser);
  const when = 'the one that did not get it was deleted: what the other one has was touched,';
  await expectRemote(scenario, expected, { when, likely });
  await scenario.create(subject.spec, { name: loser });
  if (!(await scenario.comesTo(['Error'], loser)))
    fail(`${loser} does not say that it has to do without: ${scenario.condition}`, likely);
  await deleteWorkspace(scenario, winner);
  if (!(await scenario.comesTo(['Completed'], loser)))
    fail(`the name is free, and ${loser} does not get it: ${scenario.condition}`, likely);
  await expectRemote(scenario, expected, { when: 'after the other one was deleted,', likely });
  await deleteWorkspace(scenario, loser);
  await expectRemote(scenario, [], { when: 'after both were deleted,', likely });
}

/** Expects the objects to be those of the given workspaces; passes where one has a description that neither workspace has alone. */
function expectTheirOwn(things: readonly RemoteObject[], expected: readonly string[], known: readonly string[]): void {
  const words = descriptionsOf(things);
  const isKnown = words.every((one) => known.includes(one));
  expect(
    !isKnown || words.join('\n') === expected.toSorted().join('\n'),
    `two workspaces that have ${expected.join(', ')} where each is alone: together, the third party has ${listed(things)}`,
    likelyMixed,
  );
}

/** Expects that each gets its own objects and removes only its own. */
async function proveSeparate(contention: Contention, subject: Subject): Promise<void> {
  const { scenario, names, expected } = contention;
  const [first, second] = expected;
  const alone = [...first, ...second];
  const conditions = await bothSettled(contention, subject);
  expect(
    conditions.every((condition) => condition.startsWith('Completed')),
    `two workspaces, ${names.join(' and ')}, each of which is Completed where it is alone: ${conditions.join(' | ')}`,
    likelySeparate,
  );
  const both = await scenario.remote();
  expect(
    both.length === alone.length,
    `two workspaces, ${names.join(' and ')}, which have ${alone.join(', ')} where each is alone: together, the third party has ${listed(both)}`,
    likelySeparate,
    likelyLostUpdate,
  );
  expectTheirOwn(both, alone, alone);
  await deleteWorkspace(scenario, names[0]);
  const left = await scenario.remote();
  expect(
    left.length === second.length,
    `of ${listed(both)} there is ${listed(left)} left after one of two workspaces was deleted: ${second.join(', ')} was expected`,
    likely,
    likelyLostUpdate,
  );
  expectTheirOwn(left, second, alone);
  await deleteWorkspace(scenario, names[1]);
  await expectRemote(scenario, [], { when: 'after both were deleted,', likely });
}

/** Two workspaces, and the spec of the second one. */
interface Competitor {
  readonly names: readonly [string, string];
  readonly spec: WorkspaceSpec;
}

/** Name longer than most third parties allow. */
const longName = 'a-workspace-whose-name-is-longer-than-a-label-or-an-identifier-may-be';

/**
 * Returns the competitors of the subject: another workspace and, where the third party can serve both, its namesake in another namespace and, where each gets
 * its own, two of the same long beginning that ask for different objects, and two whose namespace and name make the same text.
 */
function competitorsOf({ time, target, sameName, spec, edited = spec }: Subject): readonly Competitor[] {
  const competitor: Competitor = { names: [main, 'competitor'], spec };
  if (time === 'real' || target === 'cluster') return [competitor];
  const inOtherNamespace: Competitor = { names: [main, namesake], spec };
  const long: Competitor = { names: [`${longName}-1`, `${longName}-2`], spec: edited };
  const alike: Competitor = { names: [joinedAlike, namesake], spec };
  return sameName === 'exclusive' ? [competitor, inOtherNamespace] : [competitor, inOtherNamespace, long, alike];
}

/** Returns the objects of one of two workspaces, the other of which does not request the integration; undefined where it is not Completed. */
const aloneOf = (
  subject: Subject,
  { names, spec }: Competitor,
  asking: 0 | 1,
): Promise<readonly string[] | undefined> =>
  Scenario.during(subject, async (scenario) => {
    const { unhandled = {}, cannot, sameName } = subject;
    const isByItself = sameName === 'exclusive' || cannot?.unhandled !== undefined;
    const asks = asking === 0 ? [subject.spec, unhandled] : [unhandled, spec];
    for (const [index, name] of names.entries())
      if (index === asking || !isByItself) await scenario.create(asks[index], { name });
    const name = names[asking];
    if (name === main) return expectCompleted(scenario);
    await scenario.comesTo(['Completed', 'Error'], name);
    return scenario.condition.startsWith('Completed') ? scenario.describeRemote() : undefined;
  });

/** Returns the objects that each of two workspaces has while the other one does not request the integration; undefined where one is not Completed. */
async function expectedOf(subject: Subject, competitor: Competitor): Promise<Contention['expected'] | undefined> {
  const first = await aloneOf(subject, competitor, 0);
  const second = subject.sameName === 'exclusive' ? first : await aloneOf(subject, competitor, 1);
  return first && second && [first, second];
}

/** Case of two workspaces with the same spec. */
export const contendedCase: Case = {
  name: 'contended',
  title: 'gives two workspaces that want the same name what is theirs',
  lacks: lacking('sameName'),
  async prove(subject) {
    for (const competitor of competitorsOf(subject)) {
      const expected = await expectedOf(subject, competitor);
      if (expected === undefined) continue; // a name of this length is refused
      const { names } = competitor;
      await Scenario.during(subject, async (scenario) => {
        for (const [index, name] of names.entries())
          await scenario.create(index === 0 ? subject.spec : competitor.spec, { name });
        const contention: Contention = { names, scenario, expected };
        await (subject.sameName === 'exclusive' ? proveExclusive : proveSeparate)(contention, subject);
      });
    }
  },
};

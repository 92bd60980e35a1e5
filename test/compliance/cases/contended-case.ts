/** Case of two workspaces that want the same name. */

import type { WorkspaceSpec } from '../../../sdk/index.ts';
import { likelyLostUpdate } from '../resource/made-at-once.ts';
import { arrive, type Case, has, lacking, listed } from '../scenario/case.ts';
import { expect, fail } from '../scenario/report.ts';
import { inWords, Scenario } from '../scenario/scenario.ts';
import { main, namesake } from '../scenario/workspace-names.ts';
import type { Subject, Thing } from '../subject/subject.ts';

const likely =
  'a thing is taken for ours by its name alone, or by the workspace’s: put owner.mark on it, let find and delete look at that, and throw ExternalAlreadyExistsError for what is another’s';

const likelySeparate =
  'each workspace gets its own (sameName: separate), so a name that others may want, in another namespace too, has the namespace and the name of the workspace in it, or its uid; or a thing is taken for ours by its name alone, or by the workspace’s: put owner.mark on it, and let find and delete look at that';

const likelyMixed =
  'something of one workspace (its project, its tenant, its spec) is kept in a variable of the module or of the integration that the walk of another one has written since: take it of the workspace or the owner that each function is given, and keep in the id what a later call needs';

/** Two workspaces, the second one's spec, and the external objects that each has where it is alone. */
interface Rivalry {
  readonly names: readonly [string, string];
  readonly scenario: Scenario;
  readonly expected: readonly [readonly string[], readonly string[]];
}

/** Waits until both are Completed or, where one may have to do without, one of them. */
async function bothSettled({ names, scenario }: Rivalry, { sameName }: Subject): Promise<readonly string[]> {
  const looks = () => Promise.all(names.map((name) => scenario.look(name)));
  await scenario.until(async () => {
    const now = await looks();
    const isOne = now.some((look) => look.startsWith('Completed'));
    return isOne && now.every((look) => /^Completed/.test(look) || (sameName === 'exclusive' && /^Error/.test(look)));
  });
  return looks();
}

async function goes(scenario: Scenario, name: string): Promise<void> {
  await scenario.delete(name);
  if (!(await scenario.comesTo(['Gone'], name))) fail(`${name} was never gone: ${scenario.condition}`);
}

/** Expects that one gets the object; the other reports it, removes nothing, and gets it once it is free. */
async function exclusively(rivalry: Rivalry, subject: Subject): Promise<void> {
  const { names, scenario } = rivalry;
  const [expected] = rivalry.expected;
  const looks = await bothSettled(rivalry, subject);
  const told = looks.join(' | ');
  const winner = names.find((_, index) => looks[index]!.startsWith('Completed'));
  const loser = names.find((name) => name !== winner)!;
  expect(winner !== undefined, `two workspaces want the same name, and none gets it: ${told}`, likely);
  if (!looks[names.indexOf(loser)]!.startsWith('Error'))
    fail(
      `two workspaces want the same name, and both say that they have it: ${told}. The third party has ${listed(await scenario.remote())}`,
      likely,
    );
  await has(scenario, expected, { when: 'while two workspaces want the same name,', likely });
  await goes(scenario, loser);
  const when = 'the one that did not get it was deleted: what the other one has was touched,';
  await has(scenario, expected, { when, likely });
  await scenario.create(subject.spec, { name: loser });
  if (!(await scenario.comesTo(['Error'], loser)))
    fail(`${loser} does not say that it has to do without: ${scenario.condition}`, likely);
  await goes(scenario, winner);
  if (!(await scenario.comesTo(['Completed'], loser)))
    fail(`the name is free, and ${loser} does not get it: ${scenario.condition}`, likely);
  await has(scenario, expected, { when: 'after the other one was deleted,', likely });
  await goes(scenario, loser);
  await has(scenario, [], { when: 'after both were deleted,', likely });
}

/** Expects that what there is belongs to the right workspaces; things in words that neither has alone are not judged. */
function expectTheirOwn(things: readonly Thing[], expected: readonly string[], known: readonly string[]): void {
  const words = inWords(things);
  const isKnown = words.every((one) => known.includes(one));
  expect(
    !isKnown || words.join('\n') === expected.toSorted().join('\n'),
    `two workspaces that have ${expected.join(', ')} where each is alone: together, the third party has ${listed(things)}`,
    likelyMixed,
  );
}

/** Expects that each gets its own objects and removes only its own. */
async function separately(rivalry: Rivalry, subject: Subject): Promise<void> {
  const { scenario, names, expected } = rivalry;
  const [first, second] = expected;
  const alone = [...first, ...second];
  const looks = await bothSettled(rivalry, subject);
  expect(
    looks.every((look) => look.startsWith('Completed')),
    `two workspaces, ${names.join(' and ')}, each of which is Completed where it is alone: ${looks.join(' | ')}`,
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
  await goes(scenario, names[0]);
  const left = await scenario.remote();
  expect(
    left.length === second.length,
    `of ${listed(both)} there is ${listed(left)} left after one of two workspaces was deleted: ${second.join(', ')} was expected`,
    likely,
    likelyLostUpdate,
  );
  expectTheirOwn(left, second, alone);
  await goes(scenario, names[1]);
  await has(scenario, [], { when: 'after both were deleted,', likely });
}

/** Another workspace, and what it asks for. */
interface Rival {
  readonly names: readonly [string, string];
  readonly spec: WorkspaceSpec;
}

/** Name longer than those of most third parties may be. */
const longName = 'a-workspace-whose-name-is-longer-than-a-label-or-an-identifier-may-be';

/**
 * Returns the competitors of the subject: another workspace and, where the third party can serve both, its namesake in another namespace and, where each gets
 * its own, two of the same long beginning that ask for different things.
 */
function rivalsOf({ time, reaches, sameName, spec, edited = spec }: Subject): readonly Rival[] {
  const competitor: Rival = { names: [main, 'competitor'], spec };
  if (time === 'real' || reaches === 'cluster') return [competitor];
  const elsewhere: Rival = { names: [main, namesake], spec };
  const long: Rival = { names: [`${longName}-1`, `${longName}-2`], spec: edited };
  return sameName === 'exclusive' ? [competitor, elsewhere] : [competitor, elsewhere, long];
}

/** Returns the objects of one of two workspaces, the other of which asks for nothing; undefined where it is not Completed. */
const aloneOf = (subject: Subject, { names, spec }: Rival, asking: 0 | 1): Promise<readonly string[] | undefined> =>
  Scenario.during(subject, async (scenario) => {
    const { unasked = {}, cannot, sameName } = subject;
    const isByItself = sameName === 'exclusive' || cannot?.unasked !== undefined;
    const asks = asking === 0 ? [subject.spec, unasked] : [unasked, spec];
    for (const [index, name] of names.entries())
      if (index === asking || !isByItself) await scenario.create(asks[index], { name });
    const name = names[asking];
    if (name === main) return arrive(scenario);
    await scenario.comesTo(['Completed', 'Error'], name);
    return scenario.condition.startsWith('Completed') ? scenario.words() : undefined;
  });

/** Returns the objects that each of two workspaces has while the other one asks for nothing; undefined where one is refused. */
async function expectedOf(subject: Subject, rival: Rival): Promise<Rivalry['expected'] | undefined> {
  const first = await aloneOf(subject, rival, 0);
  const second = subject.sameName === 'exclusive' ? first : await aloneOf(subject, rival, 1);
  return first && second && [first, second];
}

/** Case of two workspaces with the same spec. */
export const contendedCase: Case = {
  name: 'contended',
  title: 'gives two workspaces that want the same name what is theirs',
  lacks: lacking('sameName'),
  async prove(subject) {
    for (const rival of rivalsOf(subject)) {
      const expected = await expectedOf(subject, rival);
      if (expected === undefined) continue; // names of such a length are refused
      const { names } = rival;
      await Scenario.during(subject, async (scenario) => {
        for (const [index, name] of names.entries())
          await scenario.create(index === 0 ? subject.spec : rival.spec, { name });
        const rivalry: Rivalry = { names, scenario, expected };
        await (subject.sameName === 'exclusive' ? exclusively : separately)(rivalry, subject);
      });
    }
  },
};

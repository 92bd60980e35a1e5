/** Case of two workspaces that want the same name. */

import { arrive, type Case, has, lacking, listed } from '../scenario/case.ts';
import { expect, fail } from '../scenario/report.ts';
import { namesake, Scenario } from '../scenario/scenario.ts';
import type { Subject } from '../subject/subject.ts';

const likely =
  'a thing is taken for ours by its name alone, or by the workspace’s: put owner.mark on it, let find and delete look at that, and throw ExternalAlreadyExistsError for what is another’s';

const likelySeparate =
  'each workspace gets its own (sameName: separate), so a name that others may want, in another namespace too, has the namespace and the name of the workspace in it, or its uid; or a thing is taken for ours by its name alone, or by the workspace’s: put owner.mark on it, and let find and delete look at that';

/** Two workspaces with the same spec, and the external objects of the first alone. */
interface Rivalry {
  readonly names: readonly [string, string];
  readonly scenario: Scenario;
  readonly expected: readonly string[];
}

async function bothSettled({ names, scenario }: Rivalry): Promise<readonly string[]> {
  const looks = () => Promise.all(names.map((name) => scenario.look(name)));
  await scenario.until(async () => (await looks()).every((look) => /^(Completed|Error)/.test(look)));
  return looks();
}

async function goes(scenario: Scenario, name: string): Promise<void> {
  await scenario.delete(name);
  if (!(await scenario.comesTo(['Gone'], name))) fail(`${name} was never gone: ${scenario.condition}`);
}

/** Expects that one gets the object; the other reports it, removes nothing, and gets it once it is free. */
async function exclusively(rivalry: Rivalry, { spec }: Subject): Promise<void> {
  const { names, scenario, expected } = rivalry;
  const looks = await bothSettled(rivalry);
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
  await scenario.create(spec, { name: loser });
  if (!(await scenario.comesTo(['Error'], loser)))
    fail(`${loser} does not say that it has to do without: ${scenario.condition}`, likely);
  await goes(scenario, winner);
  if (!(await scenario.comesTo(['Completed'], loser)))
    fail(`the name is free, and ${loser} does not get it: ${scenario.condition}`, likely);
  await has(scenario, expected, { when: 'after the other one was deleted,', likely });
  await goes(scenario, loser);
  await has(scenario, [], { when: 'after both were deleted,', likely });
}

/** Expects that each gets its own objects and removes only its own. */
async function separately(rivalry: Rivalry): Promise<void> {
  const { scenario, names, expected } = rivalry;
  const told = (await bothSettled(rivalry)).join(' | ');
  expect(!told.includes('Error'), `two workspaces with the same spec: ${told}`, likelySeparate);
  const both = await scenario.remote();
  expect(
    both.length === expected.length * 2,
    `two workspaces with the same spec, each of which gets ${listed(expected)}: the third party has ${listed(both)}`,
    likely,
  );
  await goes(scenario, names[0]);
  const left = await scenario.remote();
  expect(
    left.length === expected.length,
    `of ${listed(both)} there is ${listed(left)} left after one of two workspaces was deleted: half of it was expected`,
    likely,
  );
  await goes(scenario, names[1]);
  await has(scenario, [], { when: 'after both were deleted,', likely });
}

/** Returns the competitors of the subject: another workspace and, where the third party can serve both, its namesake in another namespace. */
const othersOfCondition = ({ time, reaches }: Subject): readonly string[] =>
  time === 'real' || reaches === 'cluster' ? ['competitor'] : ['competitor', namesake];

/** Case of two workspaces with the same spec. */
export const contendedCase: Case = {
  name: 'contended',
  title: 'gives two workspaces that want the same name what is theirs',
  lacks: lacking('sameName'),
  async prove(subject) {
    const expected = await Scenario.during(subject, async (alone) => {
      await alone.create();
      return arrive(alone);
    });
    for (const rival of othersOfCondition(subject))
      await Scenario.during(subject, async (scenario) => {
        const rivalry: Rivalry = { names: ['subject', rival], scenario, expected };
        for (const name of rivalry.names) await scenario.create(subject.spec, { name });
        await (subject.sameName === 'exclusive' ? exclusively(rivalry, subject) : separately(rivalry));
      });
  },
};

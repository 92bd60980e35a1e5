import { arrive, type Case, has, lacking, listed } from './case.ts';
import { Life, namesake } from './life.ts';
import { expect, fail } from './report.ts';
import type { Subject } from './subject.ts';

const likely =
  'a thing is taken for ours by its name alone, or by the workspace’s: put owner.mark on it, let find and delete look at that, and throw ExternalAlreadyExistsError for what is another’s';

/** Two workspaces with the same spec, and the external objects of the first alone. */
interface Rivalry {
  readonly names: readonly [string, string];
  readonly life: Life;
  readonly expected: readonly string[];
}

async function bothSettled({ names, life }: Rivalry): Promise<readonly string[]> {
  const looks = () => Promise.all(names.map((name) => life.look(name)));
  await life.until(async () => (await looks()).every((look) => /^(Completed|Error)/.test(look)));
  return looks();
}

async function goes(life: Life, name: string): Promise<void> {
  await life.delete(name);
  if (!(await life.comesTo(['Gone'], name))) fail(`${name} was never gone: ${life.condition}`);
}

/** Expects that one gets the object; the other reports it, removes nothing, and gets it once it is free. */
async function exclusively(rivalry: Rivalry, { spec }: Subject): Promise<void> {
  const { names, life, expected } = rivalry;
  const looks = await bothSettled(rivalry);
  const told = looks.join(' | ');
  const winner = names.find((_, index) => looks[index]!.startsWith('Completed'));
  const loser = names.find((name) => name !== winner)!;
  expect(winner !== undefined, `two workspaces want the same name, and none gets it: ${told}`, likely);
  if (!looks[names.indexOf(loser)]!.startsWith('Error'))
    fail(
      `two workspaces want the same name, and both say that they have it: ${told}. The third party has ${listed(await life.remote())}`,
      likely,
    );
  await has(life, expected, { when: 'while two workspaces want the same name,', likely });
  await goes(life, loser);
  const when = 'the one that did not get it was deleted: what the other one has was touched,';
  await has(life, expected, { when, likely });
  await life.create(spec, { name: loser });
  if (!(await life.comesTo(['Error'], loser)))
    fail(`${loser} does not say that it has to do without: ${life.condition}`, likely);
  await goes(life, winner);
  if (!(await life.comesTo(['Completed'], loser)))
    fail(`the name is free, and ${loser} does not get it: ${life.condition}`, likely);
  await has(life, expected, { when: 'after the other one was deleted,', likely });
  await goes(life, loser);
  await has(life, [], { when: 'after both were deleted,', likely });
}

/** Expects that each gets its own objects and removes only its own. */
async function separately(rivalry: Rivalry): Promise<void> {
  const { life, names, expected } = rivalry;
  const told = (await bothSettled(rivalry)).join(' | ');
  expect(!told.includes('Error'), `two workspaces with the same spec: ${told}`, likely);
  const both = await life.remote();
  expect(
    both.length === expected.length * 2,
    `two workspaces with the same spec, each of which gets ${listed(expected)}: the third party has ${listed(both)}`,
    likely,
  );
  await goes(life, names[0]);
  const left = await life.remote();
  expect(
    left.length === expected.length,
    `of ${listed(both)} there is ${listed(left)} left after one of two workspaces was deleted: half of it was expected`,
    likely,
  );
  await goes(life, names[1]);
  await has(life, [], { when: 'after both were deleted,', likely });
}

/** Returns the rivals of the subject: a neighbour and, where the third party can serve both, its namesake in another namespace. */
const rivalsOf = ({ time, reaches }: Subject): readonly string[] =>
  time === 'real' || reaches === 'cluster' ? ['rival'] : ['rival', namesake];

/** Case of two workspaces with the same spec. */
export const rivalsCase: Case = {
  name: 'rivals',
  title: 'gives two workspaces that want the same name what is theirs',
  lacks: lacking('sameName'),
  async prove(subject) {
    const expected = await Life.during(subject, async (alone) => {
      await alone.create();
      return arrive(alone);
    });
    for (const rival of rivalsOf(subject))
      await Life.during(subject, async (life) => {
        const rivalry: Rivalry = { names: ['subject', rival], life, expected };
        for (const name of rivalry.names) await life.create(subject.spec, { name });
        await (subject.sameName === 'exclusive' ? exclusively(rivalry, subject) : separately(rivalry));
      });
  },
};

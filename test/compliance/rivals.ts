import assert from 'node:assert/strict';
import { arrive, type Case, expect, has, lacking, listed } from './case.ts';
import { Life } from './life.ts';
import type { Subject } from './subject.ts';

const names = ['subject', 'rival'];

async function bothSettled(life: Life): Promise<readonly string[]> {
  const looks = () => Promise.all(names.map((name) => life.look(name)));
  await life.until(async () => (await looks()).every((look) => /^(Completed|Error)/.test(look)));
  return looks();
}

async function goes(life: Life, name: string): Promise<void> {
  await life.delete(name);
  expect(await life.comesTo(['Gone'], name), `${name} was never gone: ${life.condition}`);
}

/** One gets it; the other says so, takes nothing away, and gets it when it is free. */
async function exclusively(subject: Subject, life: Life): Promise<void> {
  const expected = await Life.during(subject, async (alone) => {
    await alone.create();
    return arrive(alone);
  });
  const looks = await bothSettled(life);
  const told = looks.join(' | ');
  const winner = names.find((_, index) => looks[index]!.startsWith('Completed'));
  const loser = names.find((name) => name !== winner)!;
  expect(winner !== undefined, `two workspaces want the same name, and none gets it: ${told}`);
  if (!looks[names.indexOf(loser)]!.startsWith('Error'))
    assert.fail(
      `two workspaces want the same name, and both say that they have it: ${told}. The third party has ${listed(await life.remote())}`,
    );
  await has(life, expected, 'while two workspaces want the same name,');
  await goes(life, loser);
  await has(life, expected, `the one that did not get it was deleted: what the other one has was touched,`);
  await life.create(subject.spec, { name: loser });
  expect(await life.comesTo(['Error'], loser), `${loser} does not say that it has to do without: ${life.condition}`);
  await goes(life, winner);
  expect(await life.comesTo(['Completed'], loser), `the name is free, and ${loser} does not get it: ${life.condition}`);
  await has(life, expected, 'after the other one was deleted,');
  await goes(life, loser);
  await has(life, [], 'after both were deleted,');
}

/** Each gets its own, and takes its own away. */
async function separately(life: Life): Promise<void> {
  const told = (await bothSettled(life)).join(' | ');
  expect(!told.includes('Error'), `two workspaces with the same spec: ${told}`);
  const both = await life.remote();
  await goes(life, 'subject');
  const left = await life.remote();
  expect(
    left.length * 2 === both.length,
    `of ${listed(both)} there is ${listed(left)} left after one of two workspaces was deleted: half of it was expected`,
  );
  await goes(life, 'rival');
  await has(life, [], 'after both were deleted,');
}

/** Two workspaces with one spec. */
export const rivalsCase: Case = {
  name: 'rivals',
  title: 'gives two workspaces that want the same name what is theirs',
  lacks: lacking('sameName'),
  prove: (subject) =>
    Life.during(subject, async (life) => {
      for (const name of names) await life.create(subject.spec, { name });
      await (subject.sameName === 'exclusive' ? exclusively(subject, life) : separately(life));
    }),
};

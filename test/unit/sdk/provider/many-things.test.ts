import test from 'ava';
import { textOf } from '../../a-target-cluster.ts';
import { aKeeper, boxes, said, want } from './a-keeper.ts';

const named = <T>(count: number, value: T) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`b${index}`, value]));

/** Characters of all patches while that many things are created, changed and removed one by one, and all of them with the workspace. */
async function patched(count: number, identity: 'tag' | 'key') {
  const { stage, actor, party } = await aKeeper(identity);
  let sent = 0;
  stage.cluster.intercept((request, next) => {
    if (request.method === 'PATCH') sent += textOf(request).length;
    return next(request);
  });
  const during = async (work: () => Promise<unknown>): Promise<number> => {
    const before = sent;
    await work();
    await actor.walk();
    return sent - before;
  };
  const made = await during(() => stage.create(boxes(named(count, 1))));
  const there = [party.boxes.length, (await said(stage)).slice(0, 9)];
  const changed = await during(() => want(stage, named(count, 2)));
  const taken = await during(() => want(stage, named(count - 1, null)));
  await stage.delete();
  await actor.walk();
  return { made, changed, taken, there, left: party.boxes.length };
}

for (const identity of ['tag', 'key'] as const)
  test(`patches of many things grow as their number: ${identity}`, async (t) => {
    const [few, many] = [await patched(24, identity), await patched(96, identity)];
    t.deepEqual([many.there, many.left], [[96, 'Completed'], 0]);
    for (const work of ['made', 'changed', 'taken'] as const)
      t.true(many[work] < 6 * few[work], `${work}: ${few[work]} characters for 24, ${many[work]} for 96`);
    t.log(`96 things: ${many.made} characters made, ${many.changed} changed, ${many.taken} taken away`);
  });

import test from 'ava';
import fc from 'fast-check';
import { goRegExp } from '../cluster/schema/go-regexp.ts';
import { createTarget, send } from './fuzz.ts';
import { growthOf, mostGrowth } from './growth.ts';
import { hurtful, patternAndText } from './hurtful.ts';

for (const { what, size, requests } of hurtful)
  test.serial(`four times as much takes about four times as long: ${what}`, async (t) => {
    const target = await createTarget();
    const growth = await growthOf(async (count) => {
      const cluster = await target.fork();
      const all = requests(count);
      for (const request of all.slice(0, -1)) t.is((await send(cluster, request))?.status, 200);
      return async () => {
        const answer = await send(cluster, all.at(-1)!);
        t.true(answer !== undefined && answer.status < 500, answer?.text.slice(0, 500));
        await cluster.close();
      };
    }, size);
    t.true(growth <= mostGrowth, `${growth.toFixed(1)} times as long`);
    await target.close();
  });

test.serial('whatever the expression, a text four times as long takes about four times as long', async (t) => {
  const holds = fc.asyncProperty(patternAndText, async ([pattern, unit]) => {
    const expression = goRegExp(pattern)!;
    const growth = await growthOf(async (size) => {
      const text = `${unit.repeat(size)}!`;
      return () => expression.test(text);
    }, 20_000);
    return growth <= mostGrowth;
  });
  await t.notThrowsAsync(fc.assert(holds, { seed: 20_260_101, numRuns: 60 }));
});

test.serial('what takes time in the square of its size is seen', async (t) => {
  const growth = await growthOf(async (size) => {
    const items = Array.from({ length: size }, (_, index) => index);
    return () => items.filter((item) => items.lastIndexOf(item) < 0).length;
  }, 3000);
  t.true(growth > mostGrowth);
});

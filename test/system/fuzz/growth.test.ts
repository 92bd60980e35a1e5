import test from 'ava';
import fc from 'fast-check';
import { goRegExp } from '../../cluster/apimachinery/go/go-regexp.ts';
import { excessiveGrowth, workOn } from '../../unit/growth.ts';
import { createTarget, send } from './fuzz.ts';
import { hurtful, patternAndText } from './hurtful.ts';

for (const { what, size, requests } of hurtful)
  test.serial(`time grows as the size: ${what}`, async (t) => {
    const target = await createTarget();
    const growth = await excessiveGrowth(
      async (count) => {
        const cluster = await target.fork();
        const all = requests(count);
        for (const request of all.slice(0, -1)) t.is((await send(cluster, request))?.status, 200);
        return async () => {
          const answer = await send(cluster, all.at(-1)!);
          t.true(answer !== undefined && answer.status < 500, answer?.text.slice(0, 500));
          await cluster.close();
        };
      },
      { size, shares: 16 },
    );
    t.is(growth, undefined);
    await target.close();
  });

test.serial('whatever the expression, the time to match grows as the text', async (t) => {
  const holds = fc.asyncProperty(patternAndText, async ([pattern, unit]) => {
    const expression = goRegExp(pattern)!;
    const text = (size: number) => `${unit.repeat(size)}!`;
    const growth = await excessiveGrowth(
      workOn(text, (all) => expression.test(all)),
      { size: 80_000 },
    );
    t.is(growth, undefined, pattern);
  });
  await t.notThrowsAsync(fc.assert(holds, { seed: 20_260_101, numRuns: 60 }));
});

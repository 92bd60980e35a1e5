import test from 'ava';
import { expressions } from './expressions.ts';
import type { Answer } from './runner/ask.ts';
import { keptOf, keptScenarios } from './runner/kept.ts';
import { respondent } from './runner/run.ts';
import { startInProcess } from './runner/servers.ts';
import { summaryOf } from './runner/summary.ts';

const kept = keptOf('expressions');

test('every scenario that is kept is one that there is', (t) => {
  t.deepEqual(keptScenarios(expressions, kept).length, Object.keys(kept).length);
});

for (const scenario of keptScenarios(expressions, kept)) {
  test(`${scenario.name}: answered as kube-apiserver has answered`, async (t) => {
    const { peer, close } = await startInProcess(expressions);
    t.teardown(close);
    const answers: Answer[] = [];
    const ours = await respondent(peer, scenario);
    for (const step of scenario.steps) answers.push(await ours.answer(step));
    t.deepEqual(summaryOf(scenario, answers, expressions), kept[scenario.name], scenario.name);
  });
}

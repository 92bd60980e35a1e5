import test from 'ava';
import type { Answer } from './ask.ts';
import { keptOf, keptScenarios } from './kept.ts';
import { kinds } from './kinds.ts';
import { respondent } from './run.ts';
import { startInProcess } from './servers.ts';
import { summaryOf } from './summary.ts';

const kept = keptOf('kinds');
const scenarios = keptScenarios(kinds, kept);
const byKind = Object.groupBy(scenarios, ({ name }) => name.split(/[: ]/, 2).join(' '));

test('every scenario that is kept is one that there is', (t) => {
  t.deepEqual(scenarios.map(({ name }) => name).sort(), Object.keys(kept).sort());
});

for (const [kind, some = []] of Object.entries(byKind)) {
  test(`${kind} is answered as kube-apiserver has answered`, async (t) => {
    const { peer, close } = await startInProcess(kinds);
    t.teardown(close);
    for (const scenario of some) {
      const answers: Answer[] = [];
      const ours = await respondent(peer, scenario);
      for (const step of scenario.steps) answers.push(await ours.answer(step));
      t.deepEqual(summaryOf(scenario, answers, kinds), kept[scenario.name], scenario.name);
    }
  });
}

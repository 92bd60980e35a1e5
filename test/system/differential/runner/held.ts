import test from 'ava';
import type { Answer } from './ask.ts';
import { keptOf, keptScenarios } from './kept.ts';
import { respondent } from './run.ts';
import type { Family, Scenario } from './scenario.ts';
import { startInProcess } from './servers.ts';
import { summaryOf } from './summary.ts';

/** Declares tests that the in-process server gives the kept answers of a family; `topicOf` groups scenarios into tests. */
export function holdTo(name: string, family: Family, topicOf: (scenario: Scenario) => string): void {
  const kept = keptOf(name);
  const scenarios = keptScenarios(family, kept);

  test('every scenario that is kept is one that there is', (t) => {
    t.deepEqual(scenarios.map((one) => one.name).sort(), Object.keys(kept).sort());
  });

  for (const [topic, some = []] of Object.entries(Object.groupBy(scenarios, topicOf))) {
    test(`${topic} is answered as kube-apiserver has answered`, async (t) => {
      const { peer, close } = await startInProcess(family);
      t.teardown(close);
      for (const scenario of some) {
        const answers: Answer[] = [];
        const ours = await respondent(peer, scenario);
        for (const step of scenario.steps) answers.push(await ours.answer(step));
        t.deepEqual(summaryOf(scenario, answers, family), kept[scenario.name], scenario.name);
      }
    });
  }
}

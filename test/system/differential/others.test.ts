import test from 'ava';
import type { Answer } from './ask.ts';
import { families } from './families.ts';
import { keptOf, keptScenarios } from './kept.ts';
import { respondent } from './run.ts';
import { startOurs } from './servers.ts';
import { summaryOf } from './summary.ts';

for (const name of ['auth', 'controllers', 'webhooks', 'conversions', 'schemas', 'pages']) {
  test(`what is kept of ${name} is answered as kube-apiserver has answered`, async (t) => {
    t.timeout(60_000);
    const family = await families[name]!();
    const kept = keptOf(name);
    const scenarios = keptScenarios(family, kept);
    t.deepEqual(scenarios.map((one) => one.name).sort(), Object.keys(kept).sort());
    const { peer, close } = await startOurs(family);
    t.teardown(close);
    for (const scenario of scenarios) {
      const answers: Answer[] = [];
      const ours = await respondent(peer, scenario);
      for (const step of scenario.steps) answers.push(await ours.answer(step));
      t.deepEqual(summaryOf(scenario, answers, family), kept[scenario.name], scenario.name);
    }
  });
}

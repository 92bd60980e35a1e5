import test from 'ava';
import { families } from './families.ts';
import type { Answer } from './runner/ask.ts';
import { keptOf, keptScenarios } from './runner/kept.ts';
import { respondent } from './runner/run.ts';
import { startOurs } from './runner/servers.ts';
import { summaryOf } from './runner/summary.ts';

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

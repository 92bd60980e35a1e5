import test from 'ava';
import { definitions, machinery } from './machinery.ts';
import { keptOf, keptScenarios } from './runner/kept.ts';
import { reportOf } from './runner/report.ts';
import { respondent, run } from './runner/run.ts';
import type { Family, Scenario } from './runner/scenario.ts';
import { startOurs, startTheirs } from './runner/servers.ts';
import { isOneOf } from './runner/summary.ts';

/** One in this many of the kept scenarios is checked again; `main.ts` checks all. */
const share = 8;

const chosen: readonly (readonly [string, Family, () => readonly Scenario[]])[] = [
  ['machinery', machinery, () => keptScenarios(machinery, keptOf('machinery')).filter((one) => isOneOf(share, one))],
  ['definitions', definitions, () => [...definitions.fixed()]],
];

for (const [name, family, scenariosOf] of chosen) {
  test.serial(`the cluster in memory answers what kube-apiserver answers, whatever the kind: ${name}`, async (t) => {
    t.timeout(120_000);
    const [ours, theirs] = await Promise.all([startOurs(family), startTheirs(family)]);
    t.teardown(() => Promise.all([ours.close(), theirs.close()]));
    const scenarios = scenariosOf();
    const outcome = await run(scenarios, {
      ours: (scenario) => respondent(ours.peer, scenario),
      theirs: (scenario) => respondent(theirs.peer, scenario),
      manner: family,
    });
    t.is(outcome.scenarios, scenarios.length);
    t.deepEqual(outcome.findings, [], reportOf(outcome, 3));
  });
}

import test from 'ava';
import { definitions, machinery } from './machinery.ts';
import { respondent, run } from './run.ts';
import { startOurs, startTheirs } from './servers.ts';

test('the cluster in memory answers what kube-apiserver answers, whatever the kind', async (t) => {
  t.timeout(120_000);
  const [ours, theirs] = await Promise.all([startOurs({}), startTheirs({})]);
  t.teardown(async () => {
    await ours.close();
    await theirs.close();
  });
  for (const family of [machinery, definitions]) {
    const scenarios = [...family.fixed()];
    const outcome = await run(scenarios, {
      ours: (scenario) => respondent(ours.peer, scenario),
      theirs: (scenario) => respondent(theirs.peer, scenario),
      manner: family,
    });
    t.is(outcome.scenarios, scenarios.length);
    t.deepEqual(outcome.findings, []);
  }
});

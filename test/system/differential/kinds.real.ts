import test from 'ava';
import { kinds } from './kinds.ts';
import { keptOf, keptScenarios } from './runner/kept.ts';
import { reportOf } from './runner/report.ts';
import { respondent, run } from './runner/run.ts';
import { startOurs, startTheirs } from './runner/servers.ts';
import { isOneOf } from './runner/summary.ts';

/** One in this many of the kept scenarios is checked again; `main.ts` checks all. */
const share = 3;

test('built-in kinds are answered as kube-apiserver answers', async (t) => {
  const [ours, theirs] = await Promise.all([startOurs(kinds), startTheirs(kinds)]);
  t.teardown(() => Promise.all([ours.close(), theirs.close()]));
  const scenarios = keptScenarios(kinds, keptOf('kinds')).filter((one) => isOneOf(share, one));
  const outcome = await run(scenarios, {
    ours: (scenario) => respondent(ours.peer, scenario),
    theirs: (scenario) => respondent(theirs.peer, scenario),
    manner: kinds,
  });
  t.true(outcome.scenarios > 100);
  t.deepEqual(outcome.findings, [], reportOf(outcome, 3));
});

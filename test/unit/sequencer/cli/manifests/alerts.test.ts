import test from 'ava';
import { alerts } from '../../../../../sequencer/cli/manifests/alerts.ts';
import { faults, metricsWith } from './alert-faults.ts';
import { unknownIn } from './known-metrics.ts';

const rules = alerts('');

test('every alert has its own name, and says what to do', (t) => {
  t.is(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  for (const { alert, annotations } of rules) {
    t.regex(alert, /^Sequencer[A-Z]/);
    t.regex(annotations.summary, /^.{1,100}\.$/);
    t.true(annotations.description.length > 20, alert);
  }
});

test('every metric of an alert exists, with the labels that it asks for', (t) => {
  t.deepEqual(
    rules.flatMap(({ expr }) => unknownIn(expr)),
    [],
  );
  t.deepEqual(unknownIn('sum(no_such_metric{job="a"}) + workqueue_depth{shape="round"}'), [
    'no_such_metric',
    'workqueue_depth{shape}',
  ]);
});

/** Series that each fault has to leave, with the least value by which the alert's expression holds (a counter: one call). */
const wanted: Readonly<Record<string, readonly [series: RegExp, isBad: (value: number) => boolean]>> = {
  SequencerNoLeader: [/^leader_election_master_status\{/, (value) => value < 1],
  SequencerConditionUnknown: [/^workspace_conditions\{condition="Acme",status="Unknown"\}/, (value) => value > 0],
  SequencerConditionStuck: [
    /^workspace_condition_oldest_seconds\{condition="Acme",status="Error"\}/,
    (value) => value > 1800,
  ],
  SequencerCircuitOpen: [/^workspace_circuit_breakers\{integration="acme",state="open"\}/, (value) => value > 0],
  SequencerCallsFail: [
    /^workspace_external_calls_total\{integration="acme",operation="task",outcome="unknown"\}/,
    (value) => value > 0,
  ],
  SequencerWritesRefused: [/^workspace_refused_writes_total\{write="intent",code="4xx"\}/, (value) => value > 0],
  SequencerDrift: [/^workspace_drift_total\{integration="boxes"\}/, (value) => value > 10],
  SequencerQueueLong: [/^workqueue_depth\{/, (value) => value > 100],
  SequencerQueueStalled: [/^workqueue_stalled_seconds\{/, (value) => value > 120],
  SequencerWalkLong: [/^workqueue_longest_running_processor_seconds\{/, (value) => value > 600],
  SequencerApiServerFails: [/^rest_client_requests_total\{code="500"/, (value) => value > 0],
};

test('every alert has a fault that fires it', (t) => {
  const names = rules.map(({ alert }) => alert);
  t.deepEqual(Object.keys(faults), names);
  t.deepEqual(Object.keys(wanted), names);
});

for (const [alert, [series, isBad]] of Object.entries(wanted))
  test(`${alert}: its fault leaves the series that its expression needs`, async (t) => {
    const text = await metricsWith(alert);
    const line = text.split('\n').find((one) => series.test(one));
    t.truthy(
      line,
      `no ${series} in\n${text
        .split('\n')
        .filter((one) => !/^#|_bucket/.test(one))
        .join('\n')}`,
    );
    t.true(isBad(Number(line?.slice(line.lastIndexOf(' ') + 1))), line);
  });

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { stringify } from 'yaml';
import { dashboard } from '../../../.ci/dashboard.ts';
import { alerts } from '../../../sequencer/cli/manifests/alerts.ts';
import { metricsWith } from '../../unit/sequencer/cli/manifests/alert-faults.ts';
import { createScratch, programPath } from '../real/owned-process.ts';
import { run } from '../stories/programs.ts';

const promtool = programPath('promtool');
const declare = promtool === undefined ? test.skip : test.serial;
const series = 'job="sequencer",namespace="ops"';
const rules = alerts(series);

/** An alert that fires with these series, one value a minute, and what its texts then say. */
interface Firing {
  readonly input: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: string;
}

const firing: Readonly<Record<string, Firing>> = {
  SequencerNoLeader: { input: { 'leader_election_master_status{$}': '0x60' }, value: '0' },
  SequencerConditionUnknown: {
    input: { 'workspace_conditions{$,condition="DNS",status="Unknown"}': '2x60' },
    labels: { condition: 'DNS' },
    value: '2',
  },
  SequencerConditionStuck: {
    input: { 'workspace_condition_oldest_seconds{$,condition="DNS",status="Error"}': '0+60x60' },
    labels: { condition: 'DNS', status: 'Error' },
    value: '1h 0m 0s',
  },
  SequencerCircuitOpen: {
    input: { 'workspace_circuit_breakers{$,integration="acme",state="open"}': '1x60' },
    labels: { integration: 'acme' },
    value: '1',
  },
  SequencerCallsFail: {
    input: {
      'workspace_external_calls_total{$,integration="acme",operation="create",outcome="success"}': '0+1x60',
      'workspace_external_calls_total{$,integration="acme",operation="create",outcome="unknown"}': '0+3x60',
    },
    labels: { integration: 'acme' },
    value: '',
  },
  SequencerWritesRefused: {
    input: { 'workspace_refused_writes_total{$,write="intent",code="policy"}': '0+1x60' },
    labels: { write: 'intent', code: 'policy' },
    value: '',
  },
  SequencerDrift: {
    input: { 'workspace_drift_total{$,integration="acme"}': '0+1x60' },
    labels: { integration: 'acme' },
    value: '',
  },
  SequencerQueueLong: { input: { 'workqueue_depth{$,name="sequencer"}': '150x60' }, value: '150' },
  SequencerQueueStalled: { input: { 'workqueue_stalled_seconds{$}': '0+60x60' }, value: '' },
  SequencerWalkLong: { input: { 'workqueue_longest_running_processor_seconds{$}': '0+60x60' }, value: '' },
  SequencerApiServerFails: {
    input: {
      'rest_client_requests_total{$,code="200"}': '0+1x60',
      'rest_client_requests_total{$,code="<error>"}': '0+1x60',
    },
    value: '',
  },
};

/** Series of an operator that is well: one of two replicas leads, one call in ten is refused, nothing is stuck. */
const well = {
  'leader_election_master_status{$,pod="a"}': '1x60',
  'leader_election_master_status{$,pod="b"}': '0x60',
  'workspace_conditions{$,condition="DNS",status="Unknown"}': '0x60',
  'workspace_condition_oldest_seconds{$,condition="DNS",status="Locked"}': '5x60',
  'workspace_circuit_breakers{$,integration="acme",state="open"}': '0x60',
  'workspace_external_calls_total{$,integration="acme",operation="create",outcome="success"}': '0+9x60',
  'workspace_external_calls_total{$,integration="acme",operation="create",outcome="refused"}': '0+1x60',
  'workspace_refused_writes_total{$,write="intent",code="policy"}': '0x60',
  'workspace_drift_total{$,integration="acme"}': '0x60',
  'workqueue_depth{$}': '3x60',
  'workqueue_stalled_seconds{$}': '1x60',
  'workqueue_longest_running_processor_seconds{$}': '2x60',
  'rest_client_requests_total{$,code="200"}': '0+50x60',
};

const inputOf = (input: Readonly<Record<string, string>>) =>
  Object.entries(input).map(([name, values]) => ({ series: name.replace('{$', `{${series}`), values }));

/** Returns the text of an annotation with its labels and its value. */
const filled = (text: string, { labels = {}, value }: Firing): string =>
  text
    .replace(/\{\{ \$value[^}]*\}\}/g, value)
    .replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, label) => labels[label] ?? '');

declare('promtool finds the rules correct; each alert fires when it should, and none when all is well', async (t) => {
  t.deepEqual(
    Object.keys(firing),
    rules.map(({ alert }) => alert),
  );
  const { folder, remove } = createScratch('alerts');
  t.teardown(remove);
  const file = join(folder, 'rules.yaml');
  writeFileSync(file, stringify({ groups: [{ name: 'sequencer', rules }] }));
  const tests = [
    ...rules.map(({ alert, labels: { severity }, annotations: { summary, description } }) => {
      const about = firing[alert]!;
      const annotations = { summary: filled(summary, about), description: filled(description, about) };
      const exp = [{ exp_labels: { severity, ...about.labels }, exp_annotations: annotations }];
      const alert_rule_test = [{ eval_time: '60m', alertname: alert, exp_alerts: exp }];
      return { interval: '1m', name: alert, input_series: inputOf(about.input), alert_rule_test };
    }),
    {
      interval: '1m',
      name: 'well',
      input_series: inputOf(well),
      alert_rule_test: rules.map(({ alert }) => ({ eval_time: '60m', alertname: alert, exp_alerts: [] })),
    },
  ];
  writeFileSync(join(folder, 'tests.yaml'), stringify({ rule_files: ['rules.yaml'], tests }));
  const check = await run(promtool!, ['check', 'rules', file]);
  t.is(check.code, 0, check.stdout + check.stderr);
  const { code, stdout, stderr } = await run(promtool!, ['test', 'rules', 'tests.yaml'], { cwd: folder });
  t.is(code, 0, stdout + stderr);
});

/** Returns the series of a scrape: gauges stay as they are for an hour, counters grow by as much in each minute. */
function seriesOf(scrape: string): Readonly<Record<string, string>> {
  const types = new Map([...scrape.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]));
  return Object.fromEntries(
    [...scrape.matchAll(/^(\w+)(?:\{(.*)\})? ([\d.e+-]+)$/gm)].map(([, name, labels, value]) => {
      const isGauge = types.get(name) === 'gauge';
      return [`${name}{$${labels ? `,${labels}` : ''}}`, isGauge ? `${value}x60` : `0+${value}x60`];
    }),
  );
}

declare('each alert fires by what an operator with its fault serves at /metrics', async (t) => {
  const { folder, remove } = createScratch('faults');
  t.teardown(remove);
  const tests = [];
  for (const { alert } of rules) {
    const expr = `count(ALERTS{alertname="${alert}",alertstate="firing"}) > bool 0`;
    tests.push({
      ...{ interval: '1m', name: alert, input_series: inputOf(seriesOf(await metricsWith(alert))) },
      promql_expr_test: [{ expr, eval_time: '60m', exp_samples: [{ labels: '{}', value: 1 }] }],
    });
  }
  writeFileSync(join(folder, 'rules.yaml'), stringify({ groups: [{ name: 'sequencer', rules }] }));
  writeFileSync(join(folder, 'tests.yaml'), stringify({ rule_files: ['rules.yaml'], tests }));
  const { code, stdout, stderr } = await run(promtool!, ['test', 'rules', 'tests.yaml'], { cwd: folder });
  t.is(code, 0, stdout + stderr);
});

declare('promtool finds the expressions of the dashboard correct', async (t) => {
  const { folder, remove } = createScratch('dashboard');
  t.teardown(remove);
  const expressions = [...dashboard().matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(
    ([, text]) => JSON.parse(text!) as string,
  );
  t.true(expressions.length > 12);
  const recorded = expressions.map((expr, index) => ({ record: `dashboard:${index}`, expr: expr.replaceAll('$', '') }));
  const file = join(folder, 'dashboard.yaml');
  writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules: recorded }] }));
  const { code, stdout, stderr } = await run(promtool!, ['check', 'rules', '--lint=none', file]);
  t.is(code, 0, stdout + stderr);
});

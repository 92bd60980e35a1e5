import test from 'ava';
import { prometheusRule, serviceMonitor } from '../../../../../sequencer/cli/manifests/monitoring.ts';
import { operatorService } from '../../../../../sequencer/cli/manifests/network.ts';

const installed = { name: 'sequencer-blue', namespace: 'ops' };

test('the ServiceMonitor finds the Service and its port', (t) => {
  const { metadata, spec } = operatorService(installed, { ports: [], hasWebhook: false }) as unknown as {
    readonly metadata: { readonly labels: object };
    readonly spec: { readonly ports: readonly { readonly name: string }[] };
  };
  t.like(serviceMonitor(installed), {
    metadata: { namespace: 'ops' },
    spec: { selector: { matchLabels: metadata.labels }, endpoints: [{ port: spec.ports[0]!.name }] },
  });
});

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

function rulesOf(elects: boolean): readonly Rule[] {
  const { spec } = prometheusRule(installed, elects) as unknown as {
    readonly spec: { readonly groups: readonly [{ readonly rules: readonly Rule[] }] };
  };
  return spec.groups[0].rules;
}

test('the rules are about the series of this operator alone', (t) => {
  const rules = rulesOf(true);
  t.true(rules.length > 0);
  for (const { expr } of rules) t.true(expr.includes('{job="sequencer-blue",namespace="ops"'), expr);
});

test('of shards, each of which walks, no leader is missed', (t) => {
  const [electing, sharded] = [rulesOf(true), rulesOf(false)].map((rules) => rules.map(({ alert }) => alert));
  t.deepEqual(
    electing!.filter((alert) => !sharded!.includes(alert)),
    ['SequencerNoLeader'],
  );
});

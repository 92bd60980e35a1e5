import test from 'ava';
import { prometheusRule, serviceMonitor } from '../../../../sequencer/cli/manifests/monitoring.ts';
import { metricsService } from '../../../../sequencer/cli/manifests/network.ts';

const installed = { name: 'sequencer-blue', namespace: 'ops' };

test('the ServiceMonitor finds the Service and its port', (t) => {
  const { metadata, spec } = metricsService(installed) as unknown as {
    readonly metadata: { readonly labels: object };
    readonly spec: { readonly ports: readonly { readonly name: string }[] };
  };
  t.like(serviceMonitor(installed), {
    metadata: { namespace: 'ops' },
    spec: { selector: { matchLabels: metadata.labels }, endpoints: [{ port: spec.ports[0]!.name }] },
  });
});

test('the rules are about the series of this operator alone', (t) => {
  const { spec } = prometheusRule(installed) as unknown as {
    readonly spec: { readonly groups: readonly [{ readonly rules: readonly { readonly expr: string }[] }] };
  };
  t.true(spec.groups[0].rules.length > 0);
  for (const { expr } of spec.groups[0].rules) t.true(expr.includes('{job="sequencer-blue",namespace="ops"'), expr);
});

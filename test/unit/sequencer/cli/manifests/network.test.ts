import test from 'ava';
import { networkPolicy, operatorService } from '../../../../../sequencer/cli/manifests/network.ts';

const installed = { name: 'sequencer-blue', namespace: 'ops' };
const labels = { 'app.kubernetes.io/name': 'sequencer-blue' };

test('the Service leads to the metrics, the ports of runnables and the webhook of this operator alone', (t) => {
  t.like(operatorService(installed, { ports: [], hasWebhook: false }), {
    metadata: { labels },
    spec: { selector: labels, ports: [{ targetPort: 'metrics' }] },
  });
  t.like(operatorService(installed, { ports: [8090], hasWebhook: true }), {
    spec: {
      ports: [
        { targetPort: 'metrics' },
        { port: 8090, targetPort: 'port-8090' },
        { port: 443, targetPort: 'webhooks' },
      ],
    },
  });
});

test('pods of the cluster reach the metrics, anything the named ports, and nothing else is open', (t) => {
  const ingressOf = (ports: readonly number[]) =>
    (networkPolicy(installed, ports) as unknown as { spec: { ingress: object[]; podSelector: object } }).spec;
  const metrics = { from: [{ namespaceSelector: {} }], ports: [{ protocol: 'TCP', port: 'metrics' }] };
  t.like(ingressOf([]), { podSelector: { matchLabels: labels } });
  t.deepEqual(ingressOf([]).ingress, [metrics]);
  t.deepEqual(ingressOf([8090]).ingress, [metrics, { ports: [{ protocol: 'TCP', port: 8090 }] }]);
});

test('what it connects to is limited only where that is said', (t) => {
  t.like(networkPolicy(installed, []), { spec: { policyTypes: ['Ingress'] } });
  t.like(networkPolicy(installed, [], [{ to: [] }]), {
    spec: { policyTypes: ['Ingress', 'Egress'], egress: [{ to: [] }] },
  });
});

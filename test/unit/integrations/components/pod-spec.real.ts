import test from 'ava';
import { podSecurityLevels } from '../../../../integrations/components/pod-security-standards.ts';
import { podSpecOf } from '../../../../integrations/components/pod-spec.ts';
import { startRealServer } from '../../../system/real/server.ts';
import { careful, samplePods } from './fixtures/pods.ts';

const server = await startRealServer();
test.after.always('kube-apiserver stops', () => server.close());

const { api } = server;
test.before('namespaces that enforce each level', async () => {
  for (const level of podSecurityLevels) {
    const labels = { 'pod-security.kubernetes.io/enforce': level };
    await api.ask({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: level, labels } } });
  }
});

for (const { what, spec } of samplePods)
  test(`${what}: the PodSecurity admission of the server decides as we do`, async (t) => {
    for (const podSecurity of podSecurityLevels) {
      const ours = podSpecOf(spec, { podSecurity, serviceAccounts: ['default'] });
      const { status, body } = await api.ask({
        method: 'POST',
        path: `/api/v1/namespaces/${podSecurity}/pods?dryRun=All`,
        body: {
          metadata: { name: 'sample' },
          spec: ours.kind === 'value' ? ours.value : careful(spec),
        },
      });
      const { message = '' } = body as { readonly message?: string };
      t.is(status, ours.kind === 'value' ? 201 : 403, `${podSecurity}: ${message}`);
      if (ours.kind === 'mistake') t.regex(message, /violates PodSecurity/);
    }
  });

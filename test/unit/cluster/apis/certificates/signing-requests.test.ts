import test from 'ava';
import type { Fields } from '../../../../cluster/apimachinery/object.ts';
import { createCluster, createManualClock } from '../../../../cluster/index.ts';
import { aCertificateRequest } from '../../fixtures/a-certificate-request.ts';
import { askOf } from '../../fixtures/ask.ts';

const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const { request: pem } = aCertificateRequest({ name: 'jane' });
const now = '2026-01-01T00:00:00Z';
const approved = { type: 'Approved', status: 'True', reason: 'Fine', message: 'by hand' };

test('signing requests say who made them, and approvers change nothing but conditions', async (t) => {
  const cluster = await createCluster({ clock: createManualClock() });
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  const spec = { request: btoa(pem), signerName: 'example.com/signer', usages: ['client auth'] };
  const made = await ask(`POST ${path}`, { metadata: { name: 'jane' }, spec: { ...spec, username: 'somebody-else' } });
  t.is(made.status, 201);
  const own = { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
  t.deepEqual(made.body.spec, { ...spec, ...own });

  const decided = await ask(`PATCH ${path}/jane/approval`, {
    spec: { signerName: 'example.com/other' },
    status: { certificate: 'YQ==', conditions: [approved] },
  });
  t.is(decided.status, 200);
  t.deepEqual(decided.body.spec, made.body.spec);
  t.deepEqual(decided.body.status, { conditions: [{ ...approved, lastUpdateTime: now, lastTransitionTime: now }] });

  const { body } = await ask(`PATCH ${path}/jane`, { spec: { signerName: 'example.com/other' } });
  t.is((body.spec as Fields).signerName, 'example.com/signer');
});

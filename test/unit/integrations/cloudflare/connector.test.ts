import test from 'ava';
import { connectorOf, hasAll, tokenSecretName, waitingFor } from '../../../../integrations/cloudflare/connector.ts';
import { podSpecOf } from '../../../../integrations/components/pod-spec.ts';
import type { Deployment } from '../../../../sdk/index.ts';
import { aWorkspace } from '../../a-workspace.ts';

const settings = { image: 'cloudflared:1', replicas: 2, resources: { requests: { cpu: '10m' } } };
const workspace = aWorkspace();
const made = connectorOf(workspace, 'tunnel-1', settings);

test('the connector reads its token from the Secret, and never from the command line', (t) => {
  const container = made.spec?.template.spec?.containers[0];
  const secretKeyRef = { name: tokenSecretName(workspace), key: 'token' };
  t.deepEqual(container?.env, [{ name: 'TUNNEL_TOKEN', valueFrom: { secretKeyRef } }]);
  t.deepEqual(
    container?.args?.filter((arg) => arg.includes('token')),
    [],
  );
  t.like(made.spec, { replicas: 2, template: { metadata: { annotations: { 'tunnel.sequencer.io/id': 'tunnel-1' } } } });
});

test('its pods meet the standard restricted, and nothing has to be filled in', (t) => {
  const spec = { ...made.spec?.template.spec };
  const rules = { podSecurity: 'restricted', serviceAccounts: ['default'] } as const;
  t.like(podSpecOf(spec, rules), { value: spec });
});

test('a value has all that is wanted though the API server has added defaults', (t) => {
  t.true(hasAll({ a: [{ b: 1, c: 2 }], d: 3 }, { a: [{ b: 1 }] }));
  t.true(hasAll({ a: 1 }, { a: 1, limits: {} }));
  for (const there of [{ a: [{ b: 2 }] }, { a: [{ b: 1 }, { b: 1 }] }, { a: [] }, { a: { b: 1 } }, {}, null])
    t.false(hasAll(there, { a: [{ b: 1 }] }), JSON.stringify(there));
});

test('all replicas of the current template have to be connected, and what hinders them is reported', (t) => {
  const of = (status: Deployment['status']): string | undefined =>
    waitingFor({
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'c', generation: 2 } },
      spec: made.spec!,
      ...(status && { status }),
    });
  const all = { replicas: 2, updatedReplicas: 2, availableReplicas: 2 };
  t.is(of({ ...all, observedGeneration: 2 }), undefined);
  for (const status of [undefined, { ...all, observedGeneration: 1 }, { ...all, observedGeneration: 2, replicas: 3 }])
    t.is(of(status), 'waiting for the connector, Deployment c');
  const conditions = [{ type: 'ReplicaFailure', status: 'True', message: 'quota exceeded' }];
  t.is(of({ ...all, conditions }), 'waiting for the connector, Deployment c: quota exceeded');
});

import test from 'ava';
import { loadSeal, sealSecretName } from '../../../../../sdk/host/index.ts';
import { Namespace, Secret, UserError } from '../../../../../sdk/index.ts';
import { operatorNamespaceOf, requireOperatorSeal } from '../../../../../sequencer/cli/args/operator-key.ts';
import { aTargetCluster, refusing } from '../../../a-target-cluster.ts';

test('the namespace is the one that is named, else that of the kubeconfig, else default', (t) => {
  t.is(operatorNamespaceOf({ 'operator-namespace': 'ops' }, { namespace: 'team' }), 'ops');
  t.is(operatorNamespaceOf({}, { namespace: 'team' }), 'team');
  t.is(operatorNamespaceOf({}, {}), 'default');
});

test('the operator’s key signs; where it is not, none is made, and it is said where was looked and how to look elsewhere', async (t) => {
  const target = await aTargetCluster();
  const { client } = target;
  await client.create(Namespace, { metadata: { name: 'ops' } });
  const made = await loadSeal(client, 'ops');
  t.is((await requireOperatorSeal(client, 'ops', 'adopt')).sign('text'), made.sign('text'));
  const error = await t.throwsAsync<UserError>(requireOperatorSeal(client, 'default', 'adopt'), {
    instanceOf: UserError,
  });
  t.is(error?.code, 'E#3011');
  t.regex(error?.message ?? '', /^sequencer adopt: there is no Secret sequencer-seal in namespace "default"/);
  t.regex(error?.hint ?? '', /--operator-namespace NAME/);
  await t.throwsAsync(client.get(Secret, { namespace: 'default', name: sealSecretName }), { name: 'NotFoundError' });
  refusing(target, ({ url }) => url.includes('/secrets'), { code: 403, reason: 'Forbidden', message: 'no' });
  await t.throwsAsync(requireOperatorSeal(client, 'ops', 'adopt'), {
    code: 'E#3011',
    message: /no right to read the Secret/,
  });
});

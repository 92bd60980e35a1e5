import test from 'ava';
import { clusterFor } from '../../../../../sequencer/cli/args/cluster-options.ts';

test('what a cluster refuses is told of the command that asked for it', async (t) => {
  const cluster = await clusterFor('cluster', { serviceRange: '10.0.0.0/24' });
  await cluster.close();
  const refused = clusterFor('envtest', { serviceRange: 'none' });
  await t.throwsAsync(refused, { code: 'E#2001', message: /^sequencer envtest: serviceRange is "none"/ });
});

test('an option is reported by its name on the command line', async (t) => {
  const refused = clusterFor('cluster', { adminToken: 'a b' });
  await t.throwsAsync(refused, { code: 'E#2001', message: /^sequencer cluster: --token is of letters, digits/ });
});

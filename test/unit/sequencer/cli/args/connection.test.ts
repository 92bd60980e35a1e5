import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { connectionOf } from '../../../../../sequencer/cli/args/connection.ts';
import { aFolder } from '../../../a-folder.ts';

const kubeconfigYaml = `apiVersion: v1
kind: Config
current-context: one
clusters:
  - { name: c, cluster: { server: 'http://cluster.test:8080' } }
users:
  - { name: u, user: {} }
contexts:
  - { name: one, context: { cluster: c, user: u, namespace: first } }
  - { name: two, context: { cluster: c, user: u, namespace: second } }
`;

test('the kubeconfig that is named is taken, and of its contexts the one that is named', async (t) => {
  const kubeconfig = join(await aFolder(t), 'kubeconfig');
  await writeFile(kubeconfig, kubeconfigYaml);
  t.is((await connectionOf({ kubeconfig })).namespace, 'first');
  t.is((await connectionOf({ kubeconfig, context: 'two' })).namespace, 'second');
});

test('a kubeconfig that is not there is reported', async (t) => {
  const kubeconfig = join(await aFolder(t), 'none');
  await t.throwsAsync(connectionOf({ kubeconfig }), { message: /there is no such file/ });
});

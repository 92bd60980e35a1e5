import test from 'ava';
import { testIntegration } from '../../compliance/index.ts';
import { startKubelet } from '../../real/kubelet.ts';
import { startRealServer } from '../../real/server.ts';
import { subject } from './subject.ts';

const server = await startRealServer();
const kubelet = startKubelet(server.api);
test.after.always('kube-apiserver stops', async () => {
  await kubelet.stop();
  await server.close();
});

testIntegration(test.serial, {
  ...subject,
  time: 'real',
  kubeconfig: server.kubeconfigPath,
  cannot: { reports: 'proved in virtual time: what was refused is looked at again after half a minute' },
});

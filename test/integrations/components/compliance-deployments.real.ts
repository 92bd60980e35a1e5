import test from 'ava';
import { caseNames } from '../../compliance/case-names.ts';
import { testIntegration } from '../../compliance/index.ts';
import { startKubelet } from '../../real/kubelet.ts';
import { startRealServer } from '../../real/server.ts';
import { subjectWith } from './subject.ts';

const server = await startRealServer({ controllers: 'all' });
const kubelet = startKubelet(server.api);
test.after.always('kube-apiserver stops', async () => {
  await kubelet.stop();
  await server.close();
});

/** Cases in which Deployments differ from pods. */
const proved = ['completes', 'once', 'follows', 'cleans', 'marks', 'crash'];
const others = caseNames.filter((name) => !proved.includes(name));

testIntegration(test.serial, {
  ...subjectWith({ workload: 'Deployment', restartOnConfig: true }),
  time: 'real',
  kubeconfig: server.kubeconfigPath,
  cannot: Object.fromEntries(others.map((name) => [name, 'proved with pods, and in virtual time'])),
});

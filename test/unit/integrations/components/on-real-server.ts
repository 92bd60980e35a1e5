/** Runs compliance cases of components on a real API server. */

import test from 'ava';
import { type Subject, testIntegration } from '../../../compliance/index.ts';
import { type CaseName, caseNames } from '../../../compliance/subject/case-names.ts';
import { startKubelet } from '../../../system/real/kubelet.ts';
import { startRealServer } from '../../../system/real/server.ts';

/** Cases that take minutes each in real time. */
export const long: readonly CaseName[] = ['ambiguous', 'forged'];

/** Cases to run, with the place where the other ones are run. */
interface Proof {
  readonly proved: readonly CaseName[];
  readonly others: string;
  readonly controllers?: 'all';
}

/** Runs cases of a subject. */
export async function proveOnRealServer(subject: Subject, { proved, others, controllers }: Proof): Promise<void> {
  const server = await startRealServer({ ...(controllers && { controllers }) });
  const kubelet = startKubelet(server.api);
  test.after.always('kube-apiserver stops', async () => {
    await kubelet.stop();
    await server.close();
  });
  testIntegration(test.serial, {
    ...subject,
    time: 'real',
    kubeconfig: server.kubeconfigPath,
    cannot: {
      ...Object.fromEntries(caseNames.filter((name) => !proved.includes(name)).map((name) => [name, others])),
      reports: 'proved in virtual time: what was refused is looked at again after half a minute',
    },
  });
}

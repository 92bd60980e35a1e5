import { createCluster } from '../../../cluster/index.ts';
import { ownUsage } from '../harness/usage.ts';
import { answer, say } from './dialogue.ts';

/** The in-memory cluster over HTTPS; reports its usage after a garbage collection on request. */
const cluster = await createCluster();
const { url, kubeconfigYaml } = await cluster.listen();
say({ url, kubeconfigYaml: kubeconfigYaml() });
await answer(() => {
  globalThis.gc?.();
  return ownUsage();
});
await cluster.close();

import test from 'ava';
import type { ApiObject } from '../../../cluster/apimachinery/object.ts';
import { createCluster } from '../../../cluster/cluster.ts';
import { excessiveGrowth } from '../../growth.ts';
import { askOf } from '../fixtures/ask.ts';

const maps = '/api/v1/namespaces/default/configmaps';

/** Starts a cluster with an owner and its dependents, which a finalizer keeps, and returns the owner's deletion. */
async function anOwnerOf(dependents: number) {
  const cluster = await createCluster();
  const ask = askOf(cluster);
  const { body } = await ask(`POST ${maps}`, { metadata: { name: 'owner' } });
  const { uid } = (body as unknown as ApiObject).metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, blockOwnerDeletion: true }];
  for (let index = 0; index < dependents; index += 1) {
    const metadata = { name: `dependent-${index}`, ownerReferences, finalizers: ['example.test/kept'] };
    await ask(`POST ${maps}`, { metadata });
  }
  await cluster.settle();
  return async () => {
    await ask(`DELETE ${maps}/owner`, { propagationPolicy: 'Foreground' });
    await cluster.settle();
  };
}

test('the work of a foreground deletion grows with the dependents, not with their square', async (t) => {
  t.is(await excessiveGrowth(anOwnerOf, { size: 1600, shares: 16 }), undefined);
});

import test from 'ava';
import { apiVersionOf } from '../../../../sdk/api/kind.ts';
import * as kinds from '../../../../sdk/api/kinds.ts';
import { createCluster } from '../../../cluster/index.ts';

test('every kind named here is served where it says', async (t) => {
  const cluster = await createCluster();
  for (const kind of Object.values(kinds)) {
    const list = () => cluster.list({ apiVersion: apiVersionOf(kind), kind: kind.kind });
    t.notThrows(list, kind.kind);
  }
  await cluster.close();
});

import test from 'ava';
import type { Pod } from '../../../../cluster/controllers/pods/pod.ts';
import { scoreNodes } from '../../../../cluster/controllers/scheduler/score.ts';
import { excessiveGrowth, workOn } from '../../../growth.ts';

const nodesOf = (size: number) =>
  Array.from({ length: size }, (_, index) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: `node-${index}` } }));
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'it' }, spec: { containers: [] } } as Pod;

test('the work of scoring grows with the nodes, not with their square', async (t) => {
  const growth = await excessiveGrowth(
    workOn(nodesOf, (nodes) => {
      const snapshot = { pod, nodes, podsByNode: new Map(), labelsOf: () => ({}) };
      return nodes.map(scoreNodes(snapshot, nodes));
    }),
    { size: 12_800 },
  );
  t.is(growth, undefined);
});

import test from 'ava';
import { blockerOf, failureOf, isEvicted, isReady } from '../../../../integrations/components/readiness.ts';
import type { Pod } from '../../../../sdk/index.ts';

const aPod = (status: object): Pod =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'shop-db' }, status }) as unknown as Pod;
const waiting = (reason: string) => ({ name: 'db', state: { waiting: { reason } } });

test('a pod is ready when its condition says so, or when it has run to its end', (t) => {
  t.true(isReady(aPod({ phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] })));
  t.true(isReady(aPod({ phase: 'Succeeded', conditions: [{ type: 'Ready', status: 'False' }] })));
  t.false(isReady(aPod({ phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] })));
  t.false(isReady(aPod({})));
});

test('a pod that its node threw out is to be made anew, one that failed by itself is not', (t) => {
  t.true(isEvicted(aPod({ phase: 'Failed', reason: 'Evicted' })));
  const failed = aPod({ phase: 'Failed', containerStatuses: [{ name: 'db', state: { terminated: { exitCode: 3 } } }] });
  t.false(isEvicted(failed));
  t.is(failureOf(failed), 'pod shop-db has failed: container db exited with 3');
  t.is(failureOf(aPod({ phase: 'Failed', reason: 'Evicted' })), undefined);
  t.is(failureOf(aPod({ phase: 'Running' })), undefined);
});

test('what keeps a pod from starting is reported in its own words, what only takes time is not', (t) => {
  t.is(
    blockerOf(aPod({ containerStatuses: [waiting('ContainerCreating'), waiting('ImagePullBackOff')] })),
    'ImagePullBackOff',
  );
  t.is(blockerOf(aPod({ initContainerStatuses: [waiting('CrashLoopBackOff')] })), 'CrashLoopBackOff');
  t.is(
    blockerOf(aPod({ conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] })),
    'Unschedulable',
  );
  t.is(blockerOf(aPod({ containerStatuses: [waiting('PodInitializing')] })), undefined);
  t.is(blockerOf(aPod({})), undefined);
});

import test from 'ava';
import type { ApiObject } from '../../../../cluster/apimachinery/object.ts';
import type { Job } from '../../../../cluster/controllers/batch/job.ts';
import { type Pod, phaseOf } from '../../../../cluster/controllers/pods/pod.ts';
import { aTemplate, aWorkloadCluster } from '../../fixtures/a-workload-cluster.ts';

const job = (spec = {}) => ({
  metadata: { name: 'task' },
  spec: { template: aTemplate({}, { restartPolicy: 'Never' }), ...spec },
});
const endOf = (object: ApiObject) =>
  ((object as Job).status?.conditions ?? []).map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
const onExit = (action: string, ...values: number[]) => ({ action, onExitCodes: { operator: 'In', values } });
const failureCountOf = ({ metadata }: Pod): string | undefined =>
  metadata.annotations?.['batch.kubernetes.io/job-index-failure-count'];
const isHeld = ({ metadata }: Pod): boolean => metadata.finalizers !== undefined;

test('an exit code may end a Job at once', async (t) => {
  const { cluster, make, get, pods, told } = await aWorkloadCluster();
  await cluster.kubelet.fail('default/task-*', { exitCode: 42 });
  await make('jobs', job({ parallelism: 1, podFailurePolicy: { rules: [onExit('FailJob', 42)] } }));
  const message = `Container main for pod default/${pods()[0]?.metadata.name} failed with exit code 42 matching FailJob rule at index 0`;
  t.deepEqual(endOf(get('Job', 'task')), [
    `FailureTarget PodFailurePolicy: ${message}`,
    `Failed PodFailurePolicy: ${message}`,
  ]);
  t.like(get<Job>('Job', 'task').status, { failed: 1, uncountedTerminatedPods: {} });
  t.true(told().includes(`PodFailurePolicy: ${message}`));
  t.false(pods().some(isHeld));
});

test('failures that are ignored do not count', async (t) => {
  const { cluster, make, get, pods, pass } = await aWorkloadCluster();
  await cluster.kubelet.fail('default/task-*', { exitCode: 3, times: 2 });
  await make('jobs', job({ backoffLimit: 0, podFailurePolicy: { rules: [onExit('Ignore', 3)] } }));
  await pass(60_000);
  t.is(pods().length, 3);
  t.false(pods().some(isHeld));
  t.like(get<Job>('Job', 'task').status, { succeeded: 1, failed: undefined });
});

test('pods that are evicted may be told from those that fail', async (t) => {
  const { make, ask, get, pods, pass } = await aWorkloadCluster({ kubelet: { taskDelay: false } });
  const rule = { action: 'FailJob', onPodConditions: [{ type: 'DisruptionTarget' }] };
  await make('jobs', job({ podFailurePolicy: { rules: [rule] } }));
  const { name } = pods()[0]!.metadata;
  const condition = { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' };
  const status = { ...pods()[0]!.status, phase: 'Failed', conditions: [condition] };
  await ask(`PATCH /api/v1/namespaces/default/pods/${name}/status`, { status });
  await pass(1000);
  const message = `Pod default/${name} has condition DisruptionTarget matching FailJob rule at index 0`;
  t.is(endOf(get('Job', 'task')).at(-1), `Failed PodFailurePolicy: ${message}`);
});

test('each index may fail so often by itself', async (t) => {
  const { cluster, make, get, pods, pass } = await aWorkloadCluster();
  await cluster.kubelet.fail('default/task-1-*', { times: 10 });
  await make('jobs', job({ completionMode: 'Indexed', completions: 3, parallelism: 3, backoffLimitPerIndex: 1 }));
  const ofOne = () => pods().filter(({ metadata }) => metadata.name.startsWith('task-1-'));
  t.deepEqual(ofOne().map(isHeld), [true]);
  t.like(get<Job>('Job', 'task').status, { completedIndexes: '0,2', failedIndexes: '', failed: undefined });
  await pass(10_000);
  t.deepEqual(ofOne().map(failureCountOf).sort(), ['0', '1']);
  t.deepEqual(endOf(get('Job', 'task')), [
    'FailureTarget FailedIndexes: Job has failed indexes',
    'Failed FailedIndexes: Job has failed indexes',
  ]);
  t.like(get<Job>('Job', 'task').status, { completedIndexes: '0,2', failedIndexes: '1', failed: 2, succeeded: 2 });
  t.false(pods().some(isHeld));
});

test('too many failed indexes end a Job and stop the others', async (t) => {
  const { cluster, make, get, pods, pass } = await aWorkloadCluster({ kubelet: { taskDelay: 60_000 } });
  await cluster.kubelet.fail('default/task-0-*', { times: 10 });
  const limits = { backoffLimitPerIndex: 0, maxFailedIndexes: 0 };
  await make('jobs', job({ completionMode: 'Indexed', completions: 2, parallelism: 2, ...limits }));
  await pass(1000);
  t.is(
    endOf(get('Job', 'task')).at(-1),
    'Failed MaxFailedIndexesExceeded: Job has exceeded the specified maximal number of failed indexes',
  );
  t.like(get<Job>('Job', 'task').status, { failedIndexes: '0', failed: 2, active: undefined });
  t.is(pods().filter((pod) => phaseOf(pod) === 'Running').length, 0);
});

test('an exit code may give an index up', async (t) => {
  const { cluster, make, get, pass } = await aWorkloadCluster();
  await cluster.kubelet.fail('default/task-0-*', { exitCode: 9, times: 1 });
  const policy = { rules: [onExit('FailIndex', 9)] };
  const indexed = { completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimitPerIndex: 5 };
  await make('jobs', job({ ...indexed, podFailurePolicy: policy }));
  await pass(1000);
  t.like(get<Job>('Job', 'task').status, { failedIndexes: '0', completedIndexes: '1', failed: 1 });
});

test('a Job is done when its leader is, and the others are stopped without being counted', async (t) => {
  const { cluster, make, get, pods, told } = await aWorkloadCluster({ kubelet: { taskDelay: false } });
  const indexed = { completionMode: 'Indexed', completions: 3, parallelism: 3 };
  await make('jobs', job({ ...indexed, successPolicy: { rules: [{ succeededIndexes: '0' }] } }));
  await cluster.kubelet.complete('default/task-0-*');
  t.deepEqual(endOf(get('Job', 'task')), [
    'SuccessCriteriaMet SuccessPolicy: Matched rules at index 0',
    'Complete SuccessPolicy: Matched rules at index 0',
  ]);
  t.like(get<Job>('Job', 'task').status, { succeeded: 1, failed: undefined, active: undefined, terminating: 0 });
  t.is(pods().length, 1);
  t.true(told().includes('Completed: Job completed'));
});

test('a success policy may name two billion indexes', async (t) => {
  const { make, get } = await aWorkloadCluster();
  const most = 2 ** 31 - 1;
  const rules = [{ succeededIndexes: `0-${most - 1}`, succeededCount: 1 }];
  const { body } = await make(
    'jobs',
    job({ completionMode: 'Indexed', completions: most, parallelism: 1, successPolicy: { rules } }),
  );
  t.like(body, { kind: 'Job' });
  t.deepEqual(endOf(get('Job', 'task')), [
    'SuccessCriteriaMet SuccessPolicy: Matched rules at index 0',
    'Complete SuccessPolicy: Matched rules at index 0',
  ]);
});

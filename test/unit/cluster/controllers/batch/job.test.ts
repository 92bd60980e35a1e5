import test from 'ava';
import type { ApiObject } from '../../../../cluster/apimachinery/object.ts';
import type { Job } from '../../../../cluster/controllers/batch/job.ts';
import { isFinished, phaseOf } from '../../../../cluster/controllers/pods/pod.ts';
import { aTemplate, aWorkloadCluster } from '../../fixtures/a-workload-cluster.ts';

const job = (spec = {}) => ({
  metadata: { name: 'task' },
  spec: { template: aTemplate({}, { restartPolicy: 'Never' }), ...spec },
});
const conditionsOf = (object: ApiObject) =>
  ((object as Job).status?.conditions ?? [])
    .filter(({ status }) => status === 'True')
    .map(({ type, reason }) => `${type} ${reason}`);

test('a Job makes as many pods at once as it may, until enough have succeeded', async (t) => {
  const { make, get, pods, pass, told } = await aWorkloadCluster({ kubelet: { taskDelay: 5000 } });
  await make('jobs', job({ completions: 5, parallelism: 2 }));
  t.is(pods().length, 2);
  await pass(5000);
  t.is(pods().filter((pod) => !isFinished(pod)).length, 2);
  await pass(10_000);
  t.is(pods().length, 5);
  const done = get<Job>('Job', 'task');
  t.deepEqual(conditionsOf(done), ['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached']);
  t.like(done.status, { succeeded: 5, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
  t.truthy(done.status?.completionTime);
  t.true(pods().every(({ metadata }) => metadata.finalizers === undefined));
  t.true(told().includes('Completed: Job completed'));
});

test('failed pods are replaced after a back-off that doubles, until the limit is reached', async (t) => {
  const { cluster, make, get, pods, pass } = await aWorkloadCluster();
  await cluster.kubelet.fail('default/task-*', { times: 10 });
  await make('jobs', job({ backoffLimit: 2 }));
  t.is(pods().length, 1);
  await pass(10_000);
  t.is(pods().length, 2);
  await pass(10_000);
  t.is(pods().length, 2);
  await pass(11_000);
  t.is(pods().length, 3);
  const failed = get<Job>('Job', 'task');
  t.deepEqual(conditionsOf(failed), ['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded']);
  t.is(failed.status?.failed, 3);
});

test('pods that are restarted in place count by their restarts', async (t) => {
  const { cluster, make, get, pass } = await aWorkloadCluster();
  await cluster.kubelet.fail('default/task-*', { times: 10 });
  await make('jobs', job({ backoffLimit: 2, template: aTemplate({}, { restartPolicy: 'OnFailure' }) }));
  await pass(60_000);
  t.deepEqual(conditionsOf(get('Job', 'task')), ['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded']);
});

test('an indexed Job has each index done once', async (t) => {
  const { cluster, make, get, pods, pass } = await aWorkloadCluster();
  await cluster.kubelet.fail('default/task-1-*');
  await make('jobs', job({ completions: 3, parallelism: 3, completionMode: 'Indexed' }));
  t.is(get<Job>('Job', 'task').status?.completedIndexes, '0,2');
  await pass(10_000);
  t.like(get<Job>('Job', 'task').status, { completedIndexes: '0-2', succeeded: 3, failed: 1 });
  const last = pods().find((pod) => pod.metadata.name.startsWith('task-1-') && phaseOf(pod) === 'Succeeded')!;
  t.is(last.metadata.annotations?.['batch.kubernetes.io/job-completion-index'], '1');
  t.is(last.spec.hostname, 'task-1');
  t.like(last.spec.containers[0], { env: [{ name: 'JOB_COMPLETION_INDEX' }] });
});

test('a suspended Job has no pods until it is resumed', async (t) => {
  const { make, change, get, pods } = await aWorkloadCluster({ kubelet: { taskDelay: false } });
  await make('jobs', job());
  t.is(pods().length, 1);
  await change('jobs', 'task', { spec: { suspend: true } });
  t.is(pods().length, 0);
  t.deepEqual(conditionsOf(get('Job', 'task')), ['Suspended JobSuspended']);
  t.is(get<Job>('Job', 'task').status?.startTime, undefined);
  await change('jobs', 'task', { spec: { suspend: false } });
  t.is(pods().length, 1);
});

test('a Job that takes too long fails and stops its pods', async (t) => {
  const { make, get, pods, pass } = await aWorkloadCluster({ kubelet: { taskDelay: false } });
  await make('jobs', job({ activeDeadlineSeconds: 30 }));
  await pass(31_000);
  t.deepEqual(conditionsOf(get('Job', 'task')), ['FailureTarget DeadlineExceeded', 'Failed DeadlineExceeded']);
  t.is(pods().length, 0);
});

test('a Job goes some time after its end, with its pods', async (t) => {
  const { make, list, pods, pass } = await aWorkloadCluster();
  await make('jobs', job({ ttlSecondsAfterFinished: 100 }));
  await pass(99_000);
  t.is(list('Job').length, 1);
  await pass(2000);
  t.is(list('Job').length, 0);
  t.is(pods().length, 0);
});

test('pods of a Job that is deleted while they run are not held', async (t) => {
  const { make, remove, pods } = await aWorkloadCluster({ kubelet: { taskDelay: false } });
  await make('jobs', job());
  await remove('jobs', 'task', { propagationPolicy: 'Background' });
  t.is(pods().length, 0);
});

test('pods that only sleep run for as long', async (t) => {
  const { make, get, pods, pass } = await aWorkloadCluster();
  const sleeping = (...command: readonly string[]) => ({
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.test/main', command }] },
  });
  await make('jobs', job({ template: sleeping('sh', '-c', 'sleep 90') }));
  await make('jobs', { ...job({ template: sleeping('/bin/sleep', 'infinity') }), metadata: { name: 'endless' } });
  await make('jobs', { ...job({ template: sleeping('sh', '-c', 'sleep 5 && work') }), metadata: { name: 'other' } });
  t.is(get<Job>('Job', 'other').status?.succeeded, 1);
  await pass(89_000);
  t.is(pods().filter((pod) => !isFinished(pod)).length, 2);
  await pass(2000);
  t.is(get<Job>('Job', 'task').status?.succeeded, 1);
  await pass(1_000_000_000);
  t.is(get<Job>('Job', 'endless').status?.active, 1);
});

test('pods that only exit do so', async (t) => {
  const { make, get } = await aWorkloadCluster();
  const containers = [{ name: 'main', image: 'example.test/main', command: ['/bin/sh', '-c', 'exit 3'] }];
  await make('jobs', job({ backoffLimit: 0, template: { spec: { restartPolicy: 'Never', containers } } }));
  t.like(get<Job>('Job', 'task').status, { failed: 1 });
});

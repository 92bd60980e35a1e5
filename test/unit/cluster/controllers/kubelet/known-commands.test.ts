import test from 'ava';
import { aTemplate, aWorkloadCluster } from '../../fixtures/a-workload-cluster.ts';

const pod = (spec = {}, name = 'p') => ({
  metadata: { name, labels: { app: 'it' } },
  spec: (aTemplate({}, spec) as { spec: object }).spec,
});

test('a pod that is not restarted ends as its command says, if that is known', async (t) => {
  const world = await aWorkloadCluster();
  const named = (name: string, command: readonly string[], restartPolicy = 'Never') =>
    world.make(
      'pods',
      pod({ restartPolicy, containers: [{ name: 'main', image: 'example.test/busybox', command }] }, name),
    );
  await named('good', ['echo', 'hello']);
  await named('bad', ['sh', '-c', 'exit 3']);
  await named('slow', ['sleep', '5']);
  await named('unknown', ['serve', '--port=80']);
  await named('again', ['true'], 'Always');
  const phases = () => world.pods().map(({ metadata, status }) => `${metadata.name} ${status?.phase}`);
  t.deepEqual(phases(), ['again Running', 'bad Failed', 'good Succeeded', 'slow Running', 'unknown Running']);
  await world.pass(5000);
  t.true(phases().includes('slow Succeeded'));
});

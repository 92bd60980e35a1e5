import test from 'ava';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import type { Fields } from '../../../../cluster/apimachinery/object.ts';
import { createCluster } from '../../../../cluster/index.ts';
import { askOf } from '../../fixtures/ask.ts';

const pods = '/api/v1/namespaces/default/pods';
const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const phaseOf = ({ status }: Fields) => (status as { phase: string }).phase;

async function start(options = {}) {
  const cluster = await createCluster(options);
  const ask = askOf(cluster);
  await ask(`POST ${pods}`, pod);
  await cluster.settle();
  const read = async () => (await ask(`GET ${pods}/p`)).body;
  return { cluster, ask, read };
}

test('a pod runs at once and is ready, with an address', async (t) => {
  const { read } = await start();
  const body = await read();
  t.like(body, {
    spec: { nodeName: 'in-memory-node' },
    status: { phase: 'Running', containerStatuses: [{ ready: true }] },
  });
  const { conditions, podIP } = body.status as { conditions: { type: string; status: string }[]; podIP: string };
  t.is(conditions.find(({ type }) => type === 'Ready')?.status, 'True');
  t.regex(podIP, /^10\.244\.\d+\.\d+$/);
});

test("delays are the clock's", async (t) => {
  const clock = createManualClock();
  const { ask, read } = await start({ clock, kubelet: { pendingDelay: 100, readyDelay: 1000, stopDelay: 5000 } });
  t.like(await read(), { status: { phase: 'Pending' } });
  await clock.advance(500);
  t.like(await read(), { spec: { nodeName: 'in-memory-node' }, status: { phase: 'Pending' } });
  await clock.advance(600);
  t.is(phaseOf(await read()), 'Running');
  const { body } = await ask(`DELETE ${pods}/p`);
  t.is((body.metadata as { deletionGracePeriodSeconds: number }).deletionGracePeriodSeconds, 30);
  await clock.advance(4000);
  t.is((await ask(`GET ${pods}/p`)).status, 200);
  await clock.advance(1000);
  t.is((await ask(`GET ${pods}/p`)).status, 404);
});

test('a pod of the same name is another pod', async (t) => {
  const clock = createManualClock();
  const { ask, read } = await start({ clock, kubelet: { pendingDelay: 1000 } });
  await ask(`DELETE ${pods}/p`);
  await clock.advance(500);
  await ask(`POST ${pods}`, pod);
  await clock.advance(600);
  t.is(phaseOf(await read()), 'Pending');
  await clock.advance(400);
  t.is(phaseOf(await read()), 'Running');
});

test('switched off, pods stay as they were made', async (t) => {
  const { ask, read } = await start({ kubelet: false });
  t.is(phaseOf(await read()), 'Pending');
  await ask(`DELETE ${pods}/p`);
  t.is((await ask(`GET ${pods}/p`)).status, 404);
});

test('a claim waits for the pods that use it', async (t) => {
  const { cluster, ask } = await start();
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
  await ask(`POST ${claims}`, {
    metadata: { name: 'c' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }];
  await ask(`POST ${pods}`, { metadata: { name: 'user' }, spec: { ...pod.spec, volumes } });
  await ask(`DELETE ${claims}/c`);
  await cluster.settle();
  t.is((await ask(`GET ${claims}/c`)).status, 200);
  await ask(`DELETE ${pods}/user`);
  await cluster.settle();
  t.is((await ask(`GET ${claims}/c`)).status, 404);
});

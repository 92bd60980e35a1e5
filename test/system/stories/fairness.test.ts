import test from 'ava';
import { conditionOf, defineIntegration, type KubeObject, Namespace, Workspace } from '../../../sdk/index.ts';
import { createSequencer, type SequencerOptions } from '../../../sequencer/index.ts';
import { aTargetCluster } from '../../unit/a-target-cluster.ts';
import { until } from '../../unit/sdk/operator/controlled.ts';

const crowd = 400;
const workers = 10;

/** A sequencer whose third party answers on command; `turns` are its calls in their order. */
async function crowded(options: Partial<SequencerOptions> = {}) {
  const { client, clock } = await aTargetCluster();
  const turns: string[] = [];
  const answers: (() => void)[] = [];
  const slow = defineIntegration({
    name: 'boxes',
    condition: 'Boxes',
    handles: () => true,
    connect: ({ workspace, controller }) => ({
      async reconcile() {
        if (controller.condition.status === 'Completed') return;
        await controller.guard('making a box', async () => {
          turns.push(`${controller.namespace}/${workspace.metadata.name}`);
          await new Promise<void>((resolve) => answers.push(resolve));
          return { status: 'Completed', reason: 'made', refs: [{ id: workspace.metadata.uid ?? '' }] };
        });
      },
      async terminate() {
        await controller.guard('breaking it', async () => ({ status: 'Terminated', reason: 'gone', refs: [] }));
      },
    }),
  });
  const make = (namespace: string, name: string) =>
    client.create(Workspace, { metadata: { namespace, name, labels: { team: name.split('-')[0]! } }, spec: {} });
  for (const name of ['crowded', 'small']) await client.create(Namespace, { metadata: { name } });
  const stop = new AbortController();
  const sequencer = createSequencer({
    client,
    clock,
    workers,
    integrations: [slow],
    random: () => 0.5,
    events: { event: () => {} },
    ...options,
  });
  const start = () => {
    const running = sequencer.run(stop.signal);
    return async () => {
      stop.abort();
      for (const answer of answers) answer();
      await Promise.all([running, clock.advance(20_000)]);
    };
  };
  /** Has the third party answer the first of its open calls, and waits for what comes of it. */
  const answer = async () => {
    const before = turns.length;
    answers.shift()?.();
    await until(clock, () => turns.length > before);
  };
  return { client, clock, turns, make, start, answer };
}

test('400 slow workspaces of one namespace keep a single one of another waiting for one turn', async (t) => {
  const { client, clock, turns, make, start, answer } = await crowded();
  const stop = start();
  for (let i = 0; i < crowd; i += 1) await make('crowded', `crowd-${i}`);
  await until(clock, () => turns.length === workers);
  t.true(
    turns.every((turn) => turn.startsWith('crowded/')),
    'all workers are taken',
  );
  await make('small', 'single');
  await clock.advance(0);
  await answer();
  await answer();
  t.true(turns.slice(workers, workers + 2).includes('small/single'), turns.slice(workers).join());
  const { items } = await client.list(Workspace, { namespace: 'crowded' });
  const ready = items.filter((workspace) => conditionOf(workspace, 'Ready').status === 'True');
  t.true(ready.length <= 2, `${ready.length} of the crowd came first`);
  await stop();
});

test('a start with 401 workspaces begins with both namespaces', async (t) => {
  const { clock, turns, make, start } = await crowded();
  for (let i = 0; i < crowd; i += 1) await make('crowded', `crowd-${i}`);
  await make('small', 'single');
  const stop = start();
  await until(clock, () => turns.length === workers);
  t.true(turns.includes('small/single'), turns.join());
  await stop();
});

test('the tenant may be something else of a workspace than its namespace', async (t) => {
  const tenantBy = ({ metadata: { labels } }: KubeObject) => labels?.team ?? '';
  const { clock, turns, make, start } = await crowded({ tenantBy });
  for (let i = 0; i < 40; i += 1) await make('crowded', `crowd-${i}`);
  await make('crowded', 'single-0');
  const stop = start();
  await until(clock, () => turns.length === workers);
  t.true(turns.includes('crowded/single-0'), turns.join());
  await stop();
});

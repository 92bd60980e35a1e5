import test from 'ava';
import { conditionOf, defineIntegration, type KubeObject, Namespace, Workspace } from '../../../sdk/index.ts';
import { createSequencer, type SequencerOptions } from '../../../sequencer/index.ts';
import { aTargetCluster, refusing, textOf } from '../../unit/a-target-cluster.ts';
import { until } from '../../unit/sdk/operator/controlled.ts';

const crowd = 400;
const workers = 10;

/** A sequencer whose third party answers on command; `turns` are its calls in their order. */
async function crowded(options: Partial<SequencerOptions> = {}) {
  const stage = await aTargetCluster();
  const { client, clock } = stage;
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
  return { stage, client, clock, turns, answers, make, start, answer };
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

test('outcomes that the API server refuses keep no other workspace waiting for longer than a minute', async (t) => {
  const { stage, client, clock, turns, answers, make, start } = await crowded();
  const refusal = { code: 403, reason: 'Forbidden', message: 'not in this namespace' };
  const refused = refusing(
    stage,
    (request) => request.url.includes('/crowded/') && /"phase":"done"|\\"refs\\":\[\{/.test(textOf(request)),
    refusal,
  );
  const stop = start();
  for (let i = 0; i < workers; i += 1) await make('crowded', `crowd-${i}`);
  await until(clock, () => turns.length === workers);
  for (const answer of answers.splice(0)) answer();
  await make('small', 'single');
  await clock.advance(30_000);
  t.is(turns.length, workers, 'all workers try to write what came of their calls');
  await clock.advance(31_000);
  t.is(turns[workers], 'small/single');
  for (const answer of answers.splice(0)) answer();
  const isReady = async () => {
    await clock.advance(1_000);
    return conditionOf(await client.get(Workspace, { namespace: 'small', name: 'single' }), 'Ready').status;
  };
  t.is(await isReady(), 'True');
  t.true(refused.count > workers);
  refused.over = true;
  await clock.advance(120_000);
  const { items } = await client.list(Workspace, { namespace: 'crowded' });
  t.deepEqual([...new Set(items.map((workspace) => conditionOf(workspace, 'Ready').status))], ['True']);
  t.is(turns.length, workers + 1, 'nothing is made twice');
  await stop();
});

import test from 'ava';
import { pino } from 'pino';
import {
  aborted,
  type ConfiguredRunnable,
  createClient,
  type Integration,
  SecretRegistry,
  Workspace,
} from '../../../../../sdk/index.ts';
import { createRestartableSequencer } from '../../../../../sequencer/cli/reload/restartable-sequencer.ts';
import { aCluster } from '../a-terminal.ts';

const says = (reason: string): Integration => ({
  name: 'acme',
  condition: 'Acme',
  handles: () => true,
  connect: ({ controller }) => ({
    reconcile: () => controller.updateCondition('Completed', reason),
    terminate: () => controller.updateCondition('Terminated', reason),
  }),
});

test('a client is closed when its sequencer is refused, and when it comes too late', async (t) => {
  const { cluster, client } = await aCluster();
  const open = new Set<string>();
  const connect = () => {
    const own = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
    const name = `client ${open.size + 1}`;
    open.add(name);
    return { ...own, close: async () => void open.delete(name) };
  };
  const sequencer = createRestartableSequencer({
    connect,
    logger: pino({ level: 'silent' }),
    secrets: new SecretRegistry(),
    say: () => undefined,
  });
  await t.throwsAsync(async () => sequencer.start({ integrations: [says('a'), says('b')] }), { code: 'E#3001' });
  t.deepEqual([...open], []);
  await sequencer[Symbol.asyncDispose]();
  await sequencer.start({ integrations: [] });
  t.deepEqual([...open], []);
  await client.close();
  await cluster.close();
});

test('a second start continues with the same objects, by the new code', async (t) => {
  const { cluster, client } = await aCluster();
  const connect = () => createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const told: string[] = [];
  const logger = pino({ level: 'silent' });
  const sequencer = createRestartableSequencer({
    connect,
    logger,
    secrets: new SecretRegistry(),
    say: (...lines) => told.push(...lines),
  });
  t.deepEqual(sequencer.integrations, []);
  const events = client.watch(Workspace)[Symbol.asyncIterator]();
  const until = async (reason: string) => {
    for (;;) {
      const { value: event } = await events.next();
      if (event.type === 'BOOKMARK') continue;
      const { conditions = [] } = (event.object as Workspace).status ?? {};
      if (conditions.some((one) => one.reason === reason)) return;
    }
  };
  const [one, two] = [[says('one')], [says('two')]];
  await sequencer.start({ integrations: one });
  await client.create(Workspace, { metadata: { namespace: 'default', name: 'shop' }, spec: {} });
  await until('one');
  await sequencer.start({ integrations: two });
  await until('two');
  t.deepEqual(sequencer.integrations, two);
  await t.throwsAsync(async () => sequencer.start({ integrations: [says('a'), says('b')] }), { code: 'E#3001' });
  t.deepEqual(sequencer.integrations, two, 'what is refused changes nothing');
  t.false(sequencer.broken.aborted);
  await Promise.all([sequencer.start({ integrations: one }), sequencer[Symbol.asyncDispose]()]);
  t.deepEqual(sequencer.integrations, two, 'none is started once it is disposed');
  await events.return?.();
  t.deepEqual(told, []);
  await client.close();
  await cluster.close();
});

test('runnables run beside the sequencer, and end with it; one that ends by itself breaks the run', async (t) => {
  const { cluster, client } = await aCluster();
  const connect = () => createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const secrets = new SecretRegistry();
  const sequencer = createRestartableSequencer({ connect, logger: pino({ level: 'silent' }), secrets, say: () => {} });
  const seen: string[] = [];
  const runnable = (name: string, run: (signal: AbortSignal) => Promise<unknown>): ConfiguredRunnable => ({
    ...{ name, permissions: [], secrets: [`secret of ${name}`] },
    create: () => ({
      name,
      async run(signal) {
        seen.push(`${name} begins`);
        await run(signal);
        seen.push(`${name} ends`);
      },
    }),
  });
  await sequencer.start({ integrations: [], runnables: [runnable('one', aborted)] });
  await sequencer.start({ integrations: [], runnables: [runnable('two', async () => {})] });
  await aborted(sequencer.broken);
  t.deepEqual(seen, ['one begins', 'one ends', 'two begins', 'two ends']);
  t.is(secrets.redact('a secret of one'), 'a ***');
  await sequencer[Symbol.asyncDispose]();
  await client.close();
  await cluster.close();
});

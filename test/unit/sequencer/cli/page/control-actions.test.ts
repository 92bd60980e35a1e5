import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { createMemoryDnsProvider, memoryDns } from '../../../../../integrations/memory/dns.ts';
import {
  createClient,
  ensureCrds,
  loadConnection,
  SecretRegistry,
  systemClock,
  Workspace,
} from '../../../../../sdk/index.ts';
import { controlActions, walkerAgent } from '../../../../../sequencer/cli/page/control-actions.ts';
import { createRestartableSequencer } from '../../../../../sequencer/cli/reload/restartable-sequencer.ts';
import { createPageSource } from '../../../../../sequencer/page/page-source.ts';
import { createCluster } from '../../../../cluster/index.ts';
import { aFolder } from '../../../a-folder.ts';

const key = 'default/shop';
const spec = {
  networking: {
    dns: { zone: 'example.com' },
    ingress: { className: 'nginx', rules: [{ name: 'web', path: '/', component: 'web', network: 'http' }] },
  },
};

/** A sequencer on a cluster over HTTPS, whose connections can be cut, and the actions that break it. */
async function aStage(t: ExecutionContext) {
  const cluster = await createCluster();
  const listening = await cluster.listen();
  const kubeconfig = join(await aFolder(t, { config: listening.kubeconfigYaml() }), 'config');
  const connection = await loadConnection({ kubeconfig });
  const connect = (userAgent: string) => createClient({ connection, userAgent });
  const client = connect('test');
  await ensureCrds(client, [Workspace]);
  const said: string[] = [];
  const say = (line = '') => said.push(line);
  const sequencer = createRestartableSequencer({
    connect: () => connect(walkerAgent),
    logger: pino({ level: 'silent' }),
    secrets: new SecretRegistry(),
    times: { lease: 1000, maxRequest: 200 },
    say,
  });
  const source = createPageSource({ client, clock: systemClock, redact: (text) => text });
  const stop = new AbortController();
  const following = source.run(stop.signal);
  t.teardown(async () => {
    await sequencer[Symbol.asyncDispose]();
    stop.abort();
    await following;
    await client.close();
    await cluster.close();
  });
  const actions = controlActions({ cluster, client, sequencer, source, clock: systemClock, say });
  const until = (holds: () => boolean) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const mute = source.listen(() => {
      if (holds()) resolve();
    });
    if (holds()) resolve();
    return promise.finally(mute);
  };
  return { cluster, client, sequencer, source, actions, until, said };
}

test('a sequencer killed in a change, with a lost answer and a wiped status: published once in the end', async (t) => {
  const { cluster, client, sequencer, source, actions, until, said } = await aStage(t);
  const provider = createMemoryDnsProvider({ latency: 50 });
  const status = () => source.workspace(key)?.status;
  await sequencer.start({ integrations: [memoryDns({ provider })] });
  await actions['control/kill-in-change']!(undefined);
  await client.create(Workspace, { metadata: { name: 'shop', namespace: 'default' }, spec: spec as never });
  await until(() => sequencer.sequencer === undefined && status()?.guards?.DNS?.phase === 'intent');
  const killed = status()?.guards?.DNS?.holder;
  await until(() => status()?.phase === 'Healthy');
  t.not(status()?.guards?.DNS?.holder, killed, 'another one has taken over');
  t.deepEqual(said, ['killed      the sequencer; another one starts']);

  await t.throwsAsync(actions['control/wipe-status']!(undefined), { code: 'E#2001' });
  await actions['control/drop-answer']!(undefined);
  await actions['control/wipe-status']!(key);
  await until(() => status()?.phase !== 'Healthy');
  await until(() => status()?.phase === 'Healthy');
  t.is(cluster.faults.list()[0]?.hits, 1);
  await actions['control/fix']!(undefined);
  t.deepEqual(cluster.faults.list(), []);
  t.is(provider.records().length, 1);
  t.is(provider.changes().length, 1, 'the change was carried out once, by one process or the other');
});

import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { claimOf, createClient, Lease, loadConnection, NotFoundError, Workspace } from '../../../../../sdk/index.ts';
import { startCluster } from '../../../../../sequencer/cli/commands/cluster.ts';
import { aFolder } from '../../../a-folder.ts';
import { runToEnd, start } from '../a-terminal.ts';

const shop = { namespace: 'default', name: 'shop' };
const spec = {
  networking: {
    dns: { zone: 'example.com' },
    ingress: { rules: [{ name: 'web', path: '/', component: 'web', network: 'http' }], className: 'nginx' },
  },
};

async function aPlace(t: ExecutionContext) {
  const door = new URL('../../../../../integrations/memory/dns.ts', import.meta.url).href;
  const config = `import { memoryDns } from '${door}';\nexport const integrations = [memoryDns()];`;
  const folder = await aFolder(t, { 'sequencer.config.ts': config });
  const kubeconfig = join(folder, 'kubeconfig');
  const cluster = await startCluster({ kubeconfig });
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  return {
    folder,
    kubeconfig,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await cluster[Symbol.asyncDispose]();
    },
  };
}

for (const signal of ['SIGTERM', 'SIGHUP'] as const)
  test.serial(`an operator walks what is created, and ${signal} stops it with exit code 0`, async (t) => {
    await using place = await aPlace(t);
    const { client } = place;
    const command = start(['run', '--kubeconfig', place.kubeconfig], { cwd: place.folder });
    await command.printed(/"integrations":\["memory-dns \(DNS\)"\],"msg":"running"/);
    await client.create(Workspace, { metadata: shop, spec });
    for await (const event of client.watch(Workspace))
      if (event.type === 'MODIFIED' && event.object.status?.phase === 'Healthy') break;
    command.process.kill(signal);
    const { code, stdout, stderr } = await command.ended;
    t.deepEqual([code, stderr], [0, '']);
    t.regex(stdout, /"msg":"stopped"\}\n$/);
    for (const line of stdout.trimEnd().split('\n')) t.notThrows(() => JSON.parse(line), line);
  });

test.serial(
  'a promise of a plug-in that is rejected, and that nothing awaits, is logged; the operator goes on',
  async (t) => {
    await using place = await aPlace(t);
    const { client, folder } = place;
    const floating = `import { integrations as own } from './own.ts';
const floating = async () => { throw new Error('sent in vain'); };
export const integrations = own.map((one) => ({ ...one, connect: (...all) => { floating(); return one.connect(...all); } }));`;
    await rename(join(folder, 'sequencer.config.ts'), join(folder, 'own.ts'));
    await writeFile(join(folder, 'sequencer.config.ts'), floating);
    const command = start(['run', '--kubeconfig', place.kubeconfig], { cwd: folder });
    await command.printed(/"msg":"running"/);
    await client.create(Workspace, { metadata: shop, spec });
    for await (const event of client.watch(Workspace))
      if (event.type === 'MODIFIED' && event.object.status?.phase === 'Healthy') break;
    command.process.kill('SIGTERM');
    const { code, stdout } = await command.ended;
    t.is(code, 0);
    t.regex(
      stdout,
      /"level":50.*"message":"sent in vain".*"at":\["at floating .*sequencer\.config\.ts:2.*nothing awaits/,
    );
  },
);

for (const [how, args] of [
  ['told to stop', []],
  ['that fails', ['--workers', 'none']],
] as const)
  test.serial(`an operator ${how} ends, whatever its config holds open`, async (t) => {
    await using place = await aPlace(t);
    const config = join(place.folder, 'sequencer.config.ts');
    await writeFile(config, 'setInterval(() => {}, 1000);\nexport const integrations = [];');
    const command = start(['run', '--kubeconfig', place.kubeconfig, ...args], { cwd: place.folder });
    if (args.length === 0) {
      await command.printed(/"msg":"running"/);
      command.process.kill('SIGTERM');
    }
    const { code, stderr } = await command.ended;
    t.is(code, args.length === 0 ? 0 : 1);
    t.regex(stderr, /note: exited, although the config or a plug-in still has open resources: Timeout\n$/);
  });

test.serial('SIGTERM ends an operator whose config never comes to its end', async (t) => {
  await using place = await aPlace(t);
  const config = join(place.folder, 'sequencer.config.ts');
  await writeFile(config, 'console.log("loading");\nawait new Promise((done) => void setInterval(done, 2 ** 30));');
  const command = start(['run', '--kubeconfig', place.kubeconfig], { cwd: place.folder });
  await command.printed(/loading/);
  command.process.kill('SIGTERM');
  const { code, stdout } = await command.ended;
  t.is(code, 0);
  t.regex(stdout, /"msg":"stopped before the config was loaded"/);
});

test.serial('the claims of an integration that is gone from the config are given up with --orphan only', async (t) => {
  await using place = await aPlace(t);
  const { client } = place;
  const first = start(['run', '--kubeconfig', place.kubeconfig], { cwd: place.folder });
  await first.printed(/"msg":"running"/);
  await client.create(Workspace, { metadata: { ...shop, finalizers: [claimOf('acme')] }, spec: {} });
  await client.delete(Workspace, shop);
  t.deepEqual((await client.get(Workspace, shop)).metadata.finalizers, [claimOf('acme')]);
  first.process.kill('SIGTERM');
  t.is((await first.ended).code, 0);
  t.deepEqual((await client.get(Workspace, shop)).metadata.finalizers, [claimOf('acme')]);
  const orphaning = start(['run', '--orphan', 'acme', '--kubeconfig', place.kubeconfig], { cwd: place.folder });
  for await (const event of client.watch(Workspace)) if (event.type === 'DELETED') break;
  await t.throwsAsync(client.get(Workspace, shop), { instanceOf: NotFoundError });
  orphaning.process.kill('SIGTERM');
  t.is((await orphaning.ended).code, 0);
});

test.serial('a leader whose Lease is taken ends with the code of that, not as a defect', async (t) => {
  await using place = await aPlace(t);
  const { client } = place;
  const command = start(['run', '--leader-elect', '--kubeconfig', place.kubeconfig], { cwd: place.folder });
  await command.printed(/"msg":"running"/);
  const lease = { namespace: 'default', name: 'sequencer' };
  const renewTime = new Date().toISOString().replace('Z', '000Z');
  const spec = { holderIdentity: 'somebody else', renewTime };
  await client.patch(Lease, lease, { type: 'merge', value: { spec } });
  const { code, stderr } = await command.ended;
  t.is(code, 1);
  t.regex(stderr, /^error E#2060: the Lease default\/sequencer .*another replica may be the leader/);
});

test.serial('without a config, or with a number that is none, it says so', async (t) => {
  const cwd = await aFolder(t);
  const { code, stderr } = await runToEnd(['run'], { cwd });
  t.is(code, 1);
  t.regex(stderr, /^error E#2010: there is no sequencer\.config\.ts or sequencer\.config\.js in /);
  await writeFile(join(cwd, 'sequencer.config.ts'), 'export const integrations = [];');
  t.regex((await runToEnd(['run', '--workers', 'many'], { cwd })).stderr, /--workers needs a number from 1/);
  t.regex((await runToEnd(['run', '--metrics-port', '-1'], { cwd })).stderr, /--metrics-port needs a (value|port)/);
});

import test from 'ava';
import { createClient, Lease, loadConnection } from '../../../sdk/index.ts';
import { createScratch, startProcess } from '../real/owned-process.ts';
import { startRealServer } from '../real/server.ts';
import { until } from '../real/until.ts';
import { root, sequencerArguments, startClusterProgram } from './programs.ts';

const key = { namespace: 'default', name: 'sequencer' };
const servers = [
  { name: 'in-memory', start: startClusterProgram },
  { name: 'kube-apiserver', start: startRealServer },
] as const;

for (const { name, start } of servers)
  test.serial(
    `${name}: a standby takes over when the lease of a killed leader expires, and at once when it is told to stop`,
    async (t) => {
      t.timeout(300_000);
      const { kubeconfigPath, close } = await start();
      t.teardown(close);
      const client = createClient({ connection: await loadConnection({ kubeconfig: kubeconfigPath }) });
      t.teardown(() => client.close());
      const { folder, remove } = createScratch('take-over');
      t.teardown(remove);
      const replica = (number: number) => {
        const config = ['--config', `${root}/examples/sequencer.config.ts`, '--kubeconfig', kubeconfigPath];
        const args = sequencerArguments('run', '--leader-elect', ...config);
        return startProcess({ name: `replica-${number}`, command: process.execPath, args, folder });
      };
      const spec = async () => (await client.get(Lease, key).catch(() => undefined))?.spec;
      const isLed = async (before: string) => {
        const now = await spec();
        return now?.holderIdentity && now.holderIdentity !== before ? now : undefined;
      };
      const awaited = (before: string) => until(() => isLed(before), { message: () => 'no replica leads' });
      const replicas = [await replica(0)];
      let leader = await awaited('');
      for (const [number, signal] of (['SIGKILL', 'SIGTERM', 'SIGKILL', 'SIGTERM'] as const).entries()) {
        replicas.push(await replica(number + 1));
        await new Promise((resolve) => setTimeout(resolve, 5_000 + Math.random() * 2_000));
        const { renewTime } = (await spec())!;
        const told = Date.now();
        const ended = replicas[number]!;
        process.kill(ended.pid, signal);
        const next = await awaited(leader.holderIdentity!);
        const acquired = Date.parse(next.acquireTime!);
        t.log(
          `${signal}: ${acquired - told} ms after the signal, ${acquired - Date.parse(renewTime!)} ms after a renewal`,
        );
        if (signal === 'SIGKILL') t.true(acquired - Date.parse(renewTime!) >= 15_000, 'not before the lease is over');
        leader = next;
      }
      await replicas.at(-1)!.kill();
    },
  );

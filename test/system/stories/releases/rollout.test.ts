import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parseAllDocuments } from 'yaml';
import { bundle } from '../../../../.ci/bundle.ts';
import { findCondition, Lease, Workspace } from '../../../../sdk/index.ts';
import { createScratch } from '../../real/owned-process.ts';
import { until } from '../../real/until.ts';
import { root } from '../programs.ts';
import { connectTo } from '../sequencing.ts';
import { serversUnderTest } from '../servers.ts';

type StoryStart = ReturnType<typeof serversUnderTest>[number]['start'];

const key = { namespace: 'default', name: 'shop' };
const lease = { namespace: 'default', name: 'sequencer' };

interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly [{ readonly command: readonly string[]; readonly args: readonly string[] }];
}

/** Pod of the Deployment, as applied. */
const pod = parseAllDocuments(readFileSync(join(root, 'deploy/base/sequencer.yaml'), 'utf8'))
  .map(
    (document) =>
      document.toJS() as { readonly kind: string; readonly spec?: { readonly template: { readonly spec: PodSpec } } },
  )
  .find(({ kind }) => kind === 'Deployment')!.spec!.template.spec;

/** Config with a task that is interrupted by a rollout: it takes a second and a half and writes a file when it begins. */
const config = `
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineIntegration } from 'workspace-sequencer/sdk';
export const integrations = [defineIntegration({
  name: 'slow', condition: 'Slow', handles: () => true,
  connect: ({ controller }) => ({
    reconcile: () => controller.condition.status === 'Completed' ? undefined : controller.guard('making', async () => {
      writeFileSync('begun', '');
      await sleep(1500);
      return { status: 'Completed', reason: 'made' };
    }),
    terminate: () => controller.updateCondition('Terminated', 'gone'),
  }),
})];`;

/** Creates the working directory of the image: this package installed, and a config as a kubelet mounts a ConfigMap, by links. */
async function anImage(folder: string): Promise<void> {
  const installed = join(folder, 'node_modules/workspace-sequencer');
  mkdirSync(installed, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'), 'dir');
  writeFileSync(join(installed, 'package.json'), readFileSync(join(root, 'package.json')));
  await bundle({ entries: ['sequencer/cli/main.ts', 'sdk/index.ts'], folder: join(installed, 'dist') });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  mkdirSync(join(folder, 'config/..2026_01_01'), { recursive: true });
  writeFileSync(join(folder, 'config/..2026_01_01/sequencer.config.js'), config);
  symlinkSync('..2026_01_01', join(folder, 'config/..data'));
  symlinkSync('..data/sequencer.config.js', join(folder, 'config/sequencer.config.js'));
}

/** Starts the command of the Deployment, with further arguments, until its task has begun. */
async function aRunning(t: ExecutionContext, start: StoryStart, more: readonly string[]) {
  const { folder, remove } = createScratch('image');
  const server = await start();
  const client = await connectTo(server);
  t.teardown(async () => {
    await client.close();
    await server.close();
    remove();
  });
  await anImage(folder);
  const [{ command, args }] = pod.containers;
  const [program = '', ...given] = [...command, ...args.map((arg) => arg.replace('port=8080', 'port=0')), ...more];
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path, KUBECONFIG: server.kubeconfigPath };
  const child = spawn(program, given, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  t.teardown(() => child.kill('SIGKILL'));
  await client.create(Workspace, { metadata: key, spec: {} });
  await until(async () => existsSync(join(folder, 'begun')) || undefined, { message: () => 'not begun' });
  return {
    client,
    /** Ends it as a kubelet does, and returns its exit code, or the signal that killed it. */
    async end(graceSeconds: number) {
      child.kill('SIGTERM');
      const grace = setTimeout(() => child.kill('SIGKILL'), graceSeconds * 1000);
      const code = await ended;
      clearTimeout(grace);
      return code;
    },
  };
}

for (const { name, start } of serversUnderTest()) {
  test.serial(
    `${name}: the command of the Deployment, ended as a kubelet does, finishes what it does and lets its Lease go`,
    async (t) => {
      t.timeout(120_000);
      const { client, end } = await aRunning(t, start, []);
      t.is(await end(pod.terminationGracePeriodSeconds), 0);
      const { status } = await client.get(Workspace, key);
      t.is(findCondition(status?.conditions, 'Slow')?.status, 'Completed');
      t.is(status?.guards?.Slow?.phase, 'done');
      t.is((await client.get(Lease, lease)).spec?.holderIdentity, '');
    },
  );

  test.serial(
    `${name}: on a node that gives it less time, --drain lets the Lease go before it is killed`,
    async (t) => {
      t.timeout(120_000);
      const { client, end } = await aRunning(t, start, ['--drain', '100ms']);
      t.is(await end(5), 0, 'it is not killed');
      const { status } = await client.get(Workspace, key);
      t.is(status?.guards?.Slow?.phase, 'intent');
      t.is((await client.get(Lease, lease)).spec?.holderIdentity, '');
    },
  );
}

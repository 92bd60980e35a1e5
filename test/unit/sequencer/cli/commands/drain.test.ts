/** `sequencer drain` as a process: options, interruptions, and the operator’s key. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { claimOf, mirrorAnnotation, Workspace } from '../../../../../sdk/index.ts';
import { aCluster, runToEnd, start } from '../a-terminal.ts';

test('a time that is none is refused before anything is deleted', async (t) => {
  const { code, stderr } = await runToEnd(['drain', '--timeout', 'soon']);
  t.is(code, 1);
  t.regex(stderr, /E#2001: sequencer drain: --timeout/);
});

for (const walks of [false, true])
  test(`an interrupted drain ${walks ? 'with' : 'without'} a config says how many are left, and how it continues`, async (t) => {
    const { cluster, client } = await aCluster();
    t.teardown(() => cluster.close());
    t.teardown(() => client.close());
    const folder = await mkdtemp(join(tmpdir(), 'drain-'));
    t.teardown(() => rm(folder, { recursive: true }));
    const [kubeconfig, config] = [join(folder, 'kubeconfig'), join(folder, 'sequencer.config.mjs')];
    await writeFile(kubeconfig, (await cluster.listen()).kubeconfigYaml());
    await writeFile(config, 'export const integrations = [];');
    const metadata = { namespace: 'default', name: 'shop', finalizers: ['example.com/held'] };
    await client.create(Workspace, { metadata, spec: {} });
    const drain = start(['drain', '--kubeconfig', kubeconfig, ...(walks ? ['--config', config] : [])]);
    await drain.printed(/1 to delete/);
    drain.process.kill('SIGINT');
    const { code, stdout } = await drain.ended;
    t.is(code, 130);
    t.regex(stdout, walks ? /1 workspace is left; those .* wait for an operator/ : /1 workspace is left; the operator/);
    t.regex(stdout, /run the same command again/);
    const { stdout: again } = await runToEnd(['drain', '--kubeconfig', kubeconfig, '--timeout', '1s']);
    t.regex(again, /1 to delete/);
  });

test('a config that only opens types to tenants needs the key of the operator too: nothing is walked without it', async (t) => {
  const { cluster, client } = await aCluster();
  t.teardown(() => cluster.close());
  t.teardown(() => client.close());
  const folder = await mkdtemp(join(tmpdir(), 'drain-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const [kubeconfig, config] = [join(folder, 'kubeconfig'), join(folder, 'sequencer.config.mjs')];
  await writeFile(kubeconfig, (await cluster.listen()).kubeconfigYaml());
  const { href } = new URL('../../../../../', import.meta.url);
  await writeFile(
    config,
    `import { defineTenantIntegration } from '${href}sequencer/index.ts';
import * as z from '${href}node_modules/zod/index.js';
export const integrations = [];
export const tenantIntegrations = {
  relay: defineTenantIntegration({
    condition: 'Relay', handles: () => true, options: z.strictObject({}), secrets: [],
    create: () => { throw new Error('not called'); },
  }),
};`,
  );
  const annotations = { [mirrorAnnotation('Relay')]: '{"refs":[],"seal":"of.the operator"}' };
  const finalizers = [claimOf('relay.main.0123456789')];
  await client.create(Workspace, {
    metadata: { namespace: 'default', name: 'shop', annotations, finalizers },
    spec: {},
  });
  const { code, stderr } = await runToEnd(['drain', '--kubeconfig', kubeconfig, '--config', config, '--timeout', '2s']);
  t.is(code, 1);
  t.regex(stderr, /E#3011.*no Secret sequencer-seal in namespace "default"/);
});

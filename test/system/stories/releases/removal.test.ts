import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { sealSecretName } from '../../../../sdk/host/index.ts';
import {
  CustomResourceDefinitionKind,
  claimOf,
  ensureCrds,
  ignoreNotFound,
  Namespace,
  Secret,
  Workspace,
} from '../../../../sdk/index.ts';
import { freePorts } from '../../real/free-ports.ts';
import { createScratch } from '../../real/owned-process.ts';
import { until } from '../../real/until.ts';
import { root, run, sequencerArguments, startSequencerProgram } from '../programs.ts';
import { isReady } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';

const definition = { name: 'workspaces.se.quencer.io' };
const key = { namespace: 'default', name: 'shop' };
const config = 'examples/sequencer.config.ts';
const { spec } = parse(readFileSync(join(root, 'examples/workspace.yaml'), 'utf8')) as Workspace;
const { folder, remove } = createScratch('removal');
const empty = join(folder, 'empty.config.js');
writeFileSync(empty, 'export const integrations = [];');
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');

const servers = await startClientsUnderTest();
test.after.always('the folder goes', remove);

for (const server of servers) {
  const { name, client, kubeconfigPath, close } = server;
  test.after.always(`${name} stops`, close);

  const drain = (...args: readonly string[]) =>
    run(process.execPath, sequencerArguments('drain', '--kubeconfig', kubeconfigPath, '--timeout', '60s', ...args));
  const definitionGone = () =>
    until(
      async () =>
        (await ignoreNotFound(client.get(CustomResourceDefinitionKind, definition))) === undefined ? true : undefined,
      {
        message: () => 'the definition is still there',
      },
    );
  /** Leaves a reconciled workspace behind after its operator and its definition were removed: the wrong order of uninstalling. */
  const stuck = async (finalizers: readonly string[] = []): Promise<void> => {
    await ensureCrds(client, [Workspace]);
    const operator = await startSequencerProgram(kubeconfigPath, config);
    await client.create(Workspace, { metadata: { ...key, finalizers }, spec });
    const ready = async () => isReady(await client.get(Workspace, key)) || undefined;
    await until(ready, { message: () => 'not ready' });
    await operator.close();
    await client.delete(CustomResourceDefinitionKind, definition);
    const deleting = async () => (await client.get(Workspace, key)).metadata.deletionTimestamp;
    await until(deleting, { message: () => 'not being deleted' });
  };

  test.serial(
    `${name}: a definition that was deleted before its operator is brought to its end by drain`,
    async (t) => {
      t.timeout(180_000);
      await stuck();
      const { code, stdout, stderr } = await drain('--config', join(root, config));
      t.is(code, 0, stderr);
      t.regex(stdout, /default\/shop {2}gone, 0 left\nno workspace is left\n$/);
      await definitionGone();
    },
  );

  test.serial(`${name}: a drain that is interrupted says what is left, and is begun again`, async (t) => {
    t.timeout(180_000);
    const foreign = 'example.com/held';
    await stuck([foreign]);
    const args = sequencerArguments('drain', '--kubeconfig', kubeconfigPath, '--config', join(root, config));
    const interrupted = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    let stdout = '';
    interrupted.stdout.on('data', (chunk: Buffer) => {
      const isBegun = stdout.includes('1 to delete');
      stdout += chunk.toString();
      if (!isBegun && stdout.includes('1 to delete')) interrupted.kill('SIGTERM'); // a second one would kill it
    });
    const [code] = await once(interrupted, 'close');
    t.is(code, 130, stdout);
    t.regex(
      stdout,
      /interrupted: 1 workspace is left; those that are being deleted wait for an operator: run the same command again\n$/,
    );
    const { finalizers = [] } = (await client.get(Workspace, key)).metadata;
    const others = finalizers.filter((finalizer) => finalizer !== foreign);
    await client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: others } } });
    const again = await drain('--config', join(root, config));
    t.is(again.code, 0, again.stderr);
    t.regex(again.stdout, /no workspace is left\n$/);
    await definitionGone();
  });

  test.serial(`${name}: drain walks with the key of the operator’s namespace, and makes none elsewhere`, async (t) => {
    t.timeout(180_000);
    await stuck();
    const place = { name: sealSecretName, namespace: 'default' };
    const { data = {} } = await client.get(Secret, place);
    await client.create(Namespace, { metadata: { name: 'ops' } });
    await client.create(Secret, { metadata: { ...place, namespace: 'ops' }, data });
    await client.delete(Secret, place);
    const lost = await drain('--config', join(root, config));
    t.is(lost.code, 1);
    t.regex(lost.stderr, /E#3011.*no Secret sequencer-seal in namespace "default"[\s\S]*--operator-namespace NAME/);
    t.is(await ignoreNotFound(client.get(Secret, place)), undefined, 'no new one');
    t.truthy(await ignoreNotFound(client.get(Workspace, key)), 'nothing was walked');
    const { code, stdout, stderr } = await drain('--config', join(root, config), '--operator-namespace', 'ops');
    t.is(code, 0, stderr);
    t.regex(stdout, /no workspace is left\n$/);
    t.is(await ignoreNotFound(client.get(Secret, place)), undefined);
    await definitionGone();
  });

  test.serial(
    `${name}: claims of unregistered integrations are given up by drain --orphan with an empty config, and not without it`,
    async (t) => {
      t.timeout(180_000);
      await stuck();
      const without = await drain('--config', empty, '--timeout', '3s');
      t.is(without.code, 1);
      t.regex(without.stderr, /E#2033.*default\/shop {2}is claimed by .*memory-dns/s);
      const { code, stdout, stderr } = await drain('--config', empty, '--orphan');
      t.is(code, 0, stderr);
      t.regex(stdout, /no workspace is left\n$/);
      await definitionGone();
    },
  );

  test.serial(
    `${name}: a running operator ends what drain deletes; where nothing is served there is nothing to end`,
    async (t) => {
      t.timeout(180_000);
      t.is((await drain()).code, 0);
      await ensureCrds(client, [Workspace]);
      const operator = await startSequencerProgram(kubeconfigPath, config);
      await client.create(Workspace, { metadata: { ...key, finalizers: [] }, spec });
      const claimed = async () =>
        (await client.get(Workspace, key)).metadata.finalizers?.includes(claimOf('memory-dns')) || undefined;
      await until(claimed, { message: () => 'not claimed' });
      t.is((await drain()).code, 0);
      t.is((await client.list(Workspace)).items.length, 0);
      await operator.close();
    },
  );

  test.serial(
    `${name}: an operator whose definition is deleted says so at /readyz, leaves it alone, and continues once it is back`,
    async (t) => {
      t.timeout(180_000);
      await ensureCrds(client, [Workspace]);
      const [port] = (await freePorts(1)) as [number];
      const operator = await startSequencerProgram(kubeconfigPath, config, ['--health-port', String(port)]);
      const ready = async (wanted: RegExp) => {
        let found = '';
        const matches = async () => {
          const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
          found = `${answer.status} ${await answer.text()}`;
          return wanted.test(found) || undefined;
        };
        await until(matches, { message: () => found });
      };
      await ready(/^200/);
      await client.delete(CustomResourceDefinitionKind, definition);
      await ready(/^503[\s\S]*E#1017: workspaces\.se\.quencer\.io is no longer on the server/);
      await t.throwsAsync(client.get(CustomResourceDefinitionKind, definition), { name: 'NotFoundError' });
      await ensureCrds(client, [Workspace]);
      await ready(/^200/);
      await client.create(Workspace, { metadata: key, spec });
      const walked = async () => isReady(await client.get(Workspace, key)) || undefined;
      await until(walked, { message: () => 'not ready' });
      t.is((await drain()).code, 0);
      await operator.close();
    },
  );
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { blocksOf } from '../../project/docs/examples/blocks.ts';
import { binaryPath, realServerAvailable } from '../real/binaries.ts';
import { createScratch } from '../real/owned-process.ts';
import { root, run } from '../stories/programs.ts';
import { serversUnderTest } from '../stories/servers.ts';

const kubectl = binaryPath('kubectl');
const page = readFileSync(join(root, 'docs/runbooks.md'), 'utf8');

/** Command lines of kubectl in the runbooks, with the names of a workspace; no container runs here that has a log. */
const lines = [
  ...new Set(
    blocksOf(page)
      .flatMap(({ text }) => text.trim().split('\n'))
      .filter((line) => line.startsWith('kubectl ') && !/ logs /.test(line)),
  ),
].map((line) => line.replaceAll('NAMESPACE', 'default').replaceAll('NAME', 'shop'));

const workspace = `{apiVersion: se.quencer.io/v1alpha1, kind: Workspace, metadata: {namespace: default, name: shop}, spec: {}}`;

for (const { name, start } of serversUnderTest())
  (realServerAvailable() ? test.serial : test.skip)(
    `${name}: each command of the runbooks does what it says with what is installed`,
    async (t) => {
      t.timeout(300_000);
      const server = await start();
      const { folder, remove } = createScratch('runbooks');
      t.teardown(async () => {
        await server.close();
        remove();
      });
      const env = {
        HOME: folder,
        KUBECONFIG: server.kubeconfigPath,
        PATH: `${join(kubectl, '..')}:${process.env.PATH}`,
      };
      const shell = async (line: string): Promise<string> => {
        const { code, stdout, stderr } = await run('/bin/sh', ['-c', line], { env });
        t.is(code, 0, `${line}: ${stderr}`);
        return stdout + stderr;
      };
      await shell(`kubectl apply --server-side -k ${join(root, 'deploy/base')}`);
      await shell(`kubectl wait --for=condition=Established crd --all --timeout=60s`);
      await shell(`echo '${workspace}' | kubectl apply -f -`);
      t.true(lines.length > 12, `${lines.length}`);
      for (const line of lines) t.not(await shell(line), '', line);
      const read = (path: string) =>
        shell(`kubectl -n sequencer-system get deployment sequencer -o jsonpath='${path}'`);
      t.true((await read('{.spec.template.spec.containers[0].args}')).includes('"--workers=30"'));
      t.regex(await read('{.spec.template.metadata.annotations}'), /restartedAt/);
      const selectors = [...page.matchAll(/ logs -l (\S+)=(\S+) /g)].map(([, key, value]) => `${key}=${value}`);
      const { matchLabels } = JSON.parse(await read('{.spec.selector}')) as { matchLabels: Record<string, string> };
      for (const selector of selectors)
        t.true(
          Object.entries(matchLabels).some(([key, value]) => `${key}=${value}` === selector),
          selector,
        );
    },
  );

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { blocksOf } from '../../project/docs/examples/blocks.ts';
import { createScratch } from '../real/owned-process.ts';
import { root, run } from '../stories/programs.ts';
import { built } from './recipes.ts';
import { inMemory } from './servers.ts';

/** A program of docs/cluster/languages.md, with the module of the recipe that contains its libraries. */
interface Program {
  readonly module: string;
  readonly name: string;
  readonly text: string;
}

const programs: readonly Program[] = blocksOf(readFileSync(join(root, 'docs/cluster/languages.md'), 'utf8'))
  .filter(({ language }) => language === 'java')
  .map(({ words, text }) => ({ module: words[0] ?? '', name: /public class (\w+)/.exec(text)?.[1] ?? '', text }));

const folder = built('java');

(folder === undefined ? test.skip : test.serial)("the guide's programs in Java run as they are", async (t) => {
  const server = await inMemory.start();
  const scratch = createScratch('java');
  t.teardown(async () => {
    await server.close();
    scratch.remove();
  });
  copyFileSync(server.kubeconfigPath, join(scratch.folder, 'dev.kubeconfig'));
  const said: string[] = [];
  for (const { module, name, text } of programs) {
    writeFileSync(join(scratch.folder, `${name}.java`), text);
    const args = ['-cp', `${join(folder ?? '', module, 'lib')}/*`, `${name}.java`];
    const { code, stdout, stderr } = await run('java', args, { cwd: scratch.folder });
    t.is(code, 0, stderr);
    said.push(...stdout.trim().split('\n'));
  }
  t.deepEqual(said, ['from-fabric8 says hello', 'from-fabric8 says hello', 'from-official says hello']);
});

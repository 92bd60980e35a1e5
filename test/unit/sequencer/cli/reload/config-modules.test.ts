import { realpath, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { followConfig } from '../../../../../sequencer/cli/reload/config-modules.ts';
import { aFolder } from '../../../a-folder.ts';

const acme = (
  condition: string,
): string => `import { state } from './state.ts'; export const acme = { name: 'acme', condition: '${condition}' as string, after: [\`Seen\${(state.count += 1)}\`],
  handles: () => true, connect: () => ({ reconcile: async () => {}, terminate: async () => {} }) };`;

const files = {
  'package.json': '{"type":"module"}',
  'config.ts': "import { acme } from './acme.ts';\nexport const integrations = [acme];\n",
  'acme.ts': acme('One'),
  'state.ts': 'export const state = { count: 0 };\n',
};

async function aConfig(t: ExecutionContext, more: Readonly<Record<string, string>> = {}) {
  const folder = await realpath(await aFolder(t, { ...files, ...more }));
  const modules = followConfig(join(folder, 'config.ts'));
  t.teardown(() => modules[Symbol.dispose]());
  const change = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return modules.change([join(folder, name)]);
  };
  const seen = async () => (await modules.load()).integrations.map(({ condition, after }) => `${condition} ${after}`);
  return { folder, modules, change, seen };
}

test('changed modules are loaded anew; the others keep what they hold', async (t) => {
  const { modules, change, seen } = await aConfig(t);
  t.deepEqual(await seen(), ['One Seen1']);
  t.deepEqual(await seen(), ['One Seen1'], 'without a change nothing is loaded again');
  t.true(await change('acme.ts', acme('Two')));
  t.deepEqual(await seen(), ['Two Seen2']);
  t.true(await change('state.ts', 'export const state = { count: 40 };\n'));
  t.deepEqual(await seen(), ['Two Seen41']);
  t.deepEqual([...modules.files].map((path) => basename(path)).sort(), ['acme.ts', 'config.ts', 'state.ts']);
});

test('a module that does not parse is reported with its line, until it does', async (t) => {
  const { folder, change, seen } = await aConfig(t);
  await seen();
  await change('acme.ts', 'export const acme = {;\n');
  await t.throwsAsync(seen(), { code: 'E#2011', message: /config\.ts does not load: / });
  const error = await t.throwsAsync(seen());
  t.is((error as Error & { hint: string }).hint, `in ${join(folder, 'acme.ts')}:1`);
  await change('acme.ts', acme('Three'));
  t.deepEqual(await seen(), ['Three Seen2']);
});

test('a module that is missing is waited for', async (t) => {
  const { folder, change, seen, modules } = await aConfig(t);
  await seen();
  await rm(join(folder, 'acme.ts'));
  modules.change([join(folder, 'acme.ts')]);
  await t.throwsAsync(seen(), { code: 'E#2011', message: /Cannot find module/ });
  t.true(await change('acme.ts', acme('Back')));
  t.deepEqual(await seen(), ['Back Seen2']);
});

test('packages and this package are loaded once', async (t) => {
  const { modules, seen } = await aConfig(t, {
    'node_modules/dep/package.json': '{"type":"module","exports":"./index.js"}',
    'node_modules/dep/index.js': 'export const dep = 1;\n',
    'config.ts': `import { dep } from 'dep';
import { acme } from './acme.ts';
import { done } from '${new URL('../../../../../sdk/index.ts', import.meta.url).href}'; export const integrations = dep && done ? [acme] : [];\n`,
  });
  await seen();
  t.deepEqual([...modules.files].map((path) => basename(path)).sort(), ['acme.ts', 'config.ts', 'state.ts']);
});

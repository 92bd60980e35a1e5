import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { isProject, makePlugIn, makeProject } from '../../../../../sequencer/cli/scaffold/make.ts';
import { identities, models, type Scaffold } from '../../../../../sequencer/cli/scaffold/templates.ts';
import { aFolder } from '../../../a-folder.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../../../..');
const integration = (name: string, identity: keyof typeof identities): Scaffold => ({
  what: 'integration',
  name,
  identity,
});
const controller = (kind: string, model: keyof typeof models): Scaffold => ({
  what: 'controller',
  ...{ kind, group: 'acme.io', model },
});

/** A folder in which packages are found as if installed. */
async function aPlace(t: ExecutionContext, files?: Readonly<Record<string, string>>): Promise<string> {
  const folder = await aFolder(t, files);
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules/workspace-sequencer'));
  for (const name of ['@types', 'zod', 'undici-types'])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  return folder;
}

/** Runs Node in a project; rejects, with its output, when it fails. */
const node = (folder: string, ...args: readonly string[]) =>
  run(process.execPath, ['--conditions=source', ...args], { cwd: folder, timeout: 180_000, env: {} }).catch(
    ({ stdout, stderr }) => {
      throw new Error(`${stdout}${stderr}`);
    },
  );

test('every identity and every model makes a project that type-checks', async (t) => {
  t.timeout(200_000);
  const folder = await aPlace(t);
  for (const identity of Object.keys(identities) as (keyof typeof identities)[])
    await makeProject(integration(`my-${identity}`, identity), join(folder, identity));
  for (const model of Object.keys(models) as (keyof typeof models)[])
    await makeProject(controller(`My${model}`, model), join(folder, model));
  const { compilerOptions } = JSON.parse(readFileSync(join(folder, 'tag/tsconfig.json'), 'utf8'));
  const config = { ...compilerOptions, customConditions: ['source'], skipLibCheck: true };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: config, include: ['*/*.ts'], exclude: ['node_modules'] }),
  );
  await t.notThrowsAsync(node(folder, join(root, 'node_modules/typescript/bin/tsc'), '-p', folder));
});

test('the test of an integration passes as it is written', async (t) => {
  t.timeout(200_000);
  const folder = await aPlace(t);
  await makeProject(integration('acme-dns', 'tag'), folder);
  const { stdout } = await node(folder, '--test');
  t.regex(stdout, /fail 0\b/);
  t.regex(stdout, /pass 31\b/);
});

test('the test of each controller passes as it is written, and its demonstration shows a life', async (t) => {
  t.timeout(200_000);
  const folder = await aPlace(t);
  for (const model of Object.keys(models) as (keyof typeof models)[])
    await makeProject(controller('DnsZone', model), join(folder, model));
  const { stdout } = await node(folder, '--test');
  t.regex(stdout, /pass 5\b[\s\S]*fail 0\b/);
  const shown = await node(join(folder, 'stepper'), 'demo.ts');
  t.is(
    shown.stdout,
    'create   DnsZone hello\nadded    ConfigMap hello: hello\nedit     DnsZone hello\nmodified ConfigMap hello: good day\ndelete   DnsZone hello\ndeleted  ConfigMap hello: good day\n',
  );
});

test('a README and a .gitignore of a new clone stay as they are', async (t) => {
  const folder = await aFolder(t, { 'README.md': 'mine', '.gitignore': 'mine' });
  const lines = await makeProject(integration('acme-dns', 'tag'), folder);
  for (const name of ['README.md', '.gitignore']) t.is(readFileSync(join(folder, name), 'utf8'), 'mine');
  t.regex(readFileSync(join(folder, 'acme-dns.md'), 'utf8'), /^# acme-dns\n/);
  t.true(lines.some((line) => /^ {2}acme-dns\.md {2,}says where/.test(line)));
});

test('a plug-in is added to a project, with what to register', async (t) => {
  const folder = await aFolder(t, { 'package.json': '{"dependencies":{"workspace-sequencer":"^1"}}' });
  t.true(await isProject(folder));
  const lines = await makePlugIn(integration('acme-mail', 'key'), folder);
  t.true(lines.includes('  export const integrations = [acmeMail({ url, token })];'));
  const more = await makePlugIn(controller('DnsZone', 'crud'), folder);
  t.true(more.includes("  import { createDnsZoneController } from './dns-zone-controller.ts';"));
  t.false(readdirSync(folder).includes('tsconfig.json'));
  await t.throwsAsync(makePlugIn(integration('acme-mail', 'key'), folder), { code: 'E#2037' });
});

test('only a folder whose package.json depends on this package is a project', async (t) => {
  t.false(await isProject(await aFolder(t)));
  for (const text of ['{}', 'no JSON', 'null']) t.false(await isProject(await aFolder(t, { 'package.json': text })));
});

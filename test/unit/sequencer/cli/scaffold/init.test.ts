import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { aFolder } from '../../../a-folder.ts';
import { runToEnd } from '../a-terminal.ts';

test('without a terminal it asks nothing: an integration with the folder’s name', async (t) => {
  const cwd = join(await aFolder(t), 'Acme Mail');
  await mkdir(cwd);
  const { code, stdout, stderr } = await runToEnd(['init'], { cwd });
  t.deepEqual([code, stderr], [0, '']);
  t.regex(stdout, /^wrote into \.:\n {2}package\.json\n[\s\S]*\n {2}npm install\n {2}npm test/);
  t.regex(readFileSync(join(cwd, 'acme-mail.ts'), 'utf8'), /identity: 'tag'/);
});

test('options of a controller make one', async (t) => {
  const cwd = await aFolder(t);
  const { code } = await runToEnd(['init', 'zones', '--kind', 'DnsZone', '--model', 'crud', '-y'], { cwd });
  t.is(code, 0);
  t.true(existsSync(join(cwd, 'zones/dns-zone-reconciler.ts')));
});

const refused: readonly (readonly [title: string, args: readonly string[], message: RegExp])[] = [
  [
    'options of both',
    ['--identity', 'tag', '--model', 'crud'],
    /^error E#2001: .*--identity is of an integration.*\n {2}leave out/,
  ],
  ['a second folder', ['a', 'b'], /^error E#2001: .*one folder only; found b/],
  ['an unknown identity', ['--identity', 'tags'], /^error E#2001: .*--identity is one of tag, name, key, opaque/],
  ['a name that cannot be used', ['--name', 'A b'], /^error E#2038: .*found "A b"\n {2}did you mean a-b\?/],
];
for (const [title, args, message] of refused)
  test(`${title} is refused, and nothing is written`, async (t) => {
    const cwd = await aFolder(t);
    const { code, stderr } = await runToEnd(['init', ...args], { cwd });
    t.is(code, 1);
    t.regex(stderr, message);
    t.false(existsSync(join(cwd, 'package.json')));
  });

test('a project is not begun twice', async (t) => {
  const cwd = await aFolder(t);
  t.is((await runToEnd(['init'], { cwd })).code, 0);
  const { stderr } = await runToEnd(['init'], { cwd });
  t.is(
    stderr,
    'error E#2037: package.json exists: this is already a project; nothing was written\n  sequencer new integration NAME adds to it; sequencer init FOLDER creates another one\n',
  );
});

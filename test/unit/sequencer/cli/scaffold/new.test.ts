import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { aFolder } from '../../../a-folder.ts';
import { runToEnd } from '../a-terminal.ts';

test('outside of a project it makes one, and inside it adds to it', async (t) => {
  const cwd = await aFolder(t);
  t.is((await runToEnd(['new', 'integration', 'acme-dns', '--identity', 'name'], { cwd })).code, 0);
  const project = join(cwd, 'acme-dns');
  t.true(existsSync(join(project, 'package.json')));
  const { code, stdout } = await runToEnd(['new', 'controller', '--kind', 'DnsZone'], { cwd: project });
  t.is(code, 0);
  t.regex(stdout, /^wrote\n[\s\S]*\n {2}dns-zone\.md\n\nin your program\n/);
});

const refused: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [[], /^error E#2001: sequencer new: needs integration or controller; found ""\n {2}sequencer new integration NAME\n/],
  [['controler'], /found "controler"\n {2}did you mean controller\?\n/],
  [['integration', 'a', 'b'], /one name only; found b as well/],
  [['controller', 'website'], /a controller takes its name from its kind; found website\n/],
  [['integration', 'a', '--model', 'crud'], /--model is not an option of an integration\n/],
  [['controller', '--identity', 'tag'], /--identity is not an option of a controller\n/],
];
for (const [args, message] of refused)
  test(`sequencer new ${args.join(' ')} is refused`, async (t) => {
    const { code, stderr } = await runToEnd(['new', ...args], { cwd: await aFolder(t) });
    t.is(code, 1);
    t.regex(stderr, message);
  });

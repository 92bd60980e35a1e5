import { join } from 'node:path';
import test from 'ava';
import type { Invocation } from '../../../../../sequencer/cli/args/command.ts';
import { playWithRealServers, realArguments } from '../../../../../sequencer/cli/process/real-servers.ts';
import { aFolder } from '../../../a-folder.ts';

const invocation = (more: Partial<Invocation> = {}): Invocation => ({
  values: {},
  lists: {},
  flags: new Set(['real']),
  operands: [],
  ...more,
});

test('what means something to the example is passed on, and anything else is refused', (t) => {
  const flags = new Set(['real', 'once']);
  t.deepEqual(realArguments(invocation({ flags, values: { timeout: '90s' } })), ['--once', '--timeout', '90s']);
  const refused = (more: Partial<Invocation>, what: string) =>
    t.throws(() => realArguments(invocation(more)), {
      code: 'E#2001',
      message: `sequencer dev: ${what} has no meaning with --real`,
    });
  refused({ values: { config: 'a.ts' } }, '--config');
  refused({ flags: new Set(['real', 'control']) }, '--control');
  refused({ operands: ['my.yaml'] }, 'my.yaml');
});

test('outside of a checkout it says what is needed', async (t) => {
  const missing = playWithRealServers(invocation(), join(await aFolder(t), 'preview.ts'));
  t.like(await t.throwsAsync(missing), {
    code: 'E#2001',
    message: 'sequencer dev: --real needs a checkout of the repository',
  });
});

test('the exit code is that of the example', async (t) => {
  const folder = await aFolder(t, { 'preview.ts': "process.exitCode = process.argv.includes('--once') ? 3 : 4;" });
  t.is(await playWithRealServers(invocation({ flags: new Set(['real', 'once']) }), join(folder, 'preview.ts')), 3);
});

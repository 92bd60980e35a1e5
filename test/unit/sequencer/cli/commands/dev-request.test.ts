import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parseCommand } from '../../../../../sequencer/cli/args/command.ts';
import { dev } from '../../../../../sequencer/cli/commands/dev.ts';
import { readDevRequest } from '../../../../../sequencer/cli/commands/dev-request.ts';
import { aFolder } from '../../../a-folder.ts';

async function read(t: ExecutionContext, ...args: readonly string[]) {
  const folder = await aFolder(t, {
    'config.ts': 'export const integrations = [];',
    'a.yaml': 'apiVersion: se.quencer.io/v1alpha1\nkind: Workspace\nmetadata: { name: a }\nspec: {}\n',
  });
  const file = join(folder, 'a.yaml');
  return readDevRequest(parseCommand(dev, [...args, '--once', '--config', join(folder, 'config.ts'), file]));
}

test('a run that is over at once has no page, unless it is asked for', async (t) => {
  t.like(await read(t), { page: undefined, control: false, readyWithin: 300_000 });
  t.like(await read(t, '--page', '0', '--control'), { page: 0, control: true });
  await t.throwsAsync(read(t, '--page', 'x'), { code: 'E#2001', message: /--page needs a port/ });
});

test('only what is in memory can be broken', async (t) => {
  await t.throwsAsync(read(t, '--control', '--kubeconfig', 'a'), {
    code: 'E#2001',
    message: /--control is for the in-memory cluster/,
  });
});

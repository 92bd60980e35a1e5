/** The command `sequencer init`: creates a project. */

import { basename, join, resolve } from 'node:path';
import { UserError } from '../../../sdk/index.ts';
import type { Command, Invocation } from '../args/command.ts';
import { askController, askIntegration } from './ask-options.ts';
import { isProject, makeProject } from './make.ts';
import { labelOf } from './names.ts';
import type { Asker } from './prompts.ts';
import { askerFor, scaffoldOptions } from './scaffold-options.ts';
import type { Scaffold } from './templates.ts';

const plugIns = {
  integration: 'a third party outside of the cluster, for workspaces',
  controller: 'a kind of your own, and the objects that follow from it',
} as const;

/** Prompts for the first plug-in of the project, unless options imply it. */
async function askScaffold(asker: Asker, { values }: Invocation, folder: string): Promise<Scaffold> {
  const flags = { command: 'init', ...values };
  const ofController = ['kind', 'group', 'model'].some((option) => values[option] !== undefined);
  if (ofController && values.identity !== undefined)
    throw new UserError(
      'E#2001',
      'sequencer init: --identity is of an integration, --kind, --group and --model are of a controller',
      {
        hint: 'leave out the one or the other',
      },
    );
  if (ofController) return askController(asker, flags);
  if (values.identity !== undefined) return askIntegration(asker, flags, labelOf(basename(resolve(folder))));
  const what = await asker.ask({ text: 'First plug-in?', default: 'integration', choices: plugIns });
  return what === 'controller'
    ? askController(asker, flags)
    : askIntegration(asker, flags, labelOf(basename(resolve(folder))));
}

/** `sequencer init`. */
export const init: Command = {
  name: 'init',
  summary: 'create a project here: package.json, config, a plug-in that works, its test and its page',
  operands: '[FOLDER]',
  options: {
    name: { type: 'string', value: 'NAME', description: 'of an integration (default: the folder’s name)' },
    ...scaffoldOptions,
  },
  examples: [
    ['npx workspace-sequencer init', 'asks a few questions; Enter takes the default'],
    ['sequencer init my-plug-ins --name acme-dns --identity name --yes', 'asks nothing'],
    ['sequencer init --kind Website --model crud', 'a controller of a kind of your own'],
  ],
  async run(invocation) {
    const [folder = '.', ...more] = invocation.operands;
    if (more.length > 0) throw new UserError('E#2001', `sequencer init: one folder only; found ${more[0]} as well`);
    if (await isProject(folder))
      throw new UserError(
        'E#2037',
        `${join(folder, 'package.json')} exists: this is already a project; nothing was written`,
        {
          hint: 'sequencer new integration NAME adds to it; sequencer init FOLDER creates another one',
        },
      );
    using asker = askerFor(invocation);
    const lines = await makeProject(await askScaffold(asker, invocation, folder), folder);
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    return 0;
  },
};

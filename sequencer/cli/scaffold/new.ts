/** The command `sequencer new`: adds a plug-in to a project. */

import { suggestName } from '../../../sdk/host/index.ts';
import { UserError } from '../../../sdk/index.ts';
import type { Command, Invocation } from '../args/command.ts';
import { askController, askIntegration } from './ask-options.ts';
import { isProject, makePlugIn, makeProject } from './make.ts';
import type { Asker } from './prompts.ts';
import { askerFor, scaffoldOptions } from './scaffold-options.ts';
import { type Scaffold, stemOf } from './templates.ts';

const refuse = (what: string, hint: string): UserError => new UserError('E#2001', `sequencer new: ${what}`, { hint });

/** Options that belong to each of the two plug-ins. */
const optionsOf: Readonly<Record<string, readonly string[]>> = {
  integration: ['identity'],
  controller: ['kind', 'group', 'model'],
};

/** Reads the operands. @throws UserError E#2001 when they do not fit the plug-in */
function parseOperands({ values, operands }: Invocation): {
  readonly what: string;
  readonly name?: string | undefined;
} {
  const [what = '', name, ...more] = operands;
  if (!Object.hasOwn(optionsOf, what)) {
    const meant = what === '' ? undefined : suggestName(what, Object.keys(optionsOf));
    throw refuse(
      `needs integration or controller; found ${JSON.stringify(what)}`,
      meant === undefined ? 'sequencer new integration NAME' : `did you mean ${meant}?`,
    );
  }
  if (more.length > 0) throw refuse(`one name only; found ${more[0]} as well`, `sequencer new ${what} NAME`);
  if (what === 'controller' && name !== undefined)
    throw refuse(`a controller takes its name from its kind; found ${name}`, 'sequencer new controller --kind KIND');
  const others = what === 'integration' ? optionsOf.controller! : optionsOf.integration!;
  const stray = others.find((option) => values[option] !== undefined);
  if (stray !== undefined)
    throw refuse(`--${stray} is not an option of an ${what}`.replace('an c', 'a c'), 'sequencer new --help');
  return { what, name };
}

const askScaffold = (asker: Asker, invocation: Invocation): Promise<Scaffold> => {
  const { what, name } = parseOperands(invocation);
  const flags = { command: 'new', ...invocation.values, name };
  return what === 'integration' ? askIntegration(asker, flags) : askController(asker, flags);
};

/** `sequencer new`. */
export const newPlugIn: Command = {
  name: 'new',
  summary: 'write a plug-in that works: into the project of this folder, else with a project around it',
  operands: 'integration NAME | controller',
  options: scaffoldOptions,
  examples: [
    ['sequencer new integration acme-dns --identity name', 'a third party outside of the cluster'],
    ['sequencer new controller --kind Website --model crud', 'a kind of your own'],
  ],
  async run(invocation) {
    using asker = askerFor(invocation);
    const scaffold = await askScaffold(asker, invocation);
    const lines = (await isProject('.'))
      ? await makePlugIn(scaffold, '.')
      : await makeProject(scaffold, stemOf(scaffold));
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    return 0;
  },
};

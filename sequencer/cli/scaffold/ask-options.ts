/** Completes the options of a scaffold by prompts. */

import { mistakeInGroup, mistakeInKind, mistakeInName, refuseName } from './names.ts';
import type { Asker, Prompt } from './prompts.ts';
import { type ControllerScaffold, type IntegrationScaffold, identities, models, takenWords } from './templates.ts';

/** Values of the flags of the command line; missing ones are prompted for. */
export interface ScaffoldFlags {
  readonly command: string;
  readonly name?: string | undefined;
  readonly identity?: string | undefined;
  readonly kind?: string | undefined;
  readonly group?: string | undefined;
  readonly model?: string | undefined;
}

/** Returns a function that returns the value of a flag or prompts for it. It throws a UserError E#2038 for an invalid flag. */
const settling =
  (asker: Asker, command: string) =>
  async (flag: string | undefined, prompt: Prompt): Promise<string> => {
    if (flag === undefined) return asker.ask(prompt);
    refuseName(command, prompt.mistake?.(flag));
    return flag;
  };

/** Prompts for the options of an integration; `offered` is the default name, if it is valid. @throws UserError E#2038 */
export async function askIntegration(
  asker: Asker,
  { command, name, identity }: ScaffoldFlags,
  offered = '',
): Promise<IntegrationScaffold> {
  const taken = await takenWords({ what: 'integration', name: 'acme-box', identity: 'tag' });
  const settled = settling(asker, command);
  const mistake = (answer: string) => mistakeInName(answer, taken);
  const named = await settled(name, {
    text: 'Name of the integration?',
    default: mistake(offered) === undefined ? offered : 'acme-dns',
    mistake,
  });
  const identified = await settled(identity, {
    text: 'How is a creation found again at the third party, when its answer was lost?',
    default: 'tag',
    choices: identities,
  });
  return { what: 'integration', name: named, identity: identified as keyof typeof identities };
}

/** Prompts for the options of a controller. @throws UserError E#2038 */
export async function askController(
  asker: Asker,
  { command, kind, group, model }: ScaffoldFlags,
): Promise<ControllerScaffold> {
  const taken = await takenWords({ what: 'controller', kind: 'Website', group: 'example.com', model: 'function' });
  const settled = settling(asker, command);
  const settledKind = await settled(kind, {
    text: 'Kind of its objects?',
    default: 'Website',
    mistake: (answer) => mistakeInKind(answer, taken),
  });
  const settledGroup = await settled(group, {
    text: 'API group of the kind?',
    default: 'example.com',
    mistake: mistakeInGroup,
  });
  const settledModel = await settled(model, {
    text: 'Model of its reconciler?',
    default: 'function',
    choices: models,
  });
  return { what: 'controller', kind: settledKind, group: settledGroup, model: settledModel as keyof typeof models };
}

/** Completes the options of a scaffold by prompts. */

import { mistakeInGroup, mistakeInKind, mistakeInName, refuseName } from './names.ts';
import type { Asker, Prompt } from './prompts.ts';
import { type ControllerScaffold, type IntegrationScaffold, identities, models, reservedNames } from './templates.ts';

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
const createAnswerer =
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
  suggestedName = '',
): Promise<IntegrationScaffold> {
  const taken = await reservedNames({ what: 'integration', name: 'acme-box', identity: 'tag' });
  const answerTo = createAnswerer(asker, command);
  const mistake = (answer: string) => mistakeInName(answer, taken);
  const chosenName = await answerTo(name, {
    text: 'Name of the integration?',
    default: mistake(suggestedName) === undefined ? suggestedName : 'acme-dns',
    mistake,
  });
  const chosenIdentity = await answerTo(identity, {
    text: 'How is a created object found again, after its response was lost?',
    default: 'tag',
    choices: identities,
  });
  return { what: 'integration', name: chosenName, identity: chosenIdentity as keyof typeof identities };
}

/** Prompts for the options of a controller. @throws UserError E#2038 */
export async function askController(
  asker: Asker,
  { command, kind, group, model }: ScaffoldFlags,
): Promise<ControllerScaffold> {
  const taken = await reservedNames({ what: 'controller', kind: 'Website', group: 'example.com', model: 'function' });
  const answerTo = createAnswerer(asker, command);
  const chosenKind = await answerTo(kind, {
    text: 'Kind of its objects?',
    default: 'Website',
    mistake: (answer) => mistakeInKind(answer, taken),
  });
  const chosenGroup = await answerTo(group, {
    text: 'API group of the kind?',
    default: 'example.com',
    mistake: mistakeInGroup,
  });
  const chosenModel = await answerTo(model, {
    text: 'Model of its reconciler?',
    default: 'function',
    choices: models,
  });
  return { what: 'controller', kind: chosenKind, group: chosenGroup, model: chosenModel as keyof typeof models };
}

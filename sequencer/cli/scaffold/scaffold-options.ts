/** Options of the commands that write scaffolds. */

import type { Command, Invocation } from '../args/command.ts';
import { commonOptions } from '../args/command.ts';
import { type Asker, createAsker, withoutQuestions } from './prompts.ts';
import { identities, models } from './templates.ts';

/** Options of `sequencer init` and `sequencer new`. */
export const scaffoldOptions = {
  identity: {
    type: 'string',
    value: 'WAY',
    description: `of an integration: how a creation is found again: ${Object.keys(identities).join(', ')} (default: tag)`,
    choices: Object.keys(identities),
  },
  kind: { type: 'string', value: 'KIND', description: 'of a controller: the kind of its objects (default: Website)' },
  group: {
    type: 'string',
    value: 'GROUP',
    description: 'of a controller: the API group of the kind (default: example.com)',
  },
  model: {
    type: 'string',
    value: 'MODEL',
    description: `of a controller: ${Object.keys(models).join(', ')} (default: function)`,
    choices: Object.keys(models),
  },
  yes: { type: 'boolean', short: 'y', description: 'use the defaults without prompts, as without a terminal' },
  help: commonOptions.help,
} as const satisfies Command['options'];

/** Returns an asker for the terminal, or one with defaults without a terminal or with `--yes`. */
export const askerFor = ({ flags }: Invocation): Asker =>
  flags.has('yes') || !process.stdin.isTTY || !process.stdout.isTTY
    ? withoutQuestions
    : createAsker(process.stdin, process.stdout);

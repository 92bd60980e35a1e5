/** Option for the labels of workspaces. */

import { unreadableRequirement } from '../../admission/label-selector.ts';
import { type Option, refuse } from './command.ts';

/** Option that selects workspaces by their labels. */
export const selectorOption = {
  type: 'string',
  value: 'LABELS',
  description: 'only workspaces with these labels, such as team=a or tier in (gold, silver) (default: all)',
} as const satisfies Option;

/** Checks a label selector; undefined without one. @throws UserError E#2001 for one that cannot be read */
export function labelSelectorFrom(command: string, text: string | undefined): string | undefined {
  const unreadable = unreadableRequirement(text ?? '');
  if (unreadable === undefined) return text;
  throw refuse(command, `--selector needs labels, such as team=a or tier in (gold, silver); found "${unreadable}"`);
}

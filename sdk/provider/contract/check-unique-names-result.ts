/** Names that one workspace alone should have, as an integration's `uniqueNames` returns them. */

import { claimOf, type Workspace } from '../../api/workspace.ts';
import { messageOf } from '../../thrown.ts';
import { describeValue } from '../describe-value.ts';
import { ignoreRejection, mistakeInText, runCheck, throwIfMistake } from '../value-mistakes.ts';
import type { Integration } from './integration.ts';

/** Longest name in characters, and most names of one integration for one workspace. */
export const maxUniqueNames = { characters: 1024, names: 256 };

function mistakeInNames(names: unknown): string | undefined {
  if (!Array.isArray(names)) return `must return an array of texts; found ${describeValue(names)}`;
  if (names.length > maxUniqueNames.names)
    return `must return at most ${maxUniqueNames.names} names; found ${names.length}`;
  const index = names.findIndex((name) => mistakeInText(name, maxUniqueNames.characters) !== undefined);
  return index === -1 ? undefined : `: name ${index} ${mistakeInText(names[index], maxUniqueNames.characters)}`;
}

/** Validates the names that an integration returns for a workspace. @throws ContractError if `uniqueNames` throws, or returns no list of texts */
export function checkUniqueNamesResult(integration: Integration, workspace: Workspace): void {
  if (integration.uniqueNames === undefined) return;
  const ref = { claim: claimOf(integration.name), type: integration.condition };
  let names: unknown;
  try {
    names = integration.uniqueNames(workspace);
  } catch (error) {
    throwIfMistake(ref, `uniqueNames must not throw; it threw ${messageOf(error)}`);
  }
  ignoreRejection(names);
  const mistake = runCheck(() => mistakeInNames(names));
  throwIfMistake(ref, mistake && `uniqueNames ${mistake}`.replace(' :', ':'));
}

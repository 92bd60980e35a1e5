/** Reads what an integration takes from a workspace besides its own settings: the outputs that its `references` names, and its `reads`. */

import { describeValue, ignoreRejection, mistakeError, parseOutputReference } from '../../../sdk/host/index.ts';
import { claimOf, type Integration, messageOf, type Workspace } from '../../../sdk/index.ts';

/** Limit of the different outputs that one integration uses for one workspace. */
const maxReferences = 256;

const mistakeFor = ({ name, condition }: Integration, mistake: string): Error =>
  mistakeError({ claim: claimOf(name), type: condition }, mistake);

/** Calls a function of an integration, or reads what it has returned. @throws its error, with the integration and the function before its text */
function calledFor<T>(integration: Integration, member: 'references' | 'reads', call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw mistakeFor(integration, `${member} must not throw; it threw ${messageOf(error)}`);
  }
}

const isListOfTexts = (found: unknown): boolean =>
  Array.isArray(found) && found.every((one) => typeof one === 'string');

/** Returns the outputs that an integration uses for a workspace, as it names them. @throws its error, or one that names the mistake */
export function referencesOf(workspace: Workspace, integration: Integration): readonly string[] {
  const found: unknown = calledFor(integration, 'references', () => integration.references?.(workspace) ?? []);
  ignoreRejection(found);
  if (!calledFor(integration, 'references', () => isListOfTexts(found)))
    throw mistakeFor(
      integration,
      `references must return an array of texts like Condition.name; found ${describeValue(found)}`,
    );
  const all = found as readonly string[];
  if (all.length > maxReferences)
    throw mistakeFor(integration, `references must return at most ${maxReferences} outputs; found ${all.length}`);
  return all;
}

/** Returns the conditions whose outputs an integration uses; none when its `references` fails. */
export function conditionsUsedBy(workspace: Workspace, integration: Integration): readonly string[] {
  try {
    return referencesOf(workspace, integration).flatMap((text) => parseOutputReference(text)?.condition ?? []);
  } catch {
    return [];
  }
}

/** Returns a value as JSON, empty for undefined; undefined when it cannot be serialized. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return undefined;
  }
}

/** Returns what an integration takes from the rest of the workspace, as text: empty when that is nothing. @throws the error of its `reads` */
export function checkedReads(workspace: Workspace, integration: Integration): string {
  const { reads } = integration;
  if (reads === undefined) return '';
  const read: unknown = calledFor(integration, 'reads', () => integration.reads?.(workspace));
  ignoreRejection(read);
  const text = calledFor(integration, 'reads', () => (read instanceof Promise ? undefined : jsonOf(read)));
  if (text === undefined) throw mistakeFor(integration, `reads must return plain JSON; found ${describeValue(read)}`);
  return text;
}

/** Returns what an integration takes from the rest of the workspace, as text; empty when its `reads` fails. */
export function readsOf(workspace: Workspace, integration: Integration): string {
  try {
    return checkedReads(workspace, integration);
  } catch {
    return '';
  }
}

/** Returns the outputs that an integration uses and what it reads as they are now, for a comparison with later ones; empty when that is nothing. */
export function inputsOf(workspace: Workspace, integration: Integration): string {
  const types = conditionsUsedBy(workspace, integration);
  const outputs = types.length === 0 ? '' : JSON.stringify(types.map((type) => workspace.status?.outputs?.[type]));
  return outputs + readsOf(workspace, integration);
}

/** Validation of the components of a workspace, by the function that builds their objects. */

import type { Workspace } from '../../sdk/index.ts';
import { wantedOf } from './objects.ts';
import type { CheckedComponentsOptions } from './options.ts';

/** Placeholder of missing outputs during validation. */
const pending = '\uE000output\uE000';

/** Returns the field that a reason is about, such as `spec.components[0].template.hostNetwork`. */
function fieldOf({ spec }: Workspace, reason: string): string {
  const [, name, path] = /^component ([^\s:]+): (template[^\s:]*)?/.exec(reason) ?? [];
  const index = (spec.components ?? []).findIndex((component) => component.name === name);
  return `spec.components${index === -1 ? '' : `[${index}]${path === undefined ? '' : `.${path}`}`}`;
}

/** Returns the rules of a workspace; undefined where a function of the options fails, which `reconcile` reports. */
function rulesOf(workspace: Workspace, { rulesFor }: Pick<CheckedComponentsOptions, 'rulesFor'>) {
  try {
    return rulesFor(workspace);
  } catch {
    return undefined;
  }
}

/** Returns the first mistake in the components of a workspace. Values with missing outputs are not validated. Pure. */
export function validateComponents(workspace: Workspace, options: Pick<CheckedComponentsOptions, 'rulesFor'>) {
  const rules = rulesOf(workspace, options);
  if (rules === undefined) return [];
  const wanted = wantedOf(workspace, { ...rules, versions: new Map(), pending });
  if (wanted.kind !== 'mistake') return [];
  const message = wanted.reason.replaceAll(pending, '…');
  return [{ field: fieldOf(workspace, wanted.reason), message }];
}

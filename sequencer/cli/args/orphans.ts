/** Checks the names that are given with `--orphan`. */

import { type Integration, UserError } from '../../../sdk/index.ts';
import { mistakeInOrphan } from '../../run/registry.ts';

/** Describes a name that is the condition of a registered integration; undefined without one. */
function conditionAmong(names: readonly string[], integrations: readonly Integration[]): string | undefined {
  const meant = integrations.find(({ condition }) => names.includes(condition));
  return (
    meant &&
    `--orphan needs the name of an integration; ${meant.condition} is the condition of ${meant.name}, which is registered`
  );
}

/** Returns the names of `--orphan`. @throws UserError E#2001 for an invalid name, or the name of a registered integration */
export function orphansOf(
  command: string,
  names: readonly string[],
  integrations: readonly Integration[],
): readonly string[] {
  const mistake = conditionAmong(names, integrations) ?? mistakeInOrphan(names, integrations, () => '--orphan');
  if (mistake === undefined) return names;
  throw new UserError('E#2001', `sequencer ${command}: ${mistake}`, {
    hint: '--orphan gives up the claims of an integration that is no longer in the config; what it made stays',
  });
}

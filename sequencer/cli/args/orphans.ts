/** Checks the names that are given with `--orphan`. */

import { type Integration, UserError } from '../../../sdk/index.ts';
import { mistakeInOrphan } from '../../run/check-integrations.ts';

/** Describes a name that is the condition of a registered integration; undefined without one. */
function mistakeInConditionName(names: readonly string[], integrations: readonly Integration[]): string | undefined {
  const integration = integrations.find(({ condition }) => names.includes(condition));
  return (
    integration &&
    `--orphan needs the name of an integration; ${integration.condition} is the condition of ${integration.name}, which is registered`
  );
}

/** Returns the names of `--orphan`. @throws UserError E#2001 for an invalid name, or the name of a registered integration */
export function orphansOf(
  command: string,
  names: readonly string[],
  integrations: readonly Integration[],
): readonly string[] {
  const mistake = mistakeInConditionName(names, integrations) ?? mistakeInOrphan(names, integrations, () => '--orphan');
  if (mistake === undefined) return names;
  throw new UserError('E#2001', `sequencer ${command}: ${mistake}`, {
    hint: '--orphan releases the claims of an integration that is no longer in the config; its external objects stay',
  });
}

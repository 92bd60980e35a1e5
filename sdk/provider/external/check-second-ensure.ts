/** Refuses a second `ensure` of a walk that would remove what the first one has made. */

import { throwIfMistake } from '../value-mistakes.ts';
import { titleOf } from './ensure-context.ts';

/** Earlier `ensure` of the same walk. */
export interface EarlierEnsure {
  readonly resource: { readonly label: string };
  readonly wanted: readonly { readonly slot: string }[];
}

const remedy = 'give each resource an integration with its own condition, or make one resource of both';

function mistakeIn({ resource, wanted }: EarlierEnsure, next: EarlierEnsure): string | undefined {
  const { label } = next.resource;
  if (label !== resource.label)
    return `ensure was called for "${resource.label}", then for "${label}": each call wants all there is under the condition, and removes what the other has made; ${remedy}`;
  const left = wanted.find(({ slot }) => !next.wanted.some((target) => target.slot === slot));
  return (
    left &&
    `ensure was called twice, and the second call does not want ${titleOf(resource, left.slot)}: pass all that is wanted to each call`
  );
}

/** Compares an `ensure` with the earlier one of its walk. @throws ContractError if it is for another resource, or lacks an object that the earlier one wanted */
export function checkSecondEnsure(
  integration: Parameters<typeof throwIfMistake>[0],
  earlier: EarlierEnsure | undefined,
  next: EarlierEnsure,
): void {
  if (earlier !== undefined) throwIfMistake(integration, mistakeIn(earlier, next));
}

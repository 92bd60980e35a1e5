/** Admission verdicts from mistakes. */

import type { WrongField } from '../../sdk/host/index.ts';
import type { AdmissionVerdict } from '../../sdk/webhooks/index.ts';

/** Returns a mistake as a text. */
export const mistakeText = ({ field, message }: WrongField): string => `${field}: ${message}`;

/** Returns the verdict: new mistakes refuse the object, mistakes that it had `before` are warnings. */
export function verdictOn(
  mistakes: readonly WrongField[],
  before: readonly WrongField[],
): Required<Pick<AdmissionVerdict, 'errors' | 'warnings'>> {
  const known = new Set(before.map(mistakeText));
  const isKnown = (one: WrongField): boolean => known.has(mistakeText(one));
  return {
    errors: mistakes.filter((one) => !isKnown(one)),
    warnings: mistakes.filter(isKnown).map(mistakeText),
  };
}

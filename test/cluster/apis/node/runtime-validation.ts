/** Validation of RuntimeClasses. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { isLabel } from '../../apimachinery/name-validation.ts';
import { labels, named, optional } from '../../apimachinery/validation/combinators.ts';
import { containerResourceName } from '../../apimachinery/validation/compute-resource-names.ts';
import { type Check, fieldsOf, immutable, listOf } from '../../apimachinery/validation/errors.ts';
import { amountNotNegative } from '../../apimachinery/validation/quantity-rules.ts';
import { asGo } from '../../resources/go-form.ts';
import { tolerations } from '../core/pods/validation/placement-rules.ts';

function* overheadErrors(amounts: unknown, path: string): Generator<FieldError> {
  for (const [name, amount] of Object.entries(fieldsOf(amounts))) {
    yield* containerResourceName(name, `${path}[${name}]`);
    yield* amountNotNegative(amount, `${path}[${name}]`);
  }
}

/** Validates tolerations, each unique; the server repeats `tolerations` in their path. */
function* tolerationErrors(value: unknown): Generator<FieldError> {
  yield* tolerations(value, 'scheduling.tolerations.tolerations');
  const seen = new Set<string>();
  for (const [index, one] of listOf(value).entries()) {
    const { key = '', operator = '', value: text = '', effect = '' } = one;
    const id = [key, operator, text, effect].join(' ');
    const field = `scheduling.tolerations[${index}]`;
    if (seen.has(id)) yield { type: 'Duplicate', field, value: asGo('core.Toleration', one) };
    seen.add(id);
  }
}

/** Validates RuntimeClasses. */
export const runtimeClass: Check = function* ({ handler, overhead, scheduling }, old) {
  yield* named(isLabel)(handler, 'handler');
  yield* overheadErrors(fieldsOf(overhead).podFixed, 'overhead.limits');
  const { nodeSelector, tolerations: list } = fieldsOf(scheduling);
  yield* optional(labels)(nodeSelector, 'scheduling.nodeSelector');
  yield* tolerationErrors(list);
  if (old !== undefined) yield* immutable('handler', handler ?? '', old.handler);
};

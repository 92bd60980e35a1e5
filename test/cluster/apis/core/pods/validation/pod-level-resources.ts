/** Validation of pod-level resources. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import { quantityText } from '../../../../apimachinery/formats/quantity.ts';
import type { Fields } from '../../../../apimachinery/object.ts';
import { fieldsOf, forbidden, invalid, listOf } from '../../../../apimachinery/validation/errors.ts';
import { nanoOf } from '../../../../apimachinery/validation/quantity-rules.ts';
import { sumOf } from '../pod-resources.ts';
import { isHugePages, podResourceErrors } from './resource-rules.ts';

function* sumErrors(spec: Fields, list: 'limits' | 'requests', path: string): Generator<FieldError> {
  const own = fieldsOf(fieldsOf(spec.resources)[list]);
  for (const [name, sum] of Object.entries(sumOf(spec, list))) {
    const amount = own[name];
    if (amount === undefined || (list === 'limits' && !isHugePages(name)) || sum.nano <= nanoOf(amount)) continue;
    const detail = `must be greater than or equal to aggregate container ${list} of ${quantityText(sum)}`;
    yield invalid(`${path}.${list}[${name}]`, amount, detail);
  }
}

/** Validates pod-level resources, and those of containers against them. */
export function* wholeResourceErrors(spec: Fields, path: string, claims: ReadonlySet<string>): Generator<FieldError> {
  if (fieldsOf(spec.os).name === 'windows') {
    yield forbidden(path, 'may not be set for a windows pod');
    return;
  }
  const resources = fieldsOf(spec.resources);
  if (resources.claims !== undefined) {
    yield forbidden(`${path}.claims`, 'claims may not be set for Resources at pod-level');
  }
  yield* podResourceErrors(resources, path, claims);
  yield* sumErrors(spec, 'requests', path);
  yield* sumErrors(spec, 'limits', path);
  const most = fieldsOf(resources.limits);
  for (const [index, container] of listOf(spec.containers).entries()) {
    for (const [name, limit] of Object.entries(fieldsOf(fieldsOf(container.resources).limits))) {
      if (most[name] === undefined || nanoOf(limit) <= nanoOf(most[name])) continue;
      const detail = `must be less than or equal to pod limits of ${most[name]}`;
      yield invalid(`${path}.containers[${index}][${name}].limits`, limit, detail);
    }
  }
}

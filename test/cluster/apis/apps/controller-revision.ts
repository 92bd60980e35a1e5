/** Validation of ControllerRevisions. */

import { equal, isFields } from '../../apimachinery/object.ts';
import { notNegative } from '../../apimachinery/validation/combinators.ts';
import { memberAsSent } from '../../apimachinery/validation/empty-members.ts';
import { type Check, invalid, required } from '../../apimachinery/validation/errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';

const check: Check = function* (object, old) {
  yield* notNegative(object.revision, 'revision');
  const { data } = object;
  if (old !== undefined) {
    const shown = data === undefined ? memberAsSent(object, 'data') : data;
    if (!equal(data, old.data)) yield invalid('data', shown, 'field is immutable');
  } else if (data === undefined || data === null) yield required('data', 'data is mandatory');
  else if (!isFields(data)) yield required('data', 'data must be a valid JSON object');
};

/** ControllerRevisions. */
export const controllerRevision: BuiltinKind = { check };

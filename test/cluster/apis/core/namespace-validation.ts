/** Validates Namespaces. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { isQualifiedName } from '../../apimachinery/name-validation.ts';
import { named } from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, invalid } from '../../apimachinery/validation/errors.ts';

const standard = ['kubernetes', 'orphan', 'foregroundDeletion'];

function* finalizerErrors(name: string, path: string): Generator<FieldError> {
  yield* named(isQualifiedName)(name, path);
  if (!name.includes('/') && !standard.includes(name)) {
    yield invalid(path, name, 'name is neither a standard finalizer name nor is it fully qualified');
  }
}

/** Validates Namespaces: their finalizers, which only the `finalize` subresource changes. */
export const namespace: Check = function* ({ spec }, old, part) {
  const { finalizers } = fieldsOf(spec);
  if (old !== undefined && part !== 'finalize') return;
  const at = 'spec.finalizers';
  for (const [index, name] of (Array.isArray(finalizers) ? (finalizers as string[]) : []).entries()) {
    yield* finalizerErrors(name, part === 'finalize' ? `${at}[${index}]` : at);
  }
};

/** Validates the status of Namespaces: the phase must match the deletion timestamp. */
export const namespaceStatus: Check = function* ({ metadata, status }) {
  const { phase = '' } = fieldsOf(status);
  const isLeaving = fieldsOf(metadata).deletionTimestamp !== undefined;
  const [wanted, how] = isLeaving ? ['Terminating', 'not empty'] : ['Active', 'empty'];
  if (phase !== wanted)
    yield invalid('status.Phase', phase, `may only be '${wanted}' if \`deletionTimestamp\` is ${how}`);
};

/** Validates objects of built-in kinds. */

import type { Part } from '../apimachinery/accepted-write.ts';
import type { FieldError } from '../apimachinery/field-error.ts';
import { nameErrors } from '../apimachinery/name-validation.ts';
import type { Fields } from '../apimachinery/object.ts';
import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import { builtinKinds } from './builtin-kinds.ts';

/**
 * Validates an object of a built-in kind, with the server's messages: its name, and the rules that operators meet.
 * Not exhaustive: a real server may refuse an object that passes.
 */
export function validateBuiltin(
  info: ResourceInfo,
  object: Fields,
  ...[old, part]: readonly [old?: Fields | undefined, part?: Part]
): readonly FieldError[] {
  const { check, checkName, isCheckedTwice } = builtinKinds[info.type ?? ''] ?? {};
  const errors = [...nameErrors(object, checkName), ...(check?.(object, old, part) ?? [])];
  return old !== undefined && isCheckedTwice ? [...errors, ...errors] : errors;
}

/** Validates a status update of a built-in kind. */
export function validateBuiltinStatus(info: ResourceInfo, object: Fields, old?: Fields): readonly FieldError[] {
  const { checkStatus } = builtinKinds[info.type ?? ''] ?? {};
  return checkStatus === undefined ? validateBuiltin(info, object, old, 'status') : [...checkStatus(object, old)];
}

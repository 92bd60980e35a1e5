/** Reads the query parameters of writes. */

import type { FieldError } from '../apimachinery/field-error.ts';
import { notSupported } from '../apimachinery/field-error.ts';
import { badRequest, invalidOptions } from '../apimachinery/status.ts';

/** Options of a write. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  readonly fieldManager: string;
}

const printable = /^[^\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]$/u;

function fieldManagerErrors(manager: string): FieldError[] {
  if (Buffer.byteLength(manager) > 128) {
    return [{ type: 'TooLong', field: 'fieldManager', detail: 'may not be more than 128 bytes' }];
  }
  const position = [...manager].findIndex((char) => !printable.test(char));
  if (position === -1) return [];
  const code = [...manager][position]!.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  const detail = `invalid character U+${code} (at position ${position})`;
  return [{ type: 'Invalid', field: 'fieldManager', value: manager, detail }];
}

/** Returns the errors of `dryRun`, which may only be `All`. */
export const dryRunErrors = (values: readonly string[]): FieldError[] =>
  values.length === 0 || values.every((value) => value === 'All') ? [] : [notSupported('dryRun', values, ['All'])];

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** True to take over fields that other managers own. */
  readonly force: boolean;
}

/** Reads the options of a server-side apply. Throws the server's 422. */
export function applyOptionsOf(query: URLSearchParams): ApplyOptions {
  const required: FieldError = { type: 'Required', field: 'fieldManager', detail: 'is required for apply patch' };
  const options = optionsOf(query, 'PatchOptions', query.get('fieldManager') ? [] : [required]);
  return { ...options, force: flagOf(query, 'force') ?? false };
}

/** Reads the options of a create, update or patch; `kind` names them in errors. Throws the server's 422. */
export function writeOptionsOf(query: URLSearchParams, kind: string): WriteOptions {
  const isForced = kind === 'PatchOptions' && query.has('force');
  const error: FieldError = { type: 'Forbidden', field: 'force', detail: 'may not be specified for non-apply patch' };
  return optionsOf(query, kind, isForced ? [error] : []);
}

const noOptions: WriteOptions = { dryRun: false, fieldManager: '', fieldValidation: 'Warn' };

function optionsOf(query: URLSearchParams, kind: string, found: readonly FieldError[]): WriteOptions {
  if (query.size === 0 && found.length === 0) return noOptions;
  const dryRun = query.getAll('dryRun');
  const fieldValidation = query.get('fieldValidation') ?? '';
  const fieldManager = query.get('fieldManager') ?? '';
  const errors = [...found, ...fieldManagerErrors(fieldManager), ...dryRunErrors(dryRun)];
  if (!['', 'Ignore', 'Strict', 'Warn'].includes(fieldValidation)) {
    errors.push(notSupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  if (errors.length > 0) throw invalidOptions(kind, errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as WriteOptions['fieldValidation']),
  };
}

const int64Limit = 2n ** 63n;

/** Reads a query parameter that is a 64-bit integer; undefined when absent. Throws the server's 400. */
export function integerOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const refuse = (why: string) => badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`);
  if (!/^[+-]?\d+$/.test(text)) throw refuse('invalid syntax');
  const value = BigInt(text.replace(/^\+/, ''));
  if (value < -int64Limit || value >= int64Limit) throw refuse('value out of range');
  return Number(value);
}

/** Reads a boolean query parameter as the server does: any value but `false` and `0` is true. */
export const flagOf = (query: URLSearchParams, name: string): boolean | undefined => {
  const text = query.get(name);
  return text === null ? undefined : text.toLowerCase() !== 'false' && text !== '0';
};

/** Validates objects that conversion webhooks return. */

import { parseApiVersion } from '../../../sdk/api/kind.ts';
import { messageOf } from '../apimachinery/field-error.ts';
import { unmarshalError } from '../apimachinery/go/go-json.ts';
import { annotationErrors, labelErrors } from '../apimachinery/metadata-validation.ts';
import { type Draft, type DraftMeta, type Fields, isFields } from '../apimachinery/object.ts';

/** Object sent to a webhook, and the version to convert it to. */
export interface SentObject {
  readonly object: Draft;
  readonly apiVersion: string;
}

/** Invalid result of a webhook; the message is the server's whole one. */
export class InvalidConversionError extends Error {
  override readonly name = 'InvalidConversionError';
}

/** Formats a kind as Go prints it. */
export const kindText = (apiVersion: string, kind: string): string => {
  const { group, version } = parseApiVersion(apiVersion);
  return `${group}/${version}, Kind=${kind}`;
};

/** Returns the converted object. Throws an {@link InvalidConversionError}. */
function objectIn(value: unknown): Fields {
  if (value === null || value === undefined) throw new InvalidConversionError('unexpected end of JSON input');
  if (!isFields(value)) throw new InvalidConversionError(unmarshalError(value, 'map[string]interface {}'));
  if (typeof value.kind === 'string' && value.kind !== '') return value;
  throw new InvalidConversionError(`Object 'Kind' is missing in '${JSON.stringify(value)}'`);
}

const textAt = (metadata: unknown, name: string): string => {
  const value = isFields(metadata) ? metadata[name] : undefined;
  return typeof value === 'string' ? value : '';
};

const immutableNames = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

/** Returns the error of a converted object with another version, kind, name, namespace or uid, if any. */
function identityFault({ object, apiVersion }: SentObject, made: Fields): string | undefined {
  const given = String(made.apiVersion ?? '');
  if (given !== apiVersion) {
    return `object at index 0: invalid groupVersion (expected ${apiVersion}, received ${given})`;
  }
  if (made.kind !== object.kind) {
    return `object at index 0: invalid kind (expected ${object.kind}, received ${made.kind})`;
  }
  for (const [name, shown] of immutableNames) {
    const [before, after] = [textAt(object.metadata, name), textAt(made.metadata, name)];
    if (before !== after) return `object: must have the same ${shown}: ${before} != ${after}`;
  }
  return undefined;
}

/** Returns the Go type of a JSON value. */
function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (value === null) return '<nil>';
  return typeof value === 'string' ? 'string' : 'map[string]interface {}';
}

const checks = {
  labels: labelErrors,
  annotations: (texts: unknown) => annotationErrors(texts, 'metadata.annotation'),
} as const;

/** Returns the error of invalid labels or annotations, if any. */
function textsFault(field: keyof typeof checks, texts: unknown, before: unknown): string | undefined {
  if (!isFields(texts)) return `invalid metadata.${field} of type ${goType(texts)} in converted object`;
  for (const [key, text] of Object.entries(texts)) {
    if (typeof text === 'string') continue;
    return `metadata.${field}[${key}] must be a string, but is ${goType(text)} in converted object`;
  }
  const former = isFields(before) ? before : {};
  const names = Object.keys(texts);
  const isSame = names.length === Object.keys(former).length && names.every((name) => former[name] === texts[name]);
  const messages = isSame ? [] : [...new Set(checks[field](texts).map(messageOf))];
  if (messages.length === 0) return undefined;
  return messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`;
}

/** Returns the original metadata with the converted labels and annotations. Throws an {@link InvalidConversionError} for invalid ones. */
function restoreMetadata({ object: { metadata } }: SentObject, made: Fields): DraftMeta {
  const result: DraftMeta = { ...metadata };
  for (const field of ['labels', 'annotations'] as const) {
    const texts = (made.metadata as Fields)[field] ?? undefined;
    delete result[field];
    if (texts === undefined) continue;
    const fault = textsFault(field, texts, metadata[field]);
    if (fault !== undefined) throw new InvalidConversionError(`metadata: ${fault}`);
    result[field] = texts as Readonly<Record<string, string>>;
  }
  return result;
}

/** Returns the single object that a webhook has returned, of whose metadata only labels and annotations may change. Throws an {@link InvalidConversionError}. */
export function convertedObject(values: readonly unknown[], sent: SentObject): Draft {
  const head = `conversion webhook for ${kindText(sent.object.apiVersion, sent.object.kind)} returned`;
  if (values.length !== 1) throw new InvalidConversionError(`${head} ${values.length} objects, expected 1`);
  const made = objectIn(values[0]);
  const fault = identityFault(sent, made);
  if (fault !== undefined) throw new InvalidConversionError(`${head} invalid ${fault}`);
  if (!isFields(made.metadata))
    throw new InvalidConversionError(`${head} invalid metadata: missing metadata in converted object`);
  try {
    return { ...made, apiVersion: sent.apiVersion, kind: sent.object.kind, metadata: restoreMetadata(sent, made) };
  } catch (error) {
    throw error instanceof InvalidConversionError
      ? new InvalidConversionError(`${head} invalid ${error.message}`)
      : error;
  }
}

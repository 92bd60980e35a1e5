/** Validates metadata: labels, annotations, finalizers and owner references. */

import type { AcceptedWrite } from './accepted-write.ts';
import type { FieldError } from './field-error.ts';
import { type ApiObject, type Draft, equal, type Fields, isFields } from './object.ts';
import type { ValidationPasses } from './validation-passes.ts';

const qualifiedNameRule =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
/** Error message of invalid label values. */
export const labelValueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const namePart = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
/** Pattern of valid label values. */
export const labelValue = /^(?:(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const subdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const annotationBytes = 256 * 1024;

function prefixErrors(prefix: string): string[] {
  const errors: string[] = [];
  if (prefix === '') errors.push('prefix part must be non-empty');
  else if (!subdomain.test(prefix)) errors.push(`prefix part ${subdomainRule}`);
  if (prefix.length > 253) errors.push('prefix part must be no more than 253 characters');
  return errors;
}

/** Validates a qualified name such as `example.com/name`; returns the server's messages. */
export function qualifiedNameErrors(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2) {
    return [
      `a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const errors = parts.length === 2 ? prefixErrors(parts[0]!) : [];
  const name = parts[parts.length - 1]!;
  if (name === '') errors.push('name part must be non-empty');
  if (name.length > 63) errors.push('name part must be no more than 63 characters');
  if (!namePart.test(name)) errors.push(qualifiedNameRule);
  return errors;
}

const invalidOf =
  (field: string, value: unknown) =>
  (detail: string): FieldError => ({ type: 'Invalid', field, value, detail });

/** Validates labels. */
export function labelErrors(labels: unknown): FieldError[] {
  return Object.entries(isFields(labels) ? labels : {}).flatMap(([key, value]) => {
    const text = String(value);
    const ofKey = qualifiedNameErrors(key).map(invalidOf('metadata.labels', key));
    const tooLong = text.length > 63 ? [invalidOf('metadata.labels', text)('must be no more than 63 characters')] : [];
    const ofValue = labelValue.test(text) ? [] : [invalidOf('metadata.labels', text)(labelValueRule)];
    return [...ofKey, ...tooLong, ...ofValue];
  });
}

const bytesIn = (entries: readonly (readonly [string, unknown])[]): number =>
  entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)), 0);

/** Reports whether the annotations of an object exceed their size limit. */
export function exceedsAnnotationLimit({ metadata }: Fields): boolean {
  const { annotations } = isFields(metadata) ? metadata : {};
  return isFields(annotations) && bytesIn(Object.entries(annotations)) > annotationBytes;
}

/** Validates annotations at a path. */
export function annotationErrors(annotations: unknown, field = 'metadata.annotations'): FieldError[] {
  const entries = Object.entries(isFields(annotations) ? annotations : {});
  const ofKeys = entries.flatMap(([key]) => qualifiedNameErrors(key.toLowerCase()).map(invalidOf(field, key)));
  if (bytesIn(entries) <= annotationBytes) return ofKeys;
  const detail = `may not be more than ${annotationBytes} bytes`;
  return [...ofKeys, { type: 'TooLong', field, detail }];
}

const standardFinalizers = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

function finalizerErrors(finalizers: unknown, mayBeBare: boolean): FieldError[] {
  const names = Array.isArray(finalizers) ? finalizers.map((name) => String(name ?? '')) : [];
  const errors = names.flatMap((name) => qualifiedNameErrors(name).map(invalidOf('metadata.finalizers', name)));
  if (names.includes('orphan') && names.includes('foregroundDeletion')) {
    errors.push(invalidOf('metadata.finalizers', names)('finalizer orphan and foregroundDeletion cannot be both set'));
  }
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  const bare = names.flatMap((name, index) =>
    mayBeBare || name.includes('/') || standardFinalizers.has(name)
      ? []
      : [invalidOf(`metadata.finalizers[${index}]`, name)(detail)],
  );
  return [...errors, ...bare];
}

const finalizersIn = ({ metadata }: Fields): readonly string[] =>
  isFields(metadata) && Array.isArray(metadata.finalizers) ? metadata.finalizers.map(String) : [];

/** Returns the server's warnings for new finalizers of a custom resource that are not qualified names. */
export function finalizerWarnings(object: Fields, { former = {}, subresource }: AcceptedWrite): readonly string[] {
  if (subresource !== undefined) return [];
  const before = new Set(finalizersIn(former));
  const added = [...new Set(finalizersIn(object))].filter((name) => !before.has(name)).sort();
  return added
    .filter((name) => !name.includes('/') && !standardFinalizers.has(name))
    .map((name) => {
      const wanted = name.includes('.') ? ' including a path (/)' : '';
      return `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified finalizer name${wanted} to avoid accidental conflicts with other finalizer writers`;
    });
}

const ownerField = 'metadata.ownerReferences';

/** Reports whether an apiVersion has a version: `v1` or `group/v1`. */
const hasVersion = (apiVersion: unknown): boolean => /^[^/]+(?:\/[^/]+)?$/.test(String(apiVersion ?? ''));

function oneOwnerErrors(owner: Fields): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (name: string, detail: string) =>
    errors.push(invalidOf(`${ownerField}.${name}`, owner[name] ?? '')(detail));
  if (!hasVersion(owner.apiVersion)) refuse('apiVersion', 'version must not be empty');
  for (const name of ['kind', 'name', 'uid']) if (!owner[name]) refuse(name, 'must not be empty');
  if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
    errors.push(invalidOf(ownerField, owner)('/v1, Kind=Event is disallowed from being an owner'));
  }
  return errors;
}

function ownerErrors(owners: unknown): FieldError[] {
  if (!Array.isArray(owners)) return [];
  const errors = owners.filter(isFields).flatMap(oneOwnerErrors);
  const controllers = owners.filter((owner) => isFields(owner) && owner.controller === true) as Fields[];
  if (controllers.length < 2) return errors;
  const [one, other] = controllers.map(({ kind, name }) => `${kind}/${name}`);
  const detail = `Only one reference can have Controller set to true. Found "true" in references for ${one} and ${other}`;
  return [...errors, invalidOf(ownerField, owners)(detail)];
}

const times = <T>(count: number, list: readonly T[]): T[] => Array.from({ length: count }, () => list).flat();

const negative = (field: string, value: number): FieldError =>
  invalidOf(field, value)('must be greater than or equal to 0');

/** Validates the generation, labels, annotations, finalizers and owner references; names are checked by the kind's own rules. */
export function metadataErrors(
  { metadata }: Draft,
  { bareFinalizers }: Pick<ValidationPasses, 'bareFinalizers'>,
): FieldError[] {
  const { labels, annotations, ownerReferences, finalizers, generation = 0 } = metadata;
  const isBare =
    labels === undefined && annotations === undefined && ownerReferences === undefined && finalizers === undefined;
  if (isBare && generation >= 0) return [];
  return [
    ...(generation < 0 ? [negative('metadata.generation', generation)] : []),
    ...labelErrors(labels),
    ...annotationErrors(annotations),
    ...ownerErrors(ownerReferences),
    ...finalizerErrors(finalizers, bareFinalizers),
  ];
}

/** Validates metadata for an update. The server validates it `count` times and reports each error as often. */
export function repeatedMetadataErrors({ metadata }: Draft, count: number, mayBeBare: boolean): FieldError[] {
  const { labels, annotations, ownerReferences, finalizers } = metadata;
  const errors = [...labelErrors(labels), ...annotationErrors(annotations), ...ownerErrors(ownerReferences)];
  return [...times(count, errors), ...times(count - 2, finalizerErrors(finalizers, mayBeBare))];
}

/** Validates an update of metadata: immutable fields, and finalizers added during deletion. */
export function metadataUpdateErrors(current: ApiObject, { metadata }: Draft): FieldError[] {
  const before = current.metadata as unknown as Fields;
  const errors: FieldError[] = [];
  const deleting = before.deletionTimestamp !== undefined;
  if (deleting) {
    const known = new Set((before.finalizers as string[] | undefined) ?? []);
    const fresh = ((metadata.finalizers as string[] | undefined) ?? []).filter((name) => !known.has(name));
    if (fresh.length > 0) {
      const list = fresh.map((name) => JSON.stringify(name)).join(', ');
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
      errors.push({ type: 'Forbidden', field: 'metadata.finalizers', detail });
    }
  }
  for (const name of ['name', 'namespace', 'uid', 'deletionTimestamp', 'deletionGracePeriodSeconds']) {
    if (equal(metadata[name], before[name])) continue;
    errors.push({ type: 'Invalid', field: `metadata.${name}`, value: metadata[name], detail: 'field is immutable' });
  }
  return errors;
}

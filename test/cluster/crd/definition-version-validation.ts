/** Validates the versions and conversion of definitions. */

import { type FieldError, notSupported } from '../apimachinery/field-error.ts';
import { isLabel1035 } from '../apimachinery/name-validation.ts';
import type { Fields } from '../apimachinery/object.ts';
import { fieldsOf, forbidden, invalid, required } from '../apimachinery/validation/errors.ts';
import { clientConfig } from '../apimachinery/validation/webhook-client-config.ts';
import type { DefinitionSpec, DefinitionVersion } from './definition.ts';

/** Formats versions as the Go structs they are decoded to; parts common to all versions are elsewhere. */
const goVersions = (versions: readonly DefinitionVersion[]): readonly Fields[] =>
  versions.map(({ name, served, storage, deprecated = false, deprecationWarning = null }) => ({
    Name: name,
    Served: served,
    Storage: storage,
    Deprecated: deprecated,
    DeprecationWarning: deprecationWarning,
    Schema: null,
    Subresources: null,
    AdditionalPrinterColumns: null,
    SelectableFields: null,
  }));

const maxWarningLength = 256;

/** Returns the error of a deprecation warning. */
function warningFault({ deprecated, deprecationWarning: text }: DefinitionVersion): string | undefined {
  if (text === undefined) return undefined;
  if (deprecated !== true) return 'can only be set for deprecated versions';
  if (text === '') return 'must not be an empty string';
  const index = [...text].findIndex((char) => !/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(char));
  if (index >= 0)
    return `must only contain printable UTF-8 characters; non-printable character found at index ${index}`;
  return text.length > maxWarningLength ? `must be <= ${maxWarningLength} characters long` : undefined;
}

function* versionFaults(version: DefinitionVersion, at: string): Generator<FieldError> {
  const errors = isLabel1035(version.name ?? '');
  if (errors.length > 0) yield invalid(`${at}.name`, version.name, errors.join(','));
  const fault = warningFault(version);
  if (fault !== undefined) yield invalid(`${at}.deprecationWarning`, version.deprecationWarning, fault);
}

/** Validates the versions of a definition without their schemas; `areMissing` when the list is absent. */
export function* versionErrors(versions: readonly DefinitionVersion[], areMissing = false): Generator<FieldError> {
  for (const [index, version] of versions.entries()) yield* versionFaults(version, `spec.versions[${index}]`);
  const [first] = versions;
  const errors = first === undefined ? [] : isLabel1035(first.name ?? '');
  if (errors.length > 0) yield invalid('spec.version', first!.name, errors.join(','));
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    yield invalid('spec.versions', goVersions(versions), 'must contain unique version names');
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const shown = areMissing ? null : goVersions(versions);
    yield invalid('spec.versions', shown, 'must have exactly one version marked as storage version');
  }
}

/** Validates the stored versions of a definition. */
export function* storedErrors(crd: Fields, versions: readonly DefinitionVersion[]): Generator<FieldError> {
  const { storedVersions } = fieldsOf(crd.status);
  const stored = Array.isArray(storedVersions) ? storedVersions : [];
  const inStorage = versions.filter(({ storage }) => storage);
  const field = 'status.storedVersions';
  if (inStorage.length === 0 && stored.length === 0)
    yield invalid(field, null, 'must have at least one stored version');
  if (inStorage.length > 1) {
    const names = inStorage.map(({ name }) => name);
    yield invalid(field, names.slice(0, 1), `must have the storage version ${names.at(-1)}`);
  }
  for (const [index, name] of stored.entries()) {
    if (versions.some((version) => version.name === name)) continue;
    yield invalid(
      `status.storedVersions[${index}]`,
      name,
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
    );
  }
}

const knownReviews = ['v1', 'v1beta1'];

type WebhookConversion = NonNullable<DefinitionSpec['conversion']>['webhook'];

const conversionField = (name: string): string => `spec.conversion.${name}`;

/** Validates the webhook of a conversion by webhook. */
function* webhookErrors(webhook: WebhookConversion): Generator<FieldError> {
  const field = conversionField('webhookClientConfig');
  if (webhook?.clientConfig === undefined) yield required(field, 'required when strategy is set to Webhook');
  else yield* clientConfig(webhook.clientConfig, field);
  const versions = reviewVersionsOf(webhook);
  if (versions.length === 0) yield required(conversionField('conversionReviewVersions'));
  else if (!versions.some((one) => knownReviews.includes(String(one)))) {
    const detail = `must include at least one of ${knownReviews.join(', ')}`;
    yield invalid(conversionField('conversionReviewVersions'), versions, detail);
  }
  yield* reviewVersionErrors(versions);
}

/** Validates the names of review versions, and that none is repeated. */
function* reviewVersionErrors(versions: readonly unknown[]): Generator<FieldError> {
  const known = new Set<unknown>();
  for (const [index, version] of versions.entries()) {
    const at = `${conversionField('conversionReviewVersions')}[${index}]`;
    if (known.has(version)) yield invalid(at, version, 'duplicate version');
    known.add(version);
    for (const why of isLabel1035(String(version))) yield invalid(at, version, why);
  }
}

/** Refuses a webhook without conversion. */
function* unusedWebhookErrors(webhook: WebhookConversion): Generator<FieldError> {
  const detail = 'should not be set when strategy is not set to Webhook';
  if (webhook?.clientConfig !== undefined) yield forbidden(conversionField('webhookClientConfig'), detail);
  if (reviewVersionsOf(webhook).length > 0) yield forbidden(conversionField('conversionReviewVersions'), detail);
}

const reviewVersionsOf = (webhook: WebhookConversion): readonly unknown[] => {
  const versions: unknown = webhook?.conversionReviewVersions;
  return Array.isArray(versions) ? versions : [];
};

const conversionRules: Readonly<Record<string, (webhook: WebhookConversion) => Generator<FieldError>>> = {
  None: unusedWebhookErrors,
  Webhook: webhookErrors,
};

/** Validates the conversion of a definition. */
export function* conversionErrors({ conversion }: DefinitionSpec): Generator<FieldError> {
  const { strategy, webhook } = conversion ?? { strategy: 'None' };
  const strategies = Object.keys(conversionRules);
  if (strategies.includes(strategy)) yield* conversionRules[strategy]!(webhook);
  else yield notSupported(conversionField('strategy'), strategy, strategies);
}

/** Creates objects: prepares a draft and stores it. */

import type { FieldError } from '../apimachinery/field-error.ts';
import { metadataErrors } from '../apimachinery/metadata-validation.ts';
import {
  type ApiObject,
  type Draft,
  type Fields,
  valueAt,
  withSortedMembers,
  withValueAt,
} from '../apimachinery/object.ts';
import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import { alreadyExists } from '../apimachinery/status.ts';
import { strategyOf } from '../apis/builtin-table.ts';
import { storeKeyOf } from '../resources/registry.ts';
import { stampNew } from './metadata.ts';
import { validationPassesOf } from './validation-passes.ts';
import { dryRunResult, refuse, type WriteScope, withDefaults } from './write-scope.ts';

/** Attempts at a generated name before a taken one is reported. */
const generateAttempts = 8;

/** Applies the defaults that a new draft gets first; those that the strategy sets late are left out. */
export function withManagedDefaults({ rules, resource }: WriteScope, draft: Draft): Draft {
  const { unmanagedDefaults = [] } = strategyOf(resource.collection);
  const late = unmanagedDefaults.filter((path) => valueAt(draft, path) === undefined);
  return late.reduce((filled, path) => withValueAt(filled, path, undefined) as Draft, withDefaults(rules, draft));
}

const isOfName = ({ field }: FieldError): boolean => field === 'metadata.name' || field === 'metadata.generateName';

/** Orders errors as the server reports them: the name, other metadata, then the rest of the object. */
const inOrder = (own: readonly FieldError[], ofMetadata: readonly FieldError[]): readonly FieldError[] =>
  ofMetadata.length === 0 ? own : [...own.filter(isOfName), ...ofMetadata, ...own.filter((error) => !isOfName(error))];

/** Returns the sent status of a custom resource that a create ignores. */
function ignoredOf({ custom, hasStatus }: ResourceInfo, { status }: Draft): Fields | undefined {
  return custom === undefined || !hasStatus || status === undefined ? undefined : { status };
}

/**
 * Prepares a draft for storage, still at the resource's version: stamps it, sets defaults, validates it.
 * The draft must not share its metadata. Throws the server's 422.
 */
export function prepareNew(scope: WriteScope, draft: Draft): Draft {
  const { server, resource, rules, managedFields } = scope;
  const { info, collection } = resource;
  const strategy = strategyOf(collection);
  // Managers own the fields that were sent or defaulted, but none that only the server sets.
  const sent = draft.metadata.managedFields;
  for (const name of ['deletionTimestamp', 'deletionGracePeriodSeconds']) delete draft.metadata[name];
  const first = withManagedDefaults(scope, draft);
  const entries = managedFields?.({ live: undefined, next: first, sent, ignored: ignoredOf(info, draft) });
  const isComplete = !info.hasStatus && !strategy.prepareForCreate && !strategy.unmanagedDefaults;
  const stamped = isComplete ? first : draft;
  stampNew(server, info, stamped);
  if (info.hasStatus && !strategy.keepsStatus) delete stamped.status;
  strategy.prepareForCreate?.(server, stamped);
  const filled = isComplete ? stamped : withDefaults(rules, stamped);
  if (entries !== undefined) filled.metadata.managedFields = entries;
  refuse(
    resource,
    stamped,
    inOrder(rules?.validate(filled) ?? [], metadataErrors(filled, validationPassesOf(resource))),
  );
  return filled;
}

function save({ server, resource, rules, dryRun }: WriteScope, key: string, made: Draft): ApiObject {
  const draft = resource.info.custom === undefined ? made : withSortedMembers(made);
  const strategy = strategyOf(resource.collection);
  strategy.allocate?.(server, draft, undefined);
  if (!dryRun) {
    strategy.beforeStore?.(server, draft, undefined);
    if (rules !== undefined) resource.trust(draft);
    return server.store.put(resource.collection, key, draft);
  }
  const object = dryRunResult(draft);
  strategy.afterDelete?.(server, object);
  return object;
}

/** Stores a new object at its resource's version. The draft must not share its metadata. Throws the server's 409 and 422. */
export function createObject(scope: WriteScope, draft: Draft): ApiObject {
  const isGenerated = (draft.metadata.name ?? '') === '';
  return insertNew(scope, scope.resource.toStored(prepareNew(scope, draft)), isGenerated);
}

/**
 * Stores the result of {@link prepareNew}, at the storage version; a generated name that is taken is generated again.
 * Throws the server's 409.
 */
export function insertNew(scope: WriteScope, stored: Draft, isGenerated: boolean): ApiObject {
  const { server, resource } = scope;
  for (let attempt = 1; ; attempt += 1) {
    const { name = '', namespace } = stored.metadata;
    const key = storeKeyOf(namespace, name);
    const existing = server.store.get(resource.collection, key);
    if (existing === undefined) return save(scope, key, stored);
    if (!isGenerated || attempt === generateAttempts) {
      const deleting = existing.metadata.deletionTimestamp !== undefined;
      throw alreadyExists(resource.info, name, { deleting, generated: Boolean(stored.metadata.generateName) });
    }
    const { managedFields } = stored.metadata;
    delete stored.metadata.name;
    stampNew(server, resource.info, stored);
    if (managedFields !== undefined) stored.metadata.managedFields = managedFields;
  }
}

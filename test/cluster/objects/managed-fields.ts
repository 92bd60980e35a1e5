/** Field managers of writes, by clients and by the server itself. */

import { timestampOf } from '../apimachinery/generated-metadata.ts';
import { type ApiObject, type Draft, draftOf } from '../apimachinery/object.ts';
import { afterWrite, type ManagedWrite, managersBefore } from '../managed-fields/field-manager.ts';
import { leaf } from '../managed-fields/field-set.ts';
import { entriesOf } from '../managed-fields/managers.ts';
import { type MergeType, OtherVersionError, TypedError } from '../managed-fields/merge-type.ts';
import type { Members, TypedVersion } from '../managed-fields/ownership-updater.ts';
import { checkFits, fitsButRepetitions } from '../managed-fields/typed-validation.ts';
import type { Resource } from '../resources/registry.ts';
import type { KindRules } from '../server/kind-rules.ts';
import type { ServerContext } from '../server/server-context.ts';
import { resetFieldsOf } from './reset-fields.ts';
import type { ManagedFields, WriteScope } from './write-scope.ts';

/** Write, and the field manager that makes it. */
export interface WriteByManager {
  readonly server: ServerContext;
  readonly resource: Resource;
  readonly rules: KindRules;
  readonly manager: string;
  readonly subresource?: string | undefined;
}

/** Returns an object of a definition at another version, converted as its definition says. */
const customAt = ({ apiVersion, conversionWebhook }: Resource, object: Members): Members =>
  conversionWebhook === undefined ? { ...object, apiVersion } : conversionWebhook.at(object, apiVersion);

/** Checks that an object fits the type of the version it was converted to. Throws an {@link OtherVersionError}. */
function checkedOfType(type: MergeType, object: Members): Members {
  try {
    checkFits(type, object);
    return object;
  } catch (error) {
    throw error instanceof TypedError ? new OtherVersionError(error.message) : error;
  }
}

/** Returns a lookup of the kind's other versions; it gives undefined for versions that are not served or belong to another kind. */
function versionAt({ server, resource, rules }: WriteByManager): (apiVersion: string) => TypedVersion | undefined {
  const { registry } = server;
  const { collection, info } = resource;
  const served = (apiVersion: string): Resource | undefined => {
    const found = registry.find(apiVersion, info.plural);
    return found?.collection === collection ? found : undefined;
  };
  return (apiVersion) => {
    const version = served(apiVersion);
    if (version === undefined) return undefined;
    const { type } = (server.scheme.loaded(version.info) ?? rules).applyShape;
    const convert = (object: Members): Members => {
      if (object.apiVersion === apiVersion) return object;
      if (info.custom !== undefined) return checkedOfType(type, customAt(version, object));
      const from = served(String(object.apiVersion)) ?? resource;
      return version.view(from.toStored(draftOf(object as unknown as Draft)) as unknown as ApiObject);
    };
    return { type, convert };
  };
}

/** Returns the tracked form of a write, for field management. */
export function managedWriteOf(writing: WriteByManager): ManagedWrite {
  const { server, resource, rules, manager, subresource } = writing;
  const resetFields = resetFieldsOf(resource.info, subresource);
  const isCustom = resource.info.custom !== undefined;
  return {
    shape: rules.applyShape,
    manager,
    apiVersion: resource.apiVersion,
    subresource,
    at: versionAt(writing),
    // Definitions ignore fields at the written version only.
    ignored: (apiVersion) => (isCustom && apiVersion !== resource.apiVersion ? leaf : resetFields),
    now: timestampOf(server.clock.now()),
  };
}

/** Makes versions of custom resources that do not exist an error, which leaves the object unmanaged. */
function strictly(tracked: ManagedWrite, { resource: { info } }: WriteByManager): ManagedWrite {
  if (info.custom === undefined) return tracked;
  const at: ManagedWrite['at'] = (apiVersion) => {
    const version = tracked.at(apiVersion);
    if (version !== undefined) return version;
    throw new TypedError(`request to convert CR to an invalid group/version: ${apiVersion}`);
  };
  return { ...tracked, at };
}

/**
 * Returns the computation of field managers for a plain write. Objects with duplicate list keys, or that do not fit
 * their type, are unmanaged.
 */
export function managedFieldsIn(writing: WriteByManager): ManagedFields {
  const tracked = strictly(managedWriteOf(writing), writing);
  return ({ live, next, sent, ignored }) => {
    if (ignored !== undefined && !fitsButRepetitions(tracked.shape.type, ignored)) return undefined;
    const managers = managersBefore({ live: live?.metadata.managedFields, sent, subresource: tracked.subresource });
    try {
      return entriesOf(afterWrite(tracked, { live, next, managers }));
    } catch (error) {
      if (error instanceof TypedError) return undefined;
      throw error;
    }
  };
}

/** Write by a component of the server itself. */
export type OwnWrite = Omit<WriteByManager, 'rules'>;

/** Returns the scope of a write by a component such as `kube-controller-manager`. Fields are managed once the kind's rules are loaded. */
export function scopeOf(write: OwnWrite): WriteScope {
  const { server, resource, subresource } = write;
  const rules = server.scheme.loaded(resource.info);
  return {
    server,
    resource,
    ...(subresource !== undefined && { subresource }),
    ...(rules !== undefined && { managedFields: managedFieldsIn({ ...write, rules }) }),
  };
}

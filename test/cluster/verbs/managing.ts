import { leaf } from '../apply/field-set.ts';
import { entriesOf } from '../apply/managers.ts';
import { TypedError } from '../apply/merge-type.ts';
import type { Members, TypedVersion } from '../apply/ownership.ts';
import { ignoredBy } from '../apply/reset-fields.ts';
import { afterWrite, managerFromAgent, managersGiven, type Tracked } from '../apply/tracking.ts';
import type { KindRules } from '../kind-rules.ts';
import { timestampOf } from '../machinery.ts';
import { type ApiObject, type Draft, draftOf } from '../objects/object.ts';
import type { ManagedFields } from '../objects/scope.ts';
import type { Resource } from '../registry.ts';
import type { Call } from './call.ts';

/** The call's kind at another version; undefined when that is not served, or is another kind. */
function versionAt({ machinery, resource }: Call, rules: KindRules): (apiVersion: string) => TypedVersion | undefined {
  const { registry } = machinery;
  const { collection, info } = resource;
  const served = (apiVersion: string): Resource | undefined => {
    const found = registry.find(apiVersion, info.plural);
    return found?.collection === collection ? found : undefined;
  };
  return (apiVersion) => {
    const version = served(apiVersion);
    if (version === undefined) return undefined;
    const { type } = (machinery.rules.loaded(version.info) ?? rules).applyShape;
    const convert = (object: Members): Members => {
      if (object.apiVersion === apiVersion) return object;
      if (info.custom !== undefined) return { ...object, apiVersion };
      const from = served(String(object.apiVersion)) ?? resource;
      return version.view(from.toStored(draftOf(object as unknown as Draft)) as unknown as ApiObject);
    };
    return { type, convert };
  };
}

/** A call's write as its managers of fields see it; `manager` is the name that the client gave, or empty. */
export function trackedOf(call: Call, rules: KindRules, manager: string): Tracked {
  const { machinery, resource, request, path } = call;
  const ignored = ignoredBy(resource.info, path.subresource);
  const isCustom = resource.info.custom !== undefined;
  return {
    shape: rules.applyShape,
    manager: manager === '' ? managerFromAgent(request.headers['user-agent']) : manager,
    apiVersion: resource.apiVersion,
    subresource: path.subresource,
    at: versionAt(call, rules),
    // Definitions say it of one version at a time.
    ignored: (apiVersion) => (isCustom && apiVersion !== resource.apiVersion ? leaf : ignored),
    now: timestampOf(machinery.clock.now()),
  };
}

/** Who owns which fields after a plain write. Objects with items that cannot be told apart are managed by nobody. */
export function managedFieldsOf(call: Call, rules: KindRules, manager: string): ManagedFields {
  const tracked = trackedOf(call, rules, manager);
  return ({ live, next, sent }) => {
    const managers = managersGiven({ live: live?.metadata.managedFields, sent, subresource: tracked.subresource });
    try {
      return entriesOf(afterWrite(tracked, { live, next, managers }));
    } catch (error) {
      if (error instanceof TypedError) return undefined;
      throw error;
    }
  };
}

/** Updates objects: prepares a draft and stores it. */

import type { Part } from '../apimachinery/accepted-write.ts';
import { messageOf } from '../apimachinery/field-error.ts';
import { metadataUpdateErrors, repeatedMetadataErrors } from '../apimachinery/metadata-validation.ts';
import { type ApiObject, type Draft, draftOf, equal, type Fields, withSortedMembers } from '../apimachinery/object.ts';
import { modified, unexpected } from '../apimachinery/status.ts';
import { strategyOf } from '../apis/builtin-table.ts';
import { isSameButTimes } from '../managed-fields/managers.ts';
import { type Resource, storeKeyOf } from '../resources/registry.ts';
import type { ServerContext } from '../server/server-context.ts';
import type { Strategy } from '../server/strategy.ts';
import { isSameContent, stampUpdated } from './metadata.ts';
import { validationPassesOf } from './validation-passes.ts';
import { dryRunResult, type Managing, refuse, type WriteScope, withDefaults } from './write-scope.ts';

/** Result of an update. */
export interface Updated {
  /** Stored object, at the storage version. */
  readonly object: ApiObject;
  /** True when the update completed a pending deletion. */
  readonly gone: boolean;
}

/** Returns the draft of a write to `/status`: all other fields come from the current object. */
function onlyStatus({ info }: Resource, current: ApiObject, draft: Draft): Draft {
  const result = draftOf(current);
  if (draft.status === undefined) delete result.status;
  else result.status = draft.status;
  if (info.statusUpdatesMetadata) result.metadata = draft.metadata;
  return result;
}

/** Returns the draft of a write to the object: its status is kept where it has its own endpoint. */
function allButStatus({ info }: Resource, current: ApiObject, draft: Draft): Draft {
  if (!info.hasStatus) return draft;
  const { status: _ignored, ...others } = draft;
  return (current.status === undefined ? others : { ...others, status: current.status }) as Draft;
}

/** Returns the sent parts of a custom resource that this write ignores. */
function ignoredOf(
  { resource: { info }, subresource }: WriteScope,
  shown: ApiObject,
  draft: Draft,
): Fields | undefined {
  if (info.custom === undefined || !info.hasStatus) return undefined;
  const { status, apiVersion: _version, kind: _kind, metadata: _metadata, ...others } = draft;
  if (subresource === 'status') return others;
  return subresource !== undefined || status === undefined || equal(status, shown.status) ? undefined : { status };
}

function changeable({ resource, subresource }: WriteScope, current: ApiObject, draft: Draft): Draft {
  if (subresource === 'status') return onlyStatus(resource, current, draft);
  return subresource === undefined ? allButStatus(resource, current, draft) : draft;
}

const parts: readonly Part[] = ['status', 'ephemeralcontainers', 'resize', 'approval', 'finalize'];

function check({ resource, rules, subresource, warnings }: WriteScope, current: ApiObject, next: Draft): void {
  const part = parts.find((one) => one === subresource) ?? 'object';
  const { times, inStatus, bareFinalizers } = validationPassesOf(resource);
  const found = rules?.validate(next, current as unknown as Fields, part) ?? [];
  const tolerated = found.filter((error) => error.tolerated === true);
  warnings?.push(...tolerated.map(messageOf));
  const own = found.filter((error) => !tolerated.includes(error));
  const isStatus = part === 'status';
  const ofMetadata = repeatedMetadataErrors(next, isStatus ? inStatus : times, bareFinalizers);
  const isMetadataFirst = isStatus || resource.info.custom !== undefined;
  refuse(resource, next, isMetadataFirst ? [...ofMetadata, ...own] : [...own, ...ofMetadata]);
}

/** Reports whether annotations or labels have changed that the generation of their kind counts. */
const isNoted = (
  { annotationsIncrementGeneration, labelsIncrementGeneration }: Strategy,
  { metadata: before }: ApiObject,
  { metadata: now }: Draft,
): boolean =>
  (annotationsIncrementGeneration === true && !equal(before.annotations, now.annotations)) ||
  (labelsIncrementGeneration === true && !equal(before.labels, now.labels));

/**
 * Increments the generation when the content changes. Some kinds also count annotations or labels, except in status
 * updates; binding a pod does not count.
 */
function countGeneration(
  { resource: { info, collection }, subresource }: WriteScope,
  current: ApiObject,
  next: Draft,
): void {
  if (!info.hasGeneration || subresource === 'binding') return;
  const strategy = strategyOf(collection);
  if (strategy.keepsGeneration) return;
  const noted = subresource !== 'status' && isNoted(strategy, current, next);
  if (noted || !isSameContent(info, current, next)) next.metadata.generation = (current.metadata.generation ?? 0) + 1;
}

function setManagers({ metadata }: Draft, entries: unknown): void {
  if (entries === undefined) delete metadata.managedFields;
  else metadata.managedFields = entries as NonNullable<typeof metadata.managedFields>;
}

/** Sets the managed fields. A new timestamp alone is not a change. */
function manage({ managedFields }: WriteScope, result: Draft, write: Managing & { readonly live: ApiObject }): void {
  const { live } = write;
  const former = live.metadata.managedFields;
  setManagers(result, former);
  const entries = managedFields === undefined ? former : managedFields(write);
  if (!(equal(result, live) && isSameButTimes(entries, former))) setManagers(result, entries);
}

/**
 * Stores a changed object. `current` is the stored object, `draft` the complete new one at the resource's version; it
 * must not share its metadata.
 * Writes nothing and returns the current object when nothing has changed. Throws the server's 409 and 422.
 */
export const updateObject = (scope: WriteScope, current: ApiObject, draft: Draft): Updated =>
  storeUpdate(scope, current, scope.resource.toStored(prepareUpdate(scope, current, draft)));

/** Parses a resourceVersion; returns 0 for an empty one. Throws the server's 500 for an invalid one. */
export function versionNumber(version = ''): bigint {
  const refuse = (why: string) => unexpected(`strconv.ParseUint: parsing ${JSON.stringify(version)}: ${why}`);
  if (!/^\d*$/.test(version)) throw refuse('invalid syntax');
  const number = BigInt(version);
  if (number >= 2n ** 64n) throw refuse('value out of range');
  return number;
}

/**
 * Prepares a changed object for storage, still at the resource's version: sets defaults and validates it.
 * Throws the server's 409 and 422.
 */
export function prepareUpdate(scope: WriteScope, current: ApiObject, draft: Draft): Draft {
  const { resource, rules, subresource } = scope;
  const shown = resource.view(current);
  const { resourceVersion } = draft.metadata;
  const version = versionNumber(resourceVersion);
  if (version !== 0n && String(version) !== current.metadata.resourceVersion)
    throw modified(resource.info, current.metadata.name);
  const sent = draft.metadata.managedFields;
  stampUpdated(shown, draft);
  const problems = metadataUpdateErrors(shown, draft);
  // The server validates this twice and reports each error twice.
  refuse(resource, draft, [...problems, ...problems]);
  const ignored = scope.managedFields && ignoredOf(scope, shown, draft);
  // Restored parts of a custom resource get no defaults: they stay as stored.
  const isCustom = resource.info.custom !== undefined;
  const wanted = changeable(scope, shown, isCustom ? withDefaults(rules, draft) : draft);
  const asked = scope.managedFields === undefined ? undefined : draftOf(subresource === 'status' ? draft : wanted);
  strategyOf(resource.collection).prepareForUpdate?.(wanted, current, subresource);
  const next = isCustom ? wanted : withDefaults(rules, wanted);
  // The writer also comes to own restored fields.
  const isPutBack = asked !== undefined && !equal(asked, wanted);
  check(scope, shown, next);
  countGeneration(scope, shown, next);
  manage(scope, next, { live: shown, next: isPutBack ? withDefaults(rules, asked) : next, sent, ignored });
  return next;
}

/** Stores the result of {@link prepareUpdate}, at the storage version. */
export function storeUpdate(scope: WriteScope, current: ApiObject, draft: Draft): Updated {
  const { resource, rules, dryRun } = scope;
  const stored = resource.info.custom === undefined ? draft : withSortedMembers(draft);
  if (rules !== undefined && !dryRun) resource.trust(stored);
  return commit(scope, current, stored);
}

/** Reports whether an object is unchanged since its creation. */
const isNew = ({ store }: ServerContext, { metadata }: ApiObject): boolean =>
  store.changesSince(Number(metadata.resourceVersion) - 1)?.[0]?.type === 'ADDED';

function commit({ server, resource: { collection }, dryRun }: WriteScope, current: ApiObject, next: Draft): Updated {
  const strategy = strategyOf(collection);
  const isComplete = !strategy.storedWithoutDefaults || !isNew(server, current);
  if (isComplete && equal(next, current)) return { object: current, gone: false };
  const key = storeKeyOf(current.metadata.namespace, current.metadata.name);
  strategy.allocate?.(server, next, current);
  if (dryRun) strategy.releaseDryRun?.(server, next, current);
  else strategy.beforeStore?.(server, next, current);
  if (!isFinished(next) || strategy.canRemove?.(next) === false) {
    return { object: dryRun ? dryRunResult(next) : server.store.put(collection, key, next), gone: false };
  }
  if (!dryRun) {
    server.store.remove(collection, key);
    strategy.afterDelete?.(server, current);
  }
  return { object: dryRunResult(next), gone: true };
}

/** Reports whether a pending deletion can complete. */
const isFinished = ({ metadata }: Draft): boolean =>
  metadata.deletionTimestamp !== undefined &&
  (metadata.finalizers ?? []).length === 0 &&
  (metadata.deletionGracePeriodSeconds ?? 0) === 0;

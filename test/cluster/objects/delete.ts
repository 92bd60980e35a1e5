/** Deletes objects: preconditions, finalizers, grace periods and removal. */

import { timestampOf } from '../apimachinery/generated-metadata.ts';
import { type ApiObject, type Draft, draftOf, equal } from '../apimachinery/object.ts';
import { preconditionFailed } from '../apimachinery/status.ts';
import { strategyOf } from '../apis/builtin-table.ts';
import { type Resource, storeKeyOf } from '../resources/registry.ts';
import type { DeleteOptions } from '../server/delete-options.ts';
import type { Strategy } from '../server/strategy.ts';
import { dryRunResult, type WriteScope } from './write-scope.ts';

/** Result of a deletion. */
export interface Deletion {
  /** Object as it was removed, or as it waits for its finalizers or grace period. */
  readonly object: ApiObject;
  readonly gone: boolean;
}

/** Kinds whose dependents are orphaned by default. */
const orphaning = new Set(['/replicationcontrollers', 'batch/jobs']);

/** Checks the uid and resourceVersion preconditions of a deletion. Throws the server's 409. */
export function checkPreconditions(resource: Resource, current: ApiObject, options: DeleteOptions): void {
  const own = strategyOf(resource.collection).checkPreconditions;
  if (own !== undefined) {
    own(resource, current, options);
    return;
  }
  const { info } = resource;
  const { preconditions } = options;
  const { uid, resourceVersion, name } = current.metadata;
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) {
    throw preconditionFailed(
      info,
      name,
      `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  }
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    throw preconditionFailed(
      info,
      name,
      `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
  }
}

/** Returns the finalizers after a deletion: the garbage collector's two follow the propagation policy. */
function finalizersAfter({ collection }: Resource, current: ApiObject, options: DeleteOptions): readonly string[] {
  const before = current.metadata.finalizers ?? [];
  const others = before.filter((name) => name !== 'orphan' && name !== 'foregroundDeletion');
  const policy = options.propagationPolicy;
  if (policy === 'Orphan' || options.orphanDependents === true) return [...others, 'orphan'];
  if (policy === 'Foreground') return [...others, 'foregroundDeletion'];
  if (policy === 'Background' || options.orphanDependents === false) return others;
  if (others.length < before.length) return before;
  return orphaning.has(collection) ? [...before, 'orphan'] : before;
}

/** Returns the grace period of a pod in seconds; undefined for kinds without one. */
function graceOf(
  { collection }: Resource,
  current: ApiObject,
  { gracePeriodSeconds }: DeleteOptions,
): number | undefined {
  if (collection !== '/pods') return undefined;
  const spec = current.spec as { nodeName?: string; terminationGracePeriodSeconds?: number };
  const phase = (current.status as { phase?: string } | undefined)?.phase;
  if (!spec.nodeName || phase === 'Failed' || phase === 'Succeeded') return 0;
  const before = current.metadata.deletionGracePeriodSeconds;
  const wanted = gracePeriodSeconds ?? before ?? spec.terminationGracePeriodSeconds ?? 30;
  const asked = wanted < 0 ? 1 : wanted;
  return before === undefined ? asked : Math.min(before, asked);
}

/** Sets the deletion timestamp and grace period; a later deletion can only shorten them. */
function markTime(
  { server, resource: { info, collection } }: WriteScope,
  draft: Draft,
  grace: number | undefined,
): void {
  const { metadata } = draft;
  const dueIn = (seconds: number): void => {
    metadata.deletionTimestamp = timestampOf(server.clock.now() + seconds * 1000);
    metadata.deletionGracePeriodSeconds = seconds;
  };
  if (metadata.deletionTimestamp === undefined) {
    const strategy = strategyOf(collection);
    const counts = info.hasGeneration && strategy.deletionKeepsGeneration !== true;
    if (counts && (metadata.generation ?? 0) > 0) metadata.generation = metadata.generation! + 1;
    dueIn(grace ?? 0);
    strategy.markDeleted?.(server, draft);
  } else if (grace !== undefined && grace < (metadata.deletionGracePeriodSeconds ?? 0)) dueIn(grace);
}

/** Grace period and finalizers, which delay a removal. */
interface Delays {
  readonly grace: number | undefined;
  readonly finalizers: readonly string[];
}

/** Returns the object with its deletion timestamp, and with what delays its removal. */
function markedOf(scope: WriteScope, current: ApiObject, { grace, finalizers }: Delays): Draft {
  const marked = draftOf(current);
  if (finalizers.length > 0) marked.metadata.finalizers = finalizers;
  else delete marked.metadata.finalizers;
  markTime(scope, marked, grace);
  return marked;
}

/** Reports whether a marked object stays: finalizers, a grace period or its kind's strategy delay its removal. */
const isHeld = ({ collection }: WriteScope['resource'], marked: Draft, grace = 0): boolean =>
  (marked.metadata.finalizers ?? []).length > 0 || grace > 0 || strategyOf(collection).canRemove?.(marked) === false;

/** Reports whether an object that is deleted once is already marked, and still held by its kind's strategy. */
const isPending = (strategy: Strategy, current: ApiObject): boolean =>
  strategy.ignoresRepeatedDelete === true &&
  current.metadata.deletionTimestamp !== undefined &&
  !strategy.canRemove?.(current);

/** Deletes an object, or marks it as deleted when finalizers or a grace period delay its removal. Throws the server's 403 and 409. */
export function deleteObject(scope: WriteScope, current: ApiObject, options: DeleteOptions): Deletion {
  const { server, resource } = scope;
  const strategy = strategyOf(resource.collection);
  checkPreconditions(resource, current, options);
  strategy.validateDelete?.(current);
  if (isPending(strategy, current)) return { object: current, gone: false };
  const grace = graceOf(resource, current, options);
  const marked = markedOf(scope, current, { grace, finalizers: finalizersAfter(resource, current, options) });
  const dryRun = options.dryRun === true;
  const key = storeKeyOf(current.metadata.namespace, current.metadata.name);
  if (!isHeld(resource, marked, grace)) {
    // A kind with grace periods is marked before it is removed, and watches see both.
    const isMarked = grace !== undefined && !dryRun && !equal(marked, current);
    const last = isMarked ? server.store.put(resource.collection, key, marked) : current;
    return removeStored({ server, resource, dryRun }, last, draftOf(grace === undefined || isMarked ? last : marked));
  }
  if (equal(marked, current)) return { object: current, gone: false };
  return { object: dryRun ? dryRunResult(marked) : server.store.put(resource.collection, key, marked), gone: false };
}

function removeStored({ server, resource, dryRun }: WriteScope, current: ApiObject, answer: Draft): Deletion {
  if (dryRun) return { object: dryRunResult(answer), gone: true };
  const key = storeKeyOf(current.metadata.namespace, current.metadata.name);
  const last = server.store.remove(resource.collection, key) ?? current;
  answer.metadata.resourceVersion = last.metadata.resourceVersion!;
  strategyOf(resource.collection).afterDelete?.(server, current);
  return { object: dryRunResult(answer), gone: true };
}

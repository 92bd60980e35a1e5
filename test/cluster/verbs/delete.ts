import { type Machinery, timestampOf } from '../machinery.ts';
import { type ApiObject, draftOf, freeze } from '../objects/object.ts';
import { type Resource, storeKeyOf } from '../registry.ts';
import { preconditionFailed } from '../status.ts';
import { strategyOf } from '../strategies/strategies.ts';

/** What a deletion may ask for. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan' | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
  readonly dryRun?: boolean;
}

/** What a deletion left behind. */
export interface Deletion {
  /** The object as it was removed, or as it waits for its finalizers or its grace period. */
  readonly object: ApiObject;
  readonly gone: boolean;
}

/** Kinds whose dependents stay unless told otherwise. */
const orphaning = new Set(['/replicationcontrollers', 'batch/jobs']);

function checkPreconditions({ info }: Resource, current: ApiObject, { preconditions }: DeleteOptions): void {
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

/** The finalizers a deletion leaves: the garbage collector's own two follow the policy. */
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

/** Seconds a pod gets to stop; undefined for kinds that go at once. */
function graceOf(
  { collection }: Resource,
  current: ApiObject,
  { gracePeriodSeconds }: DeleteOptions,
): number | undefined {
  if (collection !== '/pods') return undefined;
  const spec = current.spec as { nodeName?: string; terminationGracePeriodSeconds?: number };
  const phase = (current.status as { phase?: string } | undefined)?.phase;
  if (!spec.nodeName || phase === 'Failed' || phase === 'Succeeded') return 0;
  const wanted = gracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 30;
  const asked = wanted < 0 ? 1 : wanted;
  const before = current.metadata.deletionGracePeriodSeconds;
  return before === undefined ? asked : Math.min(before, asked);
}

/** Deletes an object, or marks it as deleted when finalizers or a grace period keep it. Throws the server's 409. */
export function deleteObject(
  machinery: Machinery,
  resource: Resource,
  current: ApiObject,
  options: DeleteOptions,
): Deletion {
  const { store, clock } = machinery;
  const { collection, info } = resource;
  checkPreconditions(resource, current, options);
  const strategy = strategyOf(collection);
  strategy.refuseDelete?.(current);
  const grace = graceOf(resource, current, options);
  const finalizers = finalizersAfter(resource, current, options);
  const marked = draftOf(current);
  const { metadata } = marked;
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
  const first = metadata.deletionTimestamp === undefined;
  if (first) {
    if ((metadata.generation ?? 0) > 0 && info.hasGeneration) metadata.generation = metadata.generation! + 1;
    metadata.deletionTimestamp = timestampOf(clock.now() + (grace ?? 0) * 1000);
    metadata.deletionGracePeriodSeconds = grace ?? 0;
    strategy.markDeleted?.(machinery, marked);
  } else if (grace !== undefined && grace < (metadata.deletionGracePeriodSeconds ?? 0)) {
    metadata.deletionTimestamp = timestampOf(clock.now() + grace * 1000);
    metadata.deletionGracePeriodSeconds = grace;
  }
  const key = storeKeyOf(current.metadata.namespace, current.metadata.name);
  const stays = (metadata.finalizers ?? []).length > 0 || (grace ?? 0) > 0 || !(strategy.isReleased?.(marked) ?? true);
  if (!stays)
    return removed(
      machinery,
      { resource, key, dryRun: options.dryRun === true },
      current,
      grace === undefined ? draftOf(current) : marked,
    );
  const changed =
    first ||
    metadata.finalizers?.join() !== current.metadata.finalizers?.join() ||
    metadata.deletionGracePeriodSeconds !== current.metadata.deletionGracePeriodSeconds;
  if (!changed) return { object: current, gone: false };
  return { object: options.dryRun ? frozen(marked) : store.put(collection, key, marked), gone: false };
}

const frozen = (draft: object): ApiObject => freeze(draft) as unknown as ApiObject;

interface Removal {
  readonly resource: Resource;
  readonly key: string;
  readonly dryRun: boolean;
}

function removed(
  machinery: Machinery,
  { resource, key, dryRun }: Removal,
  current: ApiObject,
  answer: ReturnType<typeof draftOf>,
): Deletion {
  if (dryRun) return { object: frozen(answer), gone: true };
  const last = machinery.store.remove(resource.collection, key) ?? current;
  answer.metadata.resourceVersion = last.metadata.resourceVersion!;
  strategyOf(resource.collection).released?.(machinery, current);
  return { object: frozen(answer), gone: true };
}

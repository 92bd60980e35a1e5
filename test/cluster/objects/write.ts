import type { FieldError } from '../field-error.ts';
import type { KindRules } from '../kind-rules.ts';
import type { Machinery } from '../machinery.ts';
import { type Resource, storeKeyOf } from '../registry.ts';
import { alreadyExists, invalid, modified } from '../status.ts';
import { strategyOf } from '../strategies/strategies.ts';
import { bumpGeneration, stampNew, stampUpdated } from './metadata.ts';
import { metadataErrors, metadataUpdateErrors } from './metadata-rules.ts';
import { type ApiObject, type Draft, type DraftMeta, draftOf, equal, type Fields, freeze } from './object.ts';

/** Where and how a write happens. */
export interface WriteScope {
  readonly resource: Resource;
  /** The kind's defaults and checks; controllers, which know what they write, go without. */
  readonly rules?: KindRules;
  readonly dryRun?: boolean;
  /** Only for updates: the subresource written to. */
  readonly subresource?: string;
}

/** What a write left behind. */
export interface Written {
  /** The object as stored (in the stored version). */
  readonly object: ApiObject;
  /** Whether this update was the last thing that a deletion waited for. */
  readonly gone: boolean;
}

const generateAttempts = 8;

/** The draft with its kind's defaults. */
function filledBy(rules: KindRules | undefined, draft: Draft): Draft {
  if (rules === undefined) return draft;
  const filled = rules.defaults(draft);
  return { ...filled, metadata: { ...(filled.metadata as DraftMeta) } } as Draft;
}

/** The frozen form of a draft that is not stored: what a dry run answers. */
const unsaved = (draft: Draft): ApiObject => freeze(draft) as unknown as ApiObject;

function refuse({ info }: Resource, draft: Draft, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(info, draft.metadata.name ?? '', errors);
}

/**
 * Stores a new object: stamps its metadata, applies defaults, validates. The draft's metadata must be its own.
 * Throws the server's 422 and 409.
 */
export function createObject(machinery: Machinery, scope: WriteScope, draft: Draft): ApiObject {
  const { resource, rules, dryRun = false } = scope;
  const { info, collection } = resource;
  const strategy = strategyOf(collection);
  const generated = (draft.metadata.name ?? '') === '';
  stampNew(machinery, info, draft);
  if (info.hasStatus && !strategy.keepsStatus) delete draft.status;
  strategy.prepareForCreate?.(machinery, draft);
  const filled = filledBy(rules, draft);
  refuse(resource, draft, [...(rules?.validate(filled) ?? []), ...metadataErrors(filled, info.custom !== undefined)]);
  const stored = resource.toStored(filled);
  for (let attempt = 1; ; attempt += 1) {
    const key = storeKeyOf(stored.metadata.namespace, stored.metadata.name ?? '');
    const existing = machinery.store.get(collection, key);
    if (existing === undefined) {
      strategy.allocate?.(machinery, stored, undefined);
      if (!dryRun) {
        const written = machinery.store.put(collection, key, stored);
        if (rules !== undefined) resource.trust(written);
        return written;
      }
      const object = unsaved(stored);
      strategy.released?.(machinery, object);
      return object;
    }
    if (!generated || attempt === generateAttempts) {
      throw alreadyExists(info, stored.metadata.name ?? '', existing.metadata.deletionTimestamp !== undefined);
    }
    delete stored.metadata.name;
    stampNew(machinery, info, stored);
  }
}

/** What a write to a subresource may change: everything else is put back from the current object. */
function onlyStatus({ info }: Resource, current: ApiObject, draft: Draft): Draft {
  const result = draftOf(current);
  if (draft.status === undefined) delete result.status;
  else result.status = draft.status;
  if (info.statusUpdatesMetadata) result.metadata = draft.metadata;
  return result;
}

/**
 * Stores a changed object. `current` is what the store holds, `draft` the whole new object at the resource's version.
 * Nothing is written, and the current object answered, when nothing has changed. Throws the server's 409 and 422.
 */
export function updateObject(machinery: Machinery, scope: WriteScope, current: ApiObject, draft: Draft): Written {
  const { resource, rules, subresource, dryRun = false } = scope;
  const { info, collection } = resource;
  const shown = resource.view(current);
  const version = draft.metadata.resourceVersion;
  if (version && version !== '0' && version !== current.metadata.resourceVersion)
    throw modified(info, current.metadata.name);
  stampUpdated(shown, draft);
  // The server checks these twice, and its answer has each cause twice.
  const metadataProblems = metadataUpdateErrors(shown, draft);
  const wanted = subresource === 'status' ? onlyStatus(resource, shown, draft) : draft;
  const strategy = strategyOf(collection);
  if (subresource === undefined && info.hasStatus) {
    if (shown.status === undefined) delete wanted.status;
    else wanted.status = shown.status;
  }
  strategy.prepareForUpdate?.(wanted, current, subresource);
  const next = filledBy(rules, wanted);
  const part = subresource === 'status' ? 'status' : 'object';
  refuse(resource, draft, [
    ...metadataProblems,
    ...metadataProblems,
    ...(rules?.validate(next, shown as unknown as Fields, part) ?? []),
    ...metadataErrors(next, info.custom !== undefined),
  ]);
  if (subresource !== 'binding') bumpGeneration(info, shown, next, strategy.countsAnnotations);
  const written = commit(machinery, { resource, dryRun }, current, resource.toStored(next));
  if (rules !== undefined && !dryRun) resource.trust(written.object);
  return written;
}

function commit(machinery: Machinery, scope: WriteScope, current: ApiObject, next: Draft): Written {
  const {
    resource: { collection },
    dryRun,
  } = scope;
  const strategy = strategyOf(collection);
  if (equal(next, current)) return { object: current, gone: false };
  const key = storeKeyOf(current.metadata.namespace, current.metadata.name);
  if (!dryRun) strategy.allocate?.(machinery, next, current);
  if (isFinished(next) && (strategy.isReleased?.(next) ?? true)) {
    if (!dryRun) {
      machinery.store.remove(collection, key);
      strategy.released?.(machinery, current);
    }
    return { object: unsaved(next), gone: true };
  }
  return { object: dryRun ? unsaved(next) : machinery.store.put(collection, key, next), gone: false };
}

/** Whether nothing holds a deletion back any more. */
const isFinished = ({ metadata }: Draft): boolean =>
  metadata.deletionTimestamp !== undefined &&
  (metadata.finalizers ?? []).length === 0 &&
  (metadata.deletionGracePeriodSeconds ?? 0) === 0;

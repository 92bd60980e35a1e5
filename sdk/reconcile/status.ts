/** Drafts of the status, written as one patch. */

import type { Draft } from 'immer';
import { copyOf, isSameJson } from '../api/json.ts';
import type { KubeObject } from '../api/object.ts';
import { add, type JsonPatchOperation, pointer, remove, test } from '../api/patch.ts';
import { type NewStandardCondition, type StandardCondition, withCondition } from '../api/standard-condition.ts';
import { patchTested } from '../client/patch-tested.ts';
import { GiveUpError, NotFoundError } from '../errors.ts';
import type { Request } from './reconciler.ts';

/** Default condition type for the outcome of the last run or pass, in all models. */
export const successCondition = 'Ready';

/** Reason of a condition that a model writes: done, to be run again, failed and retried, or given up until the object changes. */
export type OutcomeReason = 'Success' | 'Waiting' | 'Failed' | 'GivenUp';

/** Returns the reason of a failure. */
export const failureReason = (error: unknown): OutcomeReason => (error instanceof GiveUpError ? 'GivenUp' : 'Failed');

/** Status type of a kind; any record when the kind declares none. */
export type StatusOf<T extends KubeObject> = T extends { readonly status?: infer S }
  ? NonNullable<S>
  : Readonly<Record<string, unknown>>;

type Fields = Readonly<Record<string, unknown>>;

/** Draft of one object's status during a pass, written once. */
export interface StatusDraft<T extends KubeObject> {
  /** Mutable copy of the status. */
  readonly value: Draft<StatusOf<T>>;
  /** Sets a condition for the object's generation. */
  condition(next: Omit<NewStandardCondition, 'observedGeneration'>): void;
  /**
   * Patches the fields that differ, with a test of their observed values; sends nothing when none differs.
   * Does nothing for an object that does not exist any more, or whose kind has no status.
   * @throws StaleError when a field has changed on the server, RefusedError when the schema, a policy or a webhook stands against it
   */
  write(): Promise<void>;
}

/** Returns the JSON patch from the observed status to `next`; empty when nothing differs. */
export function statusChanges(
  { metadata: { uid } }: KubeObject,
  seen: Fields | undefined,
  next: Fields,
): readonly JsonPatchOperation[] {
  const fields = [...new Set([...Object.keys(seen ?? {}), ...Object.keys(next)])];
  const changed = fields.filter((field) => !isSameJson(seen?.[field], next[field]));
  if (changed.length === 0) return [];
  const tests = seen === undefined ? [test('/status', null), add('/status', {})] : [];
  const changes = changed.flatMap((field): readonly JsonPatchOperation[] => {
    const path = pointer('status', field);
    const change = next[field] === undefined ? remove(path) : add(path, next[field]);
    return seen === undefined ? [change] : [test(path, seen[field]), change];
  });
  return [test('/metadata/uid', uid), ...tests, ...changes];
}

/** Creates a draft of the status of `object`. */
export function draftOf<T extends KubeObject>(
  { client, kind, key, clock, signal, logger }: Request<T>,
  object: T,
): StatusDraft<T> {
  const { status: seen } = object as { readonly status?: Fields };
  const value: Record<string, unknown> = copyOf(seen ?? {});
  const { generation } = object.metadata;
  return {
    value: value as Draft<StatusOf<T>>,
    condition(next) {
      const conditions = (value.conditions ?? []) as readonly StandardCondition[];
      const observed = generation === undefined ? {} : { observedGeneration: generation };
      value.conditions = withCondition(conditions, { ...next, ...observed }, clock.now());
    },
    async write() {
      const operations = statusChanges(object, seen, value);
      if (operations.length === 0) return;
      const options = { signal, subresource: 'status', answer: 'metadata' } as const;
      try {
        await patchTested(client, { kind, key, operations }, options);
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        logger.debug({ err: error }, 'no status to write: the object is gone, or its kind has none');
      }
    },
  };
}

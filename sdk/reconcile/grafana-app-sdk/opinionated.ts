/** Opinionated reconciler: finalizers record which objects were handled (grafana-app-sdk). */

import { hasFinalizer } from '../../api/finalizer.ts';
import { type Kind, resourceOf } from '../../api/kind.ts';
import { isDeleting, type KubeObject } from '../../api/object.ts';
import { RetryError } from '../../errors.ts';
import { messageOf } from '../../thrown.ts';
import { patchFinalizers } from '../finalizer-patch.ts';
import { eventOf, type ObjectEvent, type ReconcileAction, requestWithEvent } from '../object-event.ts';
import { asksForMore, done, type Reconciler, type Request, type Result } from '../reconciler.ts';
import { isSignificantChange } from '../significant-change.ts';
import { declareConditions } from '../written-conditions.ts';
import { type Handler, simple } from './simple.ts';

/** Options of {@link opinionated}. */
export interface OpinionatedOptions {
  /**
   * Finalizer; two operators of one kind need different ones. A domain alone, as grafana-app-sdk named them, is accepted for existing objects.
   * @default `<plural>.<group>/operator`, see {@link defaultFinalizer}
   */
  readonly finalizer?: string;
  /**
   * `'before'`: an in-progress finalizer is added before the first call and replaced by the real one after that call succeeded.
   * `'after'`: the original order of grafana-app-sdk, which adds only the real finalizer, after the first call; an object that is deleted before
   * that is not cleaned up.
   * @default 'before'
   */
  readonly claim?: 'before' | 'after';
}

/** Returns the default finalizer, named by kind and group without the version, so that it survives an upgrade. */
export const defaultFinalizer = (kind: Pick<Kind, 'group' | 'plural'>): string => `${resourceOf(kind)}/operator`;

/** Returns the in-progress finalizer, which an object has until it was handled for the first time. */
export const inProgressFinalizer = (finalizer: string): string => `${finalizer}-wip`;

/** Step for one event of an object. */
export interface OpinionatedStep {
  /** Adds the in-progress finalizer first. */
  readonly claim?: true;
  /** Action for the inner reconciler, which is not called without one. */
  readonly delegate?: ReconcileAction;
  /** Follows a successful run: `'settle'` replaces the in-progress finalizer by the real one, `'release'` removes both. */
  readonly afterwards?: 'settle' | 'release';
}

const noStep: OpinionatedStep = {};

/** Actions for objects with the finalizer: after a restart, `created` is a resync of a handled object. */
const actionsAfterHandling: Readonly<Record<ReconcileAction, ReconcileAction>> = {
  created: 'resynced',
  updated: 'updated',
  deleted: 'deleted',
  resynced: 'resynced',
};

/** Progress of the first call for an object; `inProgress` with the in-progress finalizer only. */
type FinalizerState = 'absent' | 'inProgress' | 'handled';

const release: OpinionatedStep = { delegate: 'deleted', afterwards: 'release' };

/** Steps for an object that is being deleted; an object without finalizers of this reconciler is skipped. */
const deletionSteps: Readonly<Record<FinalizerState, OpinionatedStep>> = {
  absent: noStep,
  inProgress: release,
  handled: release,
};

/** Returns the progress of the first call, derived from the finalizers. */
function finalizerState(object: KubeObject, finalizer: string): FinalizerState {
  if (hasFinalizer(object, finalizer)) return 'handled';
  return hasFinalizer(object, inProgressFinalizer(finalizer)) ? 'inProgress' : 'absent';
}

/** Decides the step by the deletion timestamp, the finalizers, and the significance of the change, in this order. Pure. */
export function opinionatedStep<T extends KubeObject>(
  { action, object, previous, isTerminating }: ObjectEvent<T>,
  { finalizer, claim }: Required<OpinionatedOptions>,
): OpinionatedStep {
  if (action === 'deleted' && !isTerminating) return noStep;
  const state = finalizerState(object, finalizer);
  if (isDeleting(object)) return deletionSteps[state];
  // Includes the event of the in-progress finalizer itself; a failed first call is retried by the engine.
  if (state !== 'absent' && action === 'updated' && !isSignificantChange(previous, object)) return noStep;
  if (state === 'handled') return { delegate: actionsAfterHandling[action] };
  const isUnclaimed = claim === 'before' && state === 'absent';
  return { ...(isUnclaimed && { claim: true }), delegate: 'created', afterwards: 'settle' };
}

const qualifiedPattern = /^[^/]+\/[^/]+$/;
/** Form of grafana-app-sdk's finalizers; servers accept it for custom resources, with a warning. */
const domainPattern = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

const checkName = (finalizer: string): void => {
  if (finalizer === '') throw new TypeError('finalizer cannot be empty');
  if (!qualifiedPattern.test(finalizer) && !domainPattern.test(finalizer))
    throw new TypeError(
      `finalizer ${finalizer} must be a domain, "/" and a name, such as example.com/cleanup, or at least a domain`,
    );
  const [name = '', domain = ''] = finalizer.split('/').reverse();
  if (domain.length > 253 || inProgressFinalizer(name).length > 63)
    throw new TypeError(`finalizer ${finalizer} is too long: 253 characters before the "/" and 59 after it at most`);
};

const namesOf = (finalizer: string): readonly string[] => [finalizer, inProgressFinalizer(finalizer)];

/** Adds the in-progress finalizer. Returns undefined if the object was deleted or is being deleted: its next event is the deletion. */
async function addInProgressFinalizer<T extends KubeObject>(
  request: Request<T>,
  object: T,
  finalizer: string,
): Promise<T | undefined> {
  const patched = await patchFinalizers(request, object, { add: [inProgressFinalizer(finalizer)] });
  return patched !== undefined && isDeleting(patched) ? undefined : patched;
}

/** Patches the finalizers after a successful run. A failed patch is retried without calling the inner reconciler again. */
async function finish<T extends KubeObject>(
  request: Request<T>,
  event: ObjectEvent<T>,
  outcome: OpinionatedOutcome,
): Promise<void> {
  const { finalizer, step, result } = outcome;
  const change =
    step.afterwards === 'settle'
      ? { add: [finalizer], remove: [inProgressFinalizer(finalizer)] }
      : { remove: namesOf(finalizer) };
  try {
    await patchFinalizers(request, event.object, { ...change, answer: 'metadata' });
  } catch (error) {
    const state = { ...request.state, ...result.state, [finalizer]: step.delegate };
    throw new RetryError(`finalizers could not be changed: ${messageOf(error)}`, { cause: error, state });
  }
}

interface OpinionatedOutcome {
  readonly finalizer: string;
  readonly step: OpinionatedStep;
  readonly result: Result;
}

/**
 * Wraps a handler so that no event is missed across restarts: finalizers record which objects were handled.
 *
 * # Expected flow
 * 1. A new object gets an in-progress finalizer; `handler` receives `created`; after a successful run the real finalizer replaces it.
 * 2. After a restart, an object with the finalizer is reported as `resynced`.
 * 3. Insignificant updates, of the status or finalizers only, are skipped.
 * 4. An object that is being deleted is reported as `deleted` until the handler succeeds; then both finalizers are removed.
 *
 * # Guarantees
 * Every object for which `created` was ever called is cleaned up: it is reported as `deleted`, even if `created` never succeeded (not with
 * `claim: 'after'`). Finalizers of other controllers are never touched, and none is added to an object that is being deleted.
 * The actual removal of an object calls no handler. After a failed finalizer patch only the patch is repeated, not the handler.
 *
 * # Caveats
 * `created` may be called again after an interrupted call: it must be idempotent.
 *
 * @throws TypeError for a finalizer that no server would accept
 */
export function opinionated<T extends KubeObject>(options: OpinionatedOptions, handler: Handler<T>): Reconciler<T> {
  if (options.finalizer !== undefined) checkName(options.finalizer);
  const inner = simple(handler);
  const { claim = 'before' } = options;
  return declareConditions('opinionated', { inner: [[inner]] }, async (request) => {
    const event = eventOf(request);
    if (event === undefined) return done;
    const { finalizer = defaultFinalizer(request.kind) } = options;
    const step = opinionatedStep(event, { finalizer, claim });
    if (step.delegate === undefined) return done;
    const object = step.claim ? await addInProgressFinalizer(request, event.object, finalizer) : event.object;
    if (object === undefined) return done;
    const delegated: ObjectEvent<T> = {
      ...event,
      action: step.delegate,
      object,
      ...(step.delegate === 'deleted' && { isTerminating: true }),
    };
    const isDone = step.afterwards !== undefined && request.state?.[finalizer] === step.delegate;
    const result = isDone ? done : await inner({ ...requestWithEvent(request, delegated), finalizer });
    if (step.afterwards !== undefined && !asksForMore(result))
      await finish(request, delegated, { finalizer, step, result });
    return result;
  });
}

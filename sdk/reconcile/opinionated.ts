import { hasFinalizer } from '../api/finalizer.ts';
import { type Kind, resourceOf } from '../api/kind.ts';
import { isDeleting, type KubeObject } from '../api/object.ts';
import { messageOf, RetryError } from '../errors.ts';
import { patchFinalizers } from './finalizer-patch.ts';
import { eventOf, type ObjectEvent, type ReconcileAction, requestAbout } from './object-event.ts';
import { asksForMore, done, type Reconciler, type Request, type Result } from './reconciler.ts';
import { isSignificantChange } from './significant-change.ts';
import { type Handler, simple } from './simple.ts';

export interface OpinionatedOptions {
  /** Two operators of one kind need two. A domain alone, as grafana-app-sdk named them, is taken for what is there already. @default `<plural>.<group>/operator`, see {@link defaultFinalizer} */
  readonly finalizer?: string;
  /**
   * `'before'`: an in-progress finalizer is there before the first call, and the real one takes its place after that call went well.
   * `'after'`: grafana-app-sdk's first order, only the real one after the first call; an object that is deleted while that call fails or
   * before the patch is gone without a clean-up.
   * @default 'before'
   */
  readonly claim?: 'before' | 'after';
}

/** Named by kind and group but not by version: an upgrade finds it again. */
export const defaultFinalizer = (kind: Pick<Kind, 'group' | 'plural'>): string => `${resourceOf(kind)}/operator`;

/** What stands for the finalizer until an object was handled for the first time. */
export const inProgressFinalizer = (finalizer: string): string => `${finalizer}-wip`;

/** What happens to one object now. */
export interface OpinionatedStep {
  /** Whether the in-progress finalizer is added before. */
  readonly claim?: true;
  /** What the inner reconciler is told; absent: it is not called. */
  readonly delegate?: ReconcileAction;
  /** After a clean run: the real finalizer is put in the place of the other, or both are removed. */
  readonly afterwards?: 'settle' | 'release';
}

const rest: OpinionatedStep = {};

/** Decides what happens: deletion first, then whether the object was ever handled, then whether the change matters. Pure. */
export function opinionatedStep<T extends KubeObject>(
  { action, object, previous, isStillThere }: ObjectEvent<T>,
  { finalizer, claim }: Required<OpinionatedOptions>,
): OpinionatedStep {
  if (action === 'deleted' && !isStillThere) return rest;
  const isHeld = hasFinalizer(object, finalizer);
  const isBegun = hasFinalizer(object, inProgressFinalizer(finalizer));
  if (isDeleting(object)) return isHeld || isBegun ? { delegate: 'deleted', afterwards: 'release' } : rest;
  const isNews = action !== 'updated' || isSignificantChange(previous, object);
  if (isHeld) {
    if (!isNews) return rest;
    return { delegate: action === 'created' ? 'resynced' : action };
  }
  // Our own mark has come back; the retry of the first call goes on.
  if (isBegun && !isNews) return rest;
  return { ...(claim === 'before' && !isBegun && { claim: true }), delegate: 'created', afterwards: 'settle' };
}

const isQualified = /^[^/]+\/[^/]+$/;
/** What grafana-app-sdk called its finalizers; servers take it for custom resources, with a warning. */
const isDomain = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

const checkName = (finalizer: string): void => {
  if (finalizer === '') throw new TypeError('finalizer cannot be empty');
  if (!isQualified.test(finalizer) && !isDomain.test(finalizer))
    throw new TypeError(
      `finalizer ${finalizer} must be a domain, "/" and a name, such as example.com/cleanup, or at least a domain`,
    );
  const [name = '', domain = ''] = finalizer.split('/').reverse();
  if (domain.length > 253 || inProgressFinalizer(name).length > 63)
    throw new TypeError(`finalizer ${finalizer} is too long: 253 characters before the "/" and 59 after it at most`);
};

const namesOf = (finalizer: string): readonly string[] => [finalizer, inProgressFinalizer(finalizer)];

/** Carries out what follows a clean run. A failure is tried again without calling the inner reconciler once more. */
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
 * No event is missed whatever happens to the operator: a finalizer keeps what was handled, and tells it from what is new.
 *
 * # Expected flow
 * 1. A new object is marked with an in-progress finalizer; `handler` is told `created`; after a clean run the real finalizer takes its place.
 * 2. After a restart, an object that has the finalizer is told as `resynced`.
 * 3. Updates that change nothing an author wants (status, finalizers) are passed over.
 * 4. An object that is being deleted is told as `deleted`, until that went well; then both finalizers go and so does the object.
 *
 * # Guarantees
 * What began is cleaned up: `deleted` comes for every object for which `created` was ever called, also if it never went well (not with
 * `claim: 'after'`). Finalizers of others are never touched, and nothing is added to an object that is being deleted.
 * The real end of an object calls nobody. A clean run whose finalizers could not be changed is not repeated, only the change is.
 *
 * # Caveats
 * `created` may be called again for an object whose call was cut short: it must be idempotent.
 *
 * @throws TypeError for a finalizer that no server would take
 */
export function opinionated<T extends KubeObject>(options: OpinionatedOptions, handler: Handler<T>): Reconciler<T> {
  if (options.finalizer !== undefined) checkName(options.finalizer);
  const inner = simple(handler);
  const { claim = 'before' } = options;
  return async (request) => {
    const event = eventOf(request);
    if (event === undefined) return done;
    const { finalizer = defaultFinalizer(request.kind) } = options;
    const step = opinionatedStep(event, { finalizer, claim });
    if (step.delegate === undefined) return done;
    const object = step.claim
      ? await patchFinalizers(request, event.object, { add: [inProgressFinalizer(finalizer)] })
      : event.object;
    // Gone, or being deleted, by the time it was claimed: its next event says so.
    if (object === undefined || (step.claim && isDeleting(object))) return done;
    const about: ObjectEvent<T> = {
      ...event,
      action: step.delegate,
      object,
      ...(step.delegate === 'deleted' && { isStillThere: true }),
    };
    const isHandled = step.afterwards !== undefined && request.state?.[finalizer] === step.delegate;
    const result = isHandled ? done : await inner({ ...requestAbout(request, about), finalizer });
    if (step.afterwards !== undefined && !asksForMore(result))
      await finish(request, about, { finalizer, step, result });
    return result;
  };
}

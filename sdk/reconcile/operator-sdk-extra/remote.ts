/** Reconciler of one external object by diff (operator-sdk-extra's Remote). */

import type { KubeObject } from '../../api/object.ts';
import { group } from '../../api/workspace.ts';
import { finalizer } from '../finalizer.ts';
import { type Context, type PassHooks, pass, type Step, type StepResult } from '../pass.ts';
import {
  asksForMore,
  type Correction,
  combineResults,
  done,
  type Reconciler,
  type Result,
  stop,
} from '../reconciler.ts';
import { type Json, shapeOf, threeWayPatch, unionOfShapes } from '../three-way.ts';
import { type LastApplied, lastAppliedFor } from './last-applied.ts';

/** Current and desired state of the external object. */
export interface Reading<R> {
  /** Current state; undefined when the external object does not exist. */
  readonly current: R | undefined;
  readonly wanted: R;
}

/** Result of a comparison. */
export interface Difference<R> {
  readonly needCreate: boolean;
  readonly needUpdate: boolean;
  /** State after the update: the desired members, and those that other clients have set. */
  readonly next: R;
  /** Difference, for logs and for APIs that take merge patches (RFC 7396). */
  readonly diff?: Json | undefined;
}

/** Returns the annotation with the members of the external object that a remote has set, as JSON without their values. */
export const outsideAnnotation = (name?: string): string => `${group}/outside${name === undefined ? '' : `-${name}`}`;

/** Context of a pass over one external object, with the results of the steps so far. */
export interface RemoteContext<T extends KubeObject, A, R> extends Context<T> {
  /** Client that `connect` returned; undefined before. */
  readonly api: A | undefined;
  /** Result of `read`; undefined before, and while the object is being deleted. */
  readonly reading: Reading<R> | undefined;
  /** Result of `diff`; undefined before, and while the object is being deleted. */
  readonly difference: Difference<R> | undefined;
}

/** Context after the last step. */
export interface RemoteSuccess<T extends KubeObject, A, R> extends RemoteContext<T, A, R> {
  readonly api: A;
  readonly reading: Reading<R>;
  /** Difference of this pass, already corrected. */
  readonly difference: Difference<R>;
}

/**
 * External object that a Kubernetes object represents; `A` is the client of its API, `R` its state. All hooks of a pass receive the same context.
 */
export interface Remote<T extends KubeObject, A, R> extends Pick<PassHooks<T>, 'status'> {
  /**
   * Name, required for several remotes of one object: each records its members in its own annotation. Up to 40 lower-case letters, digits and dashes.
   * @default none
   */
  readonly name?: string;
  /**
   * Finalizer that is kept until the external object is deleted. @default none: the external object is deleted only under an enclosing finalizer
   */
  readonly finalizer?: string;
  /** Returns the client of this pass. Undefined means that the API does not exist any more: a deletion succeeds. */
  connect(context: Context<T>): Promise<A | undefined>;
  /** Reads the current and the desired state. Returning a result ends the pass, for example until a dependency exists. Not called during deletion. */
  read(context: Context<T>, api: A): Promise<Reading<R> | Result>;
  /** Compares the states. @default a three-way diff of the last applied, current and desired state */
  diff?(context: RemoteContext<T, A, R>, reading: Reading<R>): Promise<Difference<R>>;
  /**
   * Creates the external object. Must be idempotent: after a crash it is called again. Where that is impossible, use `externalResource`.
   */
  create(context: Context<T>, api: A, wanted: R): StepResult;
  update(context: Context<T>, api: A, difference: Difference<R>): StepResult;
  /** Deletes the external object; called only while a finalizer is kept for it. Must be idempotent; success when there is nothing to delete. */
  delete(context: Context<T>, api: A): StepResult;
  /** Handles an error of a step, see {@link PassHooks}; the context has the results of the steps so far. */
  onError?(context: RemoteContext<T, A, R>, error: unknown, step: string): StepResult;
  /** Called after the last step; its result becomes the result of the pass. */
  onSuccess?(context: RemoteSuccess<T, A, R>): StepResult;
}

const threeWay = <R>({ applied }: LastApplied, { current, wanted }: Reading<R>): Difference<R> => {
  if (current === undefined) return { needCreate: true, needUpdate: false, next: wanted };
  const change = threeWayPatch(applied(), current as Json, wanted as Json);
  if (change === undefined) return { needCreate: false, needUpdate: false, next: current };
  return { needCreate: false, needUpdate: true, next: change.next as R, diff: change.patch };
};

/** Context of one pass; each step sets its result. */
type RemoteProgress<T extends KubeObject, A, R> = {
  -readonly [Member in keyof RemoteSuccess<T, A, R>]: RemoteSuccess<T, A, R>[Member];
};

function remoteSteps<T extends KubeObject, A, R>(options: Remote<T, A, R>, context: Context<T>): readonly Step[] {
  const lastApplied = lastAppliedFor(context, outsideAnnotation(options.name));
  const progress = context as RemoteProgress<T, A, R>;
  return [
    {
      name: 'connect',
      async run() {
        progress.api = await connect(options, context);
      },
    },
    {
      name: 'read',
      async run() {
        const found = await options.read(context, progress.api);
        if (!('wanted' in found)) return asksForMore(found) ? found : stop;
        progress.reading = found;
      },
    },
    {
      name: 'diff',
      async run() {
        progress.difference =
          (await options.diff?.(progress, progress.reading)) ?? threeWay(lastApplied, progress.reading);
      },
    },
    ...changeSteps(options, lastApplied, progress),
  ];
}

async function connect<T extends KubeObject, A, R>(options: Remote<T, A, R>, context: Context<T>): Promise<A> {
  const api = await options.connect(context);
  if (api === undefined) throw new Error('connect: there is no API to connect to');
  return api;
}

/**
 * Returns the steps that apply changes. Members are recorded before they are set and dropped from the record after their removal, so a crash loses
 * none. A result of `create` does not skip `update`: their results are combined at the end.
 */
function changeSteps<T extends KubeObject, A, R>(
  options: Remote<T, A, R>,
  lastApplied: LastApplied,
  progress: RemoteProgress<T, A, R>,
): readonly Step[] {
  const { object, events, onCorrection } = progress;
  const results: Result[] = [];
  const what = options.name ?? 'outside';
  const wanted = () => shapeOf(progress.reading.wanted as Json);
  const report = (reason: string, message: string, change: Omit<Correction, 'what'>): void => {
    events.event(object, 'Normal', reason, message);
    onCorrection?.({ ...change, what });
  };
  return [
    {
      name: 'create',
      async run() {
        const { api, reading, difference } = progress;
        if (difference.needCreate || difference.needUpdate)
          await lastApplied.record(unionOfShapes(lastApplied.applied(), wanted()));
        if (difference.needCreate) results.push((await options.create(progress, api, reading.wanted)) ?? done);
      },
    },
    {
      name: 'update',
      async run() {
        const { api, difference } = progress;
        if (difference.needUpdate) results.push((await options.update(progress, api, difference)) ?? done);
      },
    },
    {
      name: 'apply',
      async run() {
        const { difference } = progress;
        await lastApplied.record(wanted());
        if (difference.needCreate) report('CreateCompleted', 'made outside', { action: 'create' });
        const { diff } = difference;
        if (difference.needUpdate)
          report('UpdateCompleted', 'changed outside', { action: 'update', ...(diff !== undefined && { diff }) });
        return combineResults(results);
      },
    },
  ];
}

/** Returns the steps while the object is being deleted. */
const deletionSteps = <T extends KubeObject, A, R>(options: Remote<T, A, R>, context: Context<T>): readonly Step[] => [
  {
    name: 'delete',
    async run() {
      const api = await options.connect(context);
      if (api === undefined) return undefined;
      Object.assign(context, { api });
      const result = (await options.delete(context, api)) ?? done;
      if (!asksForMore(result)) context.events.event(context.object, 'Normal', 'DeleteCompleted', 'deleted outside');
      return result;
    },
  },
];

/**
 * Reconciles one external object (operator-sdk-extra's Remote, "the terraform way"): connect, read, diff, create or update; delete with the object.
 *
 * # Guarantees
 * Members of other clients are kept; members that are no longer desired are removed, even after a crash.
 * No external value is stored in the cluster. Nothing is written anywhere when nothing differs.
 * `read` and `diff` do not run during deletion, so they cannot block it.
 * The external object is deleted only under a finalizer, either of the remote or of an enclosing `finalizer`, `phases`, `router` or
 * `opinionated`; finalizers of other controllers do not count.
 *
 * @throws TypeError for a name that is invalid in an annotation
 */
export function remote<T extends KubeObject, A, R>(options: Remote<T, A, R>): Reconciler<T> {
  const { name } = options;
  if (name !== undefined && !/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(name))
    throw new TypeError(`remote: a name is up to 40 lower-case letters, digits and dashes, found ${name}`);
  const reconcile = pass<T>({
    ...(options.status !== undefined && { status: options.status }),
    warning: 'ReconcilerActionError',
    steps: (context) => remoteSteps(options, context),
    cleanUp: (context) => deletionSteps(options, context),
    onError: async (context, error, step) => options.onError?.(context as RemoteContext<T, A, R>, error, step),
    onSuccess: async (context) => options.onSuccess?.(context as RemoteSuccess<T, A, R>),
  });
  return options.finalizer === undefined ? reconcile : finalizer(options.finalizer, reconcile, { report: true });
}

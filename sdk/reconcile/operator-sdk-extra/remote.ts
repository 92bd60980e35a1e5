/** Reconciles one external object by diff (operator-sdk-extra's Remote). */

import { canonicalJson } from '../../api/digest.ts';
import type { KubeObject } from '../../api/object.ts';
import { group } from '../../api/workspace.ts';
import { finalizer } from '../finalizer.ts';
import { type Context, type PassHooks, pass, type Step, type StepResult } from '../pass.ts';
import { asksForMore, type Correction, combined, done, type Reconciler, type Result, stop } from '../reconciler.ts';
import { changeTo, type Json, type Shape, shapeOf, united } from '../three-way.ts';
import { lastAppliedOf } from './child-change.ts';

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
  /** State after the update: the desired one, plus what other clients have set. */
  readonly next: R;
  /** Difference, for logs and for APIs that take merge patches (RFC 7396). */
  readonly diff?: Json | undefined;
}

/** Returns the annotation of the members that a remote has set externally, without their values; JSON. */
export const outsideAnnotation = (name?: string): string => `${group}/outside${name === undefined ? '' : `-${name}`}`;

/** Context of a pass over one external object, with the findings of the steps so far. */
export interface RemoteContext<T extends KubeObject, A, R> extends Context<T> {
  /** Client that `connect` has returned; undefined before. */
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
 * External object that a Kubernetes object stands for; `A` is the client of its API, `R` its state. All hooks of a pass receive one context, whose
 * `data` is the run's own.
 */
export interface Remote<T extends KubeObject, A, R> extends Pick<PassHooks<T>, 'status'> {
  /**
   * Name, needed when an object stands for several external ones, since each records what it has set; lower-case letters, digits and dashes.
   * @default none
   */
  readonly name?: string;
  /**
   * Finalizer that is kept until the external object is deleted. @default none: it outlives the object, unless a finalizer around the remote is kept
   * for it
   */
  readonly finalizer?: string;
  /** Returns the client of this pass. Undefined means that the whole API is permanently gone: a deletion has nothing to delete. */
  connect(context: Context<T>): Promise<A | undefined>;
  /** Reads the states. A result instead of a reading means that it is too early: it ends the pass. Not called while the object is being deleted. */
  read(context: Context<T>, api: A): Promise<Reading<R> | Result>;
  /** Compares the states. @default a three-way diff of the last applied, current and desired state */
  diff?(context: RemoteContext<T, A, R>, reading: Reading<R>): Promise<Difference<R>>;
  /**
   * Creates the external object. Must be idempotent: a crash may lose the record of it. If it must not be created twice, guard it
   * (`externalResource`).
   */
  create(context: Context<T>, api: A, wanted: R): StepResult;
  update(context: Context<T>, api: A, difference: Difference<R>): StepResult;
  /** Deletes the external object; called only while a finalizer is kept for it. Must be idempotent; success when there is nothing to delete. */
  delete(context: Context<T>, api: A): StepResult;
  /** Handles a failure, see {@link PassHooks}; the context holds the findings so far. */
  onError?(context: RemoteContext<T, A, R>, error: unknown, step: string): StepResult;
  /** Called after the last step; its result is that of the pass. */
  onSuccess?(context: RemoteSuccess<T, A, R>): StepResult;
}

const threeWay = <R>({ applied }: LastApplied, { current, wanted }: Reading<R>): Difference<R> => {
  if (current === undefined) return { needCreate: true, needUpdate: false, next: wanted };
  const change = changeTo(applied(), current as Json, wanted as Json);
  if (change === undefined) return { needCreate: false, needUpdate: false, next: current };
  return { needCreate: false, needUpdate: true, next: change.next as R, diff: change.patch };
};

/** Record of the members set externally, never of their values, on the Kubernetes object. */
interface LastApplied {
  /** Returns the members set before this pass. */
  applied(): Shape;
  /** Records the members; writes only if they changed. */
  note(applied: Shape): Promise<void>;
}

function lastAppliedFor<T extends KubeObject>(context: Context<T>, annotation: string): LastApplied {
  const { client, kind, key, signal, object } = context;
  const { uid, annotations } = object.metadata;
  let noted = annotations?.[annotation];
  let before: Shape | undefined;
  return {
    applied() {
      before ??= lastAppliedOf(object, annotation);
      return before;
    },
    async note(applied) {
      const text = canonicalJson(applied);
      if (text === noted) return;
      const value = { metadata: { uid, annotations: { [annotation]: text } } };
      await client.patch(kind, key, { type: 'merge', value }, { signal, answer: 'metadata' });
      noted = text;
    },
  };
}

/** Context of one pass, filled by its steps. */
type RemoteObservation<T extends KubeObject, A, R> = {
  -readonly [Member in keyof RemoteSuccess<T, A, R>]: RemoteSuccess<T, A, R>[Member];
};

function stepsOf<T extends KubeObject, A, R>(of: Remote<T, A, R>, context: Context<T>): readonly Step[] {
  const lastApplied = lastAppliedFor(context, outsideAnnotation(of.name));
  const seen = context as RemoteObservation<T, A, R>;
  return [
    {
      name: 'connect',
      async run() {
        seen.api = await connected(of, context);
      },
    },
    {
      name: 'read',
      async run() {
        const found = await of.read(context, seen.api);
        if (!('wanted' in found)) return asksForMore(found) ? found : stop;
        seen.reading = found;
      },
    },
    {
      name: 'diff',
      async run() {
        seen.difference = (await of.diff?.(seen, seen.reading)) ?? threeWay(lastApplied, seen.reading);
      },
    },
    ...changesOf(of, lastApplied, seen),
  ];
}

async function connected<T extends KubeObject, A, R>(of: Remote<T, A, R>, context: Context<T>): Promise<A> {
  const api = await of.connect(context);
  if (api === undefined) throw new Error('connect: there is no API to connect to');
  return api;
}

/**
 * Returns the steps that apply changes. Members are recorded before they are set, so that none is forgotten, and dropped from the record after they
 * were removed.
 * A result of `create` does not skip `update`: their results are combined at the end.
 */
function changesOf<T extends KubeObject, A, R>(
  of: Remote<T, A, R>,
  lastApplied: LastApplied,
  seen: RemoteObservation<T, A, R>,
): readonly Step[] {
  const { object, events, fixed } = seen;
  const results: Result[] = [];
  const what = of.name ?? 'outside';
  const wanted = () => shapeOf(seen.reading.wanted as Json);
  const tell = (reason: string, message: string, change: Omit<Correction, 'what'>): void => {
    events.event(object, 'Normal', reason, message);
    fixed?.({ ...change, what });
  };
  return [
    {
      name: 'create',
      async run() {
        const { api, reading, difference } = seen;
        if (difference.needCreate || difference.needUpdate)
          await lastApplied.note(united(lastApplied.applied(), wanted()));
        if (difference.needCreate) results.push((await of.create(seen, api, reading.wanted)) ?? done);
      },
    },
    {
      name: 'update',
      async run() {
        const { api, difference } = seen;
        if (difference.needUpdate) results.push((await of.update(seen, api, difference)) ?? done);
      },
    },
    {
      name: 'apply',
      async run() {
        const { difference } = seen;
        await lastApplied.note(wanted());
        if (difference.needCreate) tell('CreateCompleted', 'made outside', { action: 'create' });
        const { diff } = difference;
        if (difference.needUpdate)
          tell('UpdateCompleted', 'changed outside', { action: 'update', ...(diff !== undefined && { diff }) });
        return combined(results);
      },
    },
  ];
}

/** Returns the steps while the object is being deleted. */
const deletionOf = <T extends KubeObject, A, R>(of: Remote<T, A, R>, context: Context<T>): readonly Step[] => [
  {
    name: 'delete',
    async run() {
      const api = await of.connect(context);
      if (api === undefined) return undefined;
      Object.assign(context, { api });
      const result = (await of.delete(context, api)) ?? done;
      if (!asksForMore(result)) context.events.event(context.object, 'Normal', 'DeleteCompleted', 'deleted outside');
      return result;
    },
  },
];

/**
 * Reconciles one external object (operator-sdk-extra's Remote, "the terraform way"): connect, read, diff, create or update; delete with the object.
 *
 * # Guarantees
 * Members that other clients set besides the desired ones stay; members that are no longer desired are removed, even after a crash.
 * No external value is stored in the cluster. Nothing is written anywhere when nothing differs.
 * Neither `read` nor `diff` can block a deletion.
 * Nothing external is deleted without a finalizer, its own or one that `finalizer`, `phases`, `router` or `opinionated` keep around it:
 * finalizers of other controllers do not count.
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
    steps: (context) => stepsOf(options, context),
    cleanUp: (context) => deletionOf(options, context),
    onError: async (context, error, step) => options.onError?.(context as RemoteContext<T, A, R>, error, step),
    onSuccess: async (context) => options.onSuccess?.(context as RemoteSuccess<T, A, R>),
  });
  return options.finalizer === undefined ? reconcile : finalizer(options.finalizer, reconcile, { report: true });
}

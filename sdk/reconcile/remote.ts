import { canonicalJson } from '../api/digest.ts';
import type { KubeObject } from '../api/object.ts';
import { group } from '../api/workspace.ts';
import { lastAppliedOf } from './child-change.ts';
import { finalizer } from './finalizer.ts';
import { type Context, type PassHooks, pass, type Step, type StepResult } from './pass.ts';
import { asksForMore, combined, done, type Mended, type Reconciler, type Result, stop } from './reconciler.ts';
import { changeTo, type Json, type Shape, shapeOf, united } from './three-way.ts';

/** What is there, and what is to be there instead. */
export interface Reading<R> {
  /** Undefined: it is not there. */
  readonly current: R | undefined;
  readonly wanted: R;
}

/** What a comparison came to. */
export interface Difference<R> {
  readonly needCreate: boolean;
  readonly needUpdate: boolean;
  /** What it is to become: what is wanted, and what others have set beside it. */
  readonly next: R;
  /** What differs, for people and for APIs that take merge patches (RFC 7396). */
  readonly diff?: Json | undefined;
}

/** Which members a remote has set outside, without their values: an annotation of its object, as JSON. */
export const outsideAnnotation = (name?: string): string => `${group}/outside${name === undefined ? '' : `-${name}`}`;

/** The context of a pass over one thing outside, and what its steps have found so far. */
export interface RemoteContext<T extends KubeObject, A, R> extends Context<T> {
  /** The API that `connect` has returned; undefined before. */
  readonly api: A | undefined;
  /** The reading of `read`; undefined before, and while the object is being deleted. */
  readonly reading: Reading<R> | undefined;
  /** The difference that `diff` has found; undefined before, and while the object is being deleted. */
  readonly difference: Difference<R> | undefined;
}

/** The context after the last step. */
export interface RemoteSuccess<T extends KubeObject, A, R> extends RemoteContext<T, A, R> {
  readonly api: A;
  readonly reading: Reading<R>;
  /** The difference of this pass, mended by now. */
  readonly difference: Difference<R>;
}

/** One thing outside the cluster that an object stands for; `A` is the API's client, `R` what it says about the thing. All hooks of a pass are called with one context, whose `data` is the pass's own. */
export interface Remote<T extends KubeObject, A, R> extends Pick<PassHooks<T>, 'status'> {
  /** Where an object stands for several things, each needs one of its own, since each remembers what it has set; lower-case letters, digits and dashes. @default none */
  readonly name?: string;
  /** Kept on the object until the thing is deleted. @default none: the thing outlives the object, unless a finalizer around the remote is kept for it */
  readonly finalizer?: string;
  /** The client of this pass. Undefined means that the whole API is gone for good: a deletion has nothing left to delete. */
  connect(context: Context<T>): Promise<A | undefined>;
  /** Looks. A result instead of a reading means that it is too early: it ends the pass. Not called while the object is being deleted. */
  read(context: Context<T>, api: A): Promise<Reading<R> | Result>;
  /** @default three ways: what was set last time, what is there, what is wanted */
  diff?(context: RemoteContext<T, A, R>, reading: Reading<R>): Promise<Difference<R>>;
  /** Must be safe to repeat: a crash may come between it and the note of it. For things that may not be made twice, guard it (`externalResource`). */
  create(context: Context<T>, api: A, wanted: R): StepResult;
  update(context: Context<T>, api: A, difference: Difference<R>): StepResult;
  /** Only while a finalizer is kept for it. Must be safe to repeat; success when there is nothing. */
  delete(context: Context<T>, api: A): StepResult;
  /** Answers a failure, see {@link PassHooks}; the context says how far the pass came. */
  onError?(context: RemoteContext<T, A, R>, error: unknown, step: string): StepResult;
  /** After the last step; what it returns is what the pass returns. */
  onSuccess?(context: RemoteSuccess<T, A, R>): StepResult;
}

const threeWay = <R>({ applied }: LastApplied, { current, wanted }: Reading<R>): Difference<R> => {
  if (current === undefined) return { needCreate: true, needUpdate: false, next: wanted };
  const change = changeTo(applied(), current as Json, wanted as Json);
  if (change === undefined) return { needCreate: false, needUpdate: false, next: current };
  return { needCreate: false, needUpdate: true, next: change.next as R, diff: change.patch };
};

/** What the object remembers of the outside: which members are set there, never their values. */
interface LastApplied {
  /** What was set before this pass. */
  applied(): Shape;
  /** Writes when that changes. */
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

/** The context of one pass as its steps fill it. */
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
 * Noted before it is done, so that nothing set outside is ever forgotten; what is set no more is forgotten after it is gone.
 * What `create` wishes does not keep `update` from running: their wishes add up, at the end.
 */
function changesOf<T extends KubeObject, A, R>(
  of: Remote<T, A, R>,
  lastApplied: LastApplied,
  seen: RemoteObservation<T, A, R>,
): readonly Step[] {
  const { object, events, mended } = seen;
  const results: Result[] = [];
  const what = of.name ?? 'outside';
  const wanted = () => shapeOf(seen.reading.wanted as Json);
  const tell = (reason: string, message: string, change: Omit<Mended, 'what'>): void => {
    events.event(object, 'Normal', reason, message);
    mended?.({ ...change, what });
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

/** While the object is being deleted. */
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
 * Keeps one thing outside as it is wanted (operator-sdk-extra's Remote, "the terraform way"): connect, read, diff, create or update; delete with the object.
 *
 * # Guarantees
 * What others set on the thing beside what is wanted stays; what was wanted before and is no more is taken away, even after a crash.
 * No value that goes outside is kept in the cluster. Nothing is written anywhere when nothing differs.
 * Neither `read` nor `diff` can stand in the way of a deletion.
 * Nothing outside is deleted without a finalizer, its own or one that `finalizer`, `phases`, `router` or `opinionated` keep around it:
 * what becomes of the thing does not hang on the finalizers of others.
 *
 * @throws TypeError for a name that no annotation can have
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

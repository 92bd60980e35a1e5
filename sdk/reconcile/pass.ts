import type { Draft } from 'immer';
import { isDeleting, type KubeObject } from '../api/object.ts';
import { isRace, messageOf } from '../errors.ts';
import { asksForMore, combined, done, type Reconciler, type Request, type Result } from './reconciler.ts';
import { draftOf, type StatusDraft, type StatusOf } from './status.ts';

/** A request for an object that is there, and its status as this pass changes it. */
export interface Context<T extends KubeObject> extends Request<T> {
  readonly object: T;
  /** Written once, when the pass ends, and only if it differs then. */
  readonly status: Draft<StatusOf<T>>;
  /** Sets a condition for the object's generation; written with the status. */
  readonly condition: StatusDraft<T>['condition'];
  /** Whatever the hooks of this pass hand to each other, and those of the passes within it. */
  readonly data: Map<string, unknown>;
}

/** What a step of a pass may return: nothing (go on), or what `Result` says; one that says anything ends the pass, but for a `state` alone, which is kept. */
export type StepResult = Promise<Result | undefined | void>;

/** One named part of a pass. */
export interface Step {
  readonly name: string;
  run(): StepResult;
}

/** Which fields of the status are kept, beside `conditions`; name only those that the kind has. */
export type StatusField = 'isOnError' | 'lastErrorMessage' | 'observedGeneration' | 'phase' | 'isSync';

export interface StatusOptions {
  /** The condition that says how the last pass went. @default 'Ready' */
  readonly condition?: string;
  /** @default [] */
  readonly fields?: readonly StatusField[];
}

/** What authors hang onto a pass. */
export interface PassHooks<T extends KubeObject> {
  /** `false` for a kind without conditions in its status: nothing is written then. @default the condition Ready */
  readonly status?: StatusOptions | false;
  /** What a failure comes to: nothing returned, the error stands; a result stands in its place. Called once for each failure. */
  onError?(context: Context<T>, error: unknown, step: string): StepResult;
  /** After the last step; what it returns is what the pass returns. */
  onSuccess?(context: Context<T>): StepResult;
}

/** What a pass is made of. */
export interface PassOptions<T extends KubeObject> extends PassHooks<T> {
  readonly steps: (context: Context<T>) => readonly Step[];
  /** The steps while the object is being deleted and a finalizer is kept for it; without one there are none. */
  readonly cleanUp: (context: Context<T>) => readonly Step[];
  /** The reason of the warning that tells a failure. */
  readonly warning: string;
}

const longestError = 1024;

/** Says in the status how a pass goes. */
function reporterOf<T extends KubeObject>({ status = {} }: PassHooks<T>, context: Context<T>) {
  if (status === false) return () => undefined;
  const { condition: type = 'Ready', fields = [] } = status;
  const values = context.status as Record<string, unknown>;
  const set = (next: Partial<Record<StatusField, unknown>>): void => {
    for (const field of fields) if (field in next) values[field] = next[field];
  };
  return (how: 'Ready' | 'Failed' | 'Waiting', message: string): void => {
    context.condition({ type, status: how === 'Ready' ? 'True' : 'False', reason: how, message });
    const failed = how === 'Failed';
    if (how !== 'Waiting')
      set({ isOnError: failed, lastErrorMessage: failed ? message.slice(0, longestError) : undefined });
    if (how === 'Ready')
      set({ observedGeneration: context.object.metadata.generation, phase: 'running', isSync: true });
    if (failed) set({ isSync: false });
  };
}

/** A finalizer of somebody else keeps the object for that one's sake, not for ours. */
const cleanUpsOf = <T extends KubeObject>({ cleanUp }: PassOptions<T>, context: Context<T>): readonly Step[] =>
  context.finalizer === undefined ? [] : cleanUp(context);

/** Ends with what the first step says that says anything, or with what `onSuccess` says. */
async function walked<T extends KubeObject>(options: PassOptions<T>, context: Context<T>): Promise<Result> {
  const { object, events } = context;
  const deleting = isDeleting(object);
  const report = reporterOf(options, context);
  const results: Result[] = [];
  let step = '';
  try {
    for (const { name, run } of deleting ? cleanUpsOf(options, context) : options.steps(context)) {
      step = name;
      const result = (await run()) ?? done;
      results.push(result);
      if (!asksForMore(result)) continue;
      report('Waiting', `waiting for ${name}`);
      return combined(results);
    }
    if (deleting) return combined(results);
    step = 'onSuccess';
    report('Ready', '');
    return combined([...results, (await options.onSuccess?.(context)) ?? done]);
  } catch (error) {
    if (isRace(error)) throw error;
    const message = `${step}: ${messageOf(error)}`;
    report('Failed', message);
    events.event(object, 'Warning', options.warning, message);
    const result = await options.onError?.(context, error, step);
    if (result === undefined) throw error;
    return combined([...results, result]);
  }
}

/** A reconciler that goes through named steps, tells how that went in one condition, and writes the status once. An object that is gone needs no pass. */
export const pass =
  <T extends KubeObject>(options: PassOptions<T>): Reconciler<T> =>
  async (request) => {
    const { object } = request;
    if (object === undefined) return done;
    const draft = draftOf(request, object);
    // The context of a pass or a desk around this one is a request, too.
    const { data = new Map<string, unknown>() }: Partial<Context<T>> = request;
    const context: Context<T> = { ...request, object, status: draft.value, condition: draft.condition, data };
    const write = async (): Promise<void> => (options.status === false ? undefined : draft.write());
    const result = await walked(options, context).catch(async (error: unknown) => {
      if (!isRace(error)) await write();
      throw error;
    });
    await write();
    return result;
  };

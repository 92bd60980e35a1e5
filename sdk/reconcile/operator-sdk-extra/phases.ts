/** Ordered phases of an object, each with a condition (operator-sdk-extra). */

import type { KubeObject } from '../../api/object.ts';
import { isRace } from '../../errors.ts';
import { messageOf } from '../../thrown.ts';
import { finalizer } from '../finalizer.ts';
import { type Context, type PassHooks, pass, type Step, type StepResult } from '../pass.ts';
import { asksForMore, type Correction, combineResults, done, type Reconciler, type Result } from '../reconciler.ts';
import { failureReason, type OutcomeReason } from '../status.ts';
import { declareConditions } from '../written-conditions.ts';

/** Corrections of one phase (operator-sdk-extra's K8sDiff). */
export interface PhaseDiff {
  readonly needCreate: boolean;
  readonly needUpdate: boolean;
  readonly needDelete: boolean;
  /** Corrections in their order; only `children` and `remote` report them. */
  readonly changes: readonly Correction[];
}

const diffOf = (changes: readonly Correction[]): PhaseDiff => {
  const has = (action: Correction['action']): boolean => changes.some((change) => change.action === action);
  return { needCreate: has('create'), needUpdate: has('update'), needDelete: has('delete'), changes };
};

/** One phase of an object, such as all its ConfigMaps. */
export interface OrderedPhase<T extends KubeObject> {
  readonly name: string;
  /** Condition type for the outcome of the phase. @default `${name}Ready` */
  readonly condition?: string;
  /** Reconciler of the phase, such as {@link children}. A result with `requeueAfter`, `stop` or `keepFinalizer` ends the pass: later phases wait. */
  readonly reconcile: Reconciler<T>;
  /**
   * Removes objects that are not garbage-collected. Called in reverse order of the phases while a finalizer is kept; not needed for children with
   * an owner reference.
   */
  readonly cleanUp?: Reconciler<T>;
  /** Handles an error: returning nothing fails the pass with it; a result replaces it, and after an empty result the next phase runs. */
  onError?(context: Context<T>, error: unknown): StepResult;
  /** Called when the phase is complete; `diff` has the corrections of this pass. */
  onSuccess?(context: Context<T>, diff: PhaseDiff): StepResult;
}

/** Options of {@link phases}. */
export interface PhasesOptions<T extends KubeObject> extends PassHooks<T> {
  /** Phases in order; each begins when the one before is complete. */
  readonly phases: readonly OrderedPhase<T>[];
  /**
   * Finalizer that is kept until the object is cleaned up. @default none: `cleanUp` is called only under an enclosing finalizer
   */
  readonly finalizer?: string;
}

const conditionOf = <T extends KubeObject>({ name, condition = `${name}Ready` }: OrderedPhase<T>): string => condition;

const stepOf = <T extends KubeObject>(phase: OrderedPhase<T>, context: Context<T>): Step => {
  const { name } = phase;
  const type = conditionOf(phase);
  const setCondition = (reason: OutcomeReason, message: string): void =>
    context.condition({ type, status: reason === 'Success' ? 'True' : 'False', reason, message });
  return {
    name: `phase ${name}`,
    async run() {
      try {
        const changes: Correction[] = [];
        const onCorrection = (change: Correction): void => {
          changes.push(change);
          context.onCorrection?.(change);
        };
        const result = ((await phase.reconcile({ ...context, onCorrection })) as Result | undefined) ?? done;
        if (!asksForMore(result)) setCondition('Success', '');
        else setCondition('Waiting', 'asks to run again');
        if (asksForMore(result)) return result;
        return combineResults([result, (await phase.onSuccess?.(context, diffOf(changes))) ?? done]);
      } catch (error) {
        if (isRace(error)) throw error;
        setCondition(failureReason(error), messageOf(error));
        const result = await phase.onError?.(context, error);
        if (result === undefined) throw error;
        context.events.event(
          context.object,
          'Warning',
          'ReconcilerStepActionError',
          `phase ${name}: ${messageOf(error)}`,
        );
        return result;
      }
    },
  };
};

/**
 * Runs phases one after the other, for a parent whose children have an order (operator-sdk-extra's MultiPhase).
 * Each phase has a condition, and so has the whole; the status is written once per pass. No phase runs while the object is being deleted.
 *
 * @throws TypeError without phases, when two have the same name, or when a condition would have two writers
 */
export function phases<T extends KubeObject>(options: PhasesOptions<T>): Reconciler<T> {
  const names = options.phases.map(({ name }) => name);
  if (names.length === 0) throw new TypeError('phases: at least one phase is expected, found none');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new TypeError(`phases: two are called ${twice}`);
  const cleanUps = options.phases.toReversed().filter(({ cleanUp }) => cleanUp !== undefined);
  const orderedPass = pass<T>({
    ...options,
    warning: 'ReconcilerStepActionError',
    steps: (context) => options.phases.map((phase) => stepOf(phase, context)),
    cleanUp: (context) =>
      cleanUps.map(({ name, cleanUp }) => ({ name: `clean-up of ${name}`, run: () => cleanUp!(context) })),
  });
  const own = options.status === false ? [] : options.phases.map(conditionOf);
  const inner = [[orderedPass], ...options.phases.map((phase) => [phase.reconcile, phase.cleanUp])];
  const reconcile = declareConditions('phases', { own, inner }, orderedPass);
  return options.finalizer === undefined ? reconcile : finalizer(options.finalizer, reconcile, { report: true });
}

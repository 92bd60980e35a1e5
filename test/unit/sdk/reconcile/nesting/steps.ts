/** Stepper nodes of the nesting test. */

import fc from 'fast-check';
import type { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { freeStyle } from '../../../../../sdk/reconcile/okt/free-style.ts';
import { type StepHooks, stepper } from '../../../../../sdk/reconcile/okt/stepper.ts';
import type { Result } from '../../../../../sdk/reconcile/reconciler.ts';
import type { RunContext } from '../../../../../sdk/reconcile/run-context.ts';
import { Failure, kindOf, type Node, type NodeKinds, type Oracle, sum } from './node.ts';

/** The states of a stepper that have a hook. */
export const states = [
  'CRChecker',
  'ObjectsGetter',
  'Mutator',
  'Updater',
  'SuccessManager',
  'CRFinalizer',
  'ErrorManager',
] as const;
type State = (typeof states)[number];

interface Stepped extends Node {
  readonly hooks: { readonly [S in State]?: Node };
}

/** An operation that an author records. */
interface Note {
  readonly name: 'done' | 'failed' | 'alarm' | 'quiet';
  readonly requeueAfter: number | undefined;
}

interface Free extends Node {
  readonly notes: readonly Note[];
  readonly inner: Node;
}

const isFailure = (thrown: unknown): thrown is Failure => thrown instanceof Failure;

/**
 * Combines failures and results of one step: an alarm first, then giving up quietly, then the first failure, after the smallest delay of
 * all failures.
 */
function settled(failures: readonly Failure[], results: readonly Result[], isQuiet = false): Result {
  const alarm = failures.find(({ how }) => how === 'giveUp');
  if (alarm !== undefined) throw alarm;
  if (isQuiet) {
    const { requeueAfter: _, ...wishes } = sum(results);
    return { ...wishes, stop: true };
  }
  const [first] = failures;
  if (first === undefined) return sum(results);
  const delays = failures.flatMap(({ delay }) => delay ?? []);
  if (delays.length === 0) throw first;
  const wished = sum(results).requeueAfter ?? Infinity;
  throw new Failure('delayed', first.message, Math.min(wished, ...delays));
}

/** Course of a run through its states. */
function stepped({ hooks }: Stepped, path: string, oracle: Oracle): Result {
  const failures: Failure[] = [];
  const results: Result[] = [];
  const visit = (state: State): void => {
    const hook = hooks[state];
    if (hook === undefined) return;
    try {
      results.push(oracle.expect(hook, `${path}.${state}`));
    } catch (thrown) {
      if (!isFailure(thrown)) throw thrown;
      const isOverruled = state === 'CRChecker' && thrown.how === 'giveUp' && oracle.subject.deleting;
      if (!isOverruled) failures.push(thrown);
    }
  };
  const course: readonly State[] = oracle.subject.deleting ? ['CRChecker', 'CRFinalizer'] : states.slice(0, 5);
  for (const state of course) {
    visit(state);
    if (failures.length > 0) visit('ErrorManager');
    if (failures.length > 0 || results.some(({ stop }) => stop)) break;
  }
  return settled(failures, results);
}

const anyNotes = fc.array(
  fc.record({
    name: fc.oneof(
      { weight: 3, arbitrary: fc.constant<Note['name']>('done') },
      { weight: 1, arbitrary: fc.constantFrom<Note['name']>('failed', 'alarm', 'quiet') },
    ),
    requeueAfter: fc.option(fc.constantFrom(0, 20, 60), { nil: undefined }),
  }),
  { maxLength: 3 },
);

function addNote(
  { results }: Pick<RunContext<ConfigMap>, 'results'>,
  { name, requeueAfter }: Note,
  path: string,
): void {
  const error = new Error(`${path} ${name}`);
  const about = requeueAfter === undefined ? {} : { requeueAfter };
  if (name === 'done') results.addOp(name, about);
  else if (name === 'failed') results.addOp(name, { ...about, error });
  else results.addGiveupError(name, name === 'alarm' ? { error } : {});
}

/** Engines of OKT. */
export const engines: NodeKinds = {
  stepper: kindOf<Stepped>({
    arbitrary: (tree) =>
      fc.record({
        type: fc.constant('stepper'),
        hooks: fc.record(Object.fromEntries(states.map((state) => [state, tree])) as Record<State, typeof tree>, {
          requiredKeys: [],
        }),
      }),
    build: ({ hooks }, path, builder) =>
      stepper<ConfigMap>(
        Object.fromEntries(
          Object.entries(hooks).map(([state, hook]) => [state, builder.build(hook, `${path}.${state}`)]),
        ) as StepHooks<ConfigMap>,
      ),
    expect: stepped,
  }),
  freeStyle: kindOf<Free>({
    arbitrary: (tree) => fc.record({ type: fc.constant('freeStyle'), notes: anyNotes, inner: tree }),
    build({ notes, inner }, path, builder) {
      const reconcile = builder.build(inner, `${path}.0`);
      return freeStyle<ConfigMap>((context) => {
        for (const note of notes) addNote(context, note, path);
        return reconcile(context);
      });
    },
    expect({ notes, inner }, path, oracle) {
      const failures = notes.flatMap(({ name, requeueAfter }) => {
        if (name === 'alarm') return new Failure('giveUp', `${path} alarm`, undefined);
        return name === 'failed' ? new Failure('plain', `${path} failed`, requeueAfter) : [];
      });
      const results: Result[] = notes.flatMap(({ name, requeueAfter = 0 }) =>
        name === 'done' && requeueAfter > 0 ? { requeueAfter } : [],
      );
      try {
        results.push(oracle.expect(inner, `${path}.0`));
      } catch (thrown) {
        if (!isFailure(thrown)) throw thrown;
        failures.push(thrown);
      }
      const isQuiet = notes.some(({ name }) => name === 'quiet');
      return settled(failures, results, isQuiet);
    },
  }),
};

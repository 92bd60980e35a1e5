import fc from 'fast-check';
import type { ConfigMap } from '../../../../sdk/api/kinds.ts';
import { freeStyle } from '../../../../sdk/reconcile/free-style.ts';
import type { Result } from '../../../../sdk/reconcile/reconciler.ts';
import { type StepHooks, stepper } from '../../../../sdk/reconcile/stepper.ts';
import { Failure, kindOf, type Node, type NodeKinds, type Oracle, sum } from './node.ts';

const states = [
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

interface Free extends Node {
  readonly inner: Node;
}

const isFailure = (thrown: unknown): thrown is Failure => thrown instanceof Failure;

/** What failures and results of one desk come to: an alarm first, then the first failure, after the smallest delay that any failure has. */
function settled(failures: readonly Failure[], results: readonly Result[]): Result {
  const alarm = failures.find(({ how }) => how === 'giveUp');
  if (alarm !== undefined) throw alarm;
  const [first] = failures;
  if (first === undefined) return sum(results);
  const delays = failures.flatMap(({ delay }) => delay ?? []);
  if (delays.length === 0) throw first;
  const wished = sum(results).requeueAfter ?? Infinity;
  throw new Failure('delayed', first.message, Math.min(wished, ...delays));
}

/** The course of a run through its states. */
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
      failures.push(thrown);
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

/** OKT's engines. */
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
    arbitrary: (tree) => fc.record({ type: fc.constant('freeStyle'), inner: tree }),
    build: ({ inner }, path, builder) => freeStyle(builder.build(inner, `${path}.0`)),
    expect({ inner }, path, oracle) {
      try {
        return settled([], [oracle.expect(inner, `${path}.0`)]);
      } catch (thrown) {
        if (!isFailure(thrown)) throw thrown;
        return settled([thrown], []);
      }
    },
  }),
};

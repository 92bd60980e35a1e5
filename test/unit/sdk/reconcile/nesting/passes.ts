import fc from 'fast-check';
import { digest } from '../../../../../sdk/api/digest.ts';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { children } from '../../../../../sdk/reconcile/operator-sdk-extra/children.ts';
import { type OrderedPhase, phases } from '../../../../../sdk/reconcile/operator-sdk-extra/phases.ts';
import { remote } from '../../../../../sdk/reconcile/operator-sdk-extra/remote.ts';
import { sentinel } from '../../../../../sdk/reconcile/operator-sdk-extra/sentinel.ts';
import type { Result } from '../../../../../sdk/reconcile/reconciler.ts';
import { finalizerNames, holding } from './composites.ts';
import {
  anyResult,
  anyScript,
  Failure,
  kindOf,
  type Node,
  type NodeKinds,
  type Oracle,
  type Script,
  sum,
} from './node.ts';

interface Phase {
  readonly reconcile: Node;
  readonly cleanUp: Node | undefined;
  /** Result of its onError; undefined: the error stands. */
  readonly answer: Result | undefined;
}

interface Phases extends Node {
  readonly phases: readonly Phase[];
  readonly finalizer: string | undefined;
  readonly hasStatus: boolean;
  /** Result of the onError of the whole. */
  readonly answer: Result | undefined;
}

interface Sentinel extends Node {
  readonly parts: readonly Node[];
}

interface Children extends Node {
  readonly wanted: Script;
  readonly isReady: boolean | undefined;
}

interface Remote extends Node {
  readonly connect: Script;
  readonly read: Script;
  readonly change: Script;
  readonly delete: Script;
  /** State of the external object. */
  readonly outside: 'missing' | 'different' | 'right';
}

const asksForMore = ({ requeueAfter, stop, keepFinalizer }: Result): boolean =>
  requeueAfter !== undefined || stop === true || keepFinalizer === true;

/** Lets the owner answer a failure; a conflict is never answered. */
function answered(answer: Result | undefined, run: () => Result): Result {
  try {
    return run();
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.how === 'stale' || answer === undefined) throw thrown;
    return answer;
  }
}

/** Rule of passes: the first step with a result ends them, and so does a failure, answered or not; what was handed on before is kept. */
function passed(steps: readonly (() => Result)[], answer?: Result): Result {
  const results: Result[] = [];
  for (const step of steps) {
    let isAnswer = true;
    const own = () => {
      const result = step();
      isAnswer = false;
      return result;
    };
    results.push(answered(answer, own));
    if (isAnswer || asksForMore(results.at(-1)!)) break;
  }
  return sum(results);
}

function expectedPhases(node: Phases, path: string, oracle: Oracle): Result {
  const entries = [...node.phases.entries()];
  const live = entries.map(
    ([index, { answer, reconcile }]) =>
      () =>
        answered(answer, () => oracle.expect(reconcile, `${path}.${index}`)),
  );
  const cleanUps = entries
    .reverse()
    .flatMap(([index, { cleanUp }]) =>
      cleanUp === undefined ? [] : () => oracle.expect(cleanUp, `${path}.${index} clean-up`),
    );
  const due = () => (oracle.held ? cleanUps : []);
  const run = () => passed(oracle.subject.deleting ? due() : live, node.answer);
  return node.finalizer === undefined ? run() : holding(node.finalizer, oracle, run);
}

const childName = (path: string): string => path.toLowerCase().replaceAll(/[^a-z0-9.]/g, '-');

/** The cache never shows children created in the same pass: creating one again is a conflict. */
function expectedChildren({ wanted, isReady }: Children, path: string, oracle: Oracle): Result {
  if (oracle.subject.deleting) return {};
  oracle.play(wanted, path);
  if (oracle.made.has(path)) throw new Failure('stale', 'stale', undefined);
  oracle.made.add(path);
  return isReady === undefined ? {} : { stop: true };
}

function expectedRemote(node: Remote, path: string, oracle: Oracle): Result {
  const play = (what: 'connect' | 'read' | 'change' | 'delete', name: string = what) =>
    oracle.play(node[what], `${path} ${name}`).result;
  if (oracle.subject.deleting && !oracle.held) return {};
  play('connect');
  if (oracle.subject.deleting) return passed([() => play('delete')]);
  const early = play('read');
  if (asksForMore(early)) return early;
  if (node.outside === 'right') return {};
  return passed([() => play('change', node.outside === 'missing' ? 'create' : 'update')]);
}

/** Passes of operator-sdk-extra through named steps. */
export const passes: NodeKinds = {
  phases: kindOf<Phases>({
    arbitrary: (tree) =>
      fc.record({
        type: fc.constant('phases'),
        phases: fc.array(
          fc.record({
            reconcile: tree,
            cleanUp: fc.option(tree, { nil: undefined }),
            answer: fc.option(anyResult, { nil: undefined, freq: 2 }),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        finalizer: fc.option(fc.constantFrom(...finalizerNames), { nil: undefined }),
        hasStatus: fc.boolean(),
        answer: fc.option(anyResult, { nil: undefined, freq: 2 }),
      }),
    build: (node, path, builder) =>
      phases<ConfigMap>({
        ...(node.finalizer !== undefined && { finalizer: node.finalizer }),
        status: node.hasStatus && { condition: digest(`${path} outcome`) },
        onError: async () => node.answer,
        phases: node.phases.map(
          ({ reconcile, cleanUp, answer }, index): OrderedPhase<ConfigMap> => ({
            name: `${index}`,
            condition: digest(`${path}.${index}`),
            reconcile: builder.build(reconcile, `${path}.${index}`),
            ...(cleanUp !== undefined && { cleanUp: builder.build(cleanUp, `${path}.${index} clean-up`) }),
            onError: async () => answer,
          }),
        ),
      }),
    expect: expectedPhases,
  }),
  sentinel: kindOf<Sentinel>({
    arbitrary: (tree) =>
      fc.record({ type: fc.constant('sentinel'), parts: fc.array(tree, { minLength: 1, maxLength: 2 }) }),
    build: ({ parts }, path, builder) =>
      sentinel(...parts.map((part, index) => builder.build(part, `${path}.${index}`))),
    expect({ parts }, path, oracle) {
      const results: Result[] = [];
      if (oracle.subject.deleting) return {};
      for (const [index, part] of parts.entries()) {
        results.push(oracle.expect(part, `${path}.${index}`));
        if (results.at(-1)?.stop) break;
      }
      return sum(results);
    },
  }),
  children: kindOf<Children>({
    arbitrary: () =>
      fc.record({
        type: fc.constant('children'),
        wanted: anyScript,
        isReady: fc.option(fc.boolean(), { nil: undefined }),
      }),
    build: ({ wanted, isReady }, path, builder) =>
      children<ConfigMap, ConfigMap>({
        kind: ConfigMap,
        wanted({ key }) {
          builder.play(wanted, path);
          return [{ metadata: { name: `${key.name}.${childName(path)}` } }];
        },
        current: () => [],
        ...(isReady !== undefined && { isReady: () => isReady }),
      }),
    expect: expectedChildren,
  }),
  remote: kindOf<Remote>({
    arbitrary: () =>
      fc.record({
        type: fc.constant('remote'),
        connect: anyScript,
        read: anyScript,
        change: anyScript,
        delete: anyScript,
        outside: fc.constantFrom<Remote['outside']>('missing', 'different', 'right'),
      }),
    build: (node, path, builder) => {
      const current = { missing: undefined, different: { size: 2 }, right: { size: 1 } }[node.outside];
      const play = (script: Script, name: string) => builder.play(script, `${path} ${name}`).result;
      return remote<ConfigMap, string, { readonly size: number }>({
        name: digest(path),
        status: false,
        async connect() {
          play(node.connect, 'connect');
          return 'api';
        },
        async read() {
          const early = play(node.read, 'read');
          return asksForMore(early) ? early : { current, wanted: { size: 1 } };
        },
        create: async () => play(node.change, 'create'),
        update: async () => play(node.change, 'update'),
        delete: async () => play(node.delete, 'delete'),
      });
    },
    expect: expectedRemote,
  }),
};

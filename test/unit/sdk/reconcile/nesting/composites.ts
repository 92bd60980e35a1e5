/** Composite nodes of the nesting test: builders and expected results. */

import fc, { type Arbitrary } from 'fast-check';
import type { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { chain } from '../../../../../sdk/reconcile/chain.ts';
import { finalizer } from '../../../../../sdk/reconcile/finalizer.ts';
import { resources } from '../../../../../sdk/reconcile/operatorkit/resource.ts';
import { resourceSet, router } from '../../../../../sdk/reconcile/operatorkit/router.ts';
import { pausable } from '../../../../../sdk/reconcile/pause.ts';
import type { Result } from '../../../../../sdk/reconcile/reconciler.ts';
import { anyScript, Failure, kindOf, type Node, type NodeKinds, type Oracle, type Script, sum } from './node.ts';

interface Leaf extends Node {
  readonly script: Script;
}

interface List extends Node {
  readonly parts: readonly Node[];
}

interface Pause extends Node {
  readonly pauseDeletion: boolean;
  readonly inner: Node;
}

interface Guarded extends Node {
  readonly finalizer: string;
  readonly inner: Node;
}

interface Route extends Node {
  readonly sets: readonly { readonly handles: boolean; readonly parts: readonly Node[] }[];
  readonly finalizer: string | undefined;
}

/** Finalizers that nodes may request; an object has any of them. */
export const finalizerNames = ['example.com/a', 'example.com/b', 'example.com/c'] as const;

export const pauseAnnotation = 'example.com/paused';

const anyList = (tree: Arbitrary<Node>) => fc.array(tree, { minLength: 1, maxLength: 3 });

/** Runs nodes in order until one fails or stops; each keeps its number in any order. */
function inTurn(places: readonly (readonly [number, Node])[], path: string, oracle: Oracle): Result {
  const results: Result[] = [];
  for (const [place, part] of places) {
    const result = oracle.expect(part, `${path}.${place}`);
    results.push(result);
    if (result.stop) break;
  }
  return sum(results);
}

const asResources = (parts: readonly Node[], path: string, oracle: Oracle): Result =>
  inTurn(oracle.subject.deleting ? [...parts.entries()].reverse() : [...parts.entries()], path, oracle);

/** Result of a node with a finalizer that is kept. */
export function heldFor(oracle: Oracle, run: () => Result): Result {
  const { held } = oracle;
  oracle.held = true;
  try {
    return run();
  } finally {
    oracle.held = held;
  }
}

/** Rule of finalizers: added before anything else, never to a deleting object, removed after a clean clean-up only. */
export function holding(name: string, oracle: Oracle, inner: () => Result): Result {
  const { deleting, finalizers } = oracle.subject;
  const held = finalizers.includes(name);
  if (!deleting) {
    if (held) return heldFor(oracle, inner);
    if (!oracle.live.includes(name)) oracle.live = [...oracle.live, name];
    return { requeueAfter: 0, stop: true };
  }
  if (!held) return {};
  const result = heldFor(oracle, inner);
  if (result.stop || result.keepFinalizer || result.requeueAfter !== undefined) return result;
  oracle.live = oracle.live.filter((one) => one !== name);
  return result;
}

/** Reconcilers around other reconcilers, and the plain one in the middle. The first kind is the one without branches. */
export const composites: NodeKinds = {
  leaf: kindOf<Leaf>({
    arbitrary: () => fc.record({ type: fc.constant('leaf'), script: anyScript }),
    build:
      ({ script }, path, builder) =>
      async () =>
        builder.play(script, path).result,
    expect: ({ script }, path, oracle) => oracle.play(script, path).result,
  }),
  chain: kindOf<List>({
    arbitrary: (tree) => fc.record({ type: fc.constant('chain'), parts: anyList(tree) }),
    build: ({ parts }, path, builder) => chain(...parts.map((part, index) => builder.build(part, `${path}.${index}`))),
    expect: ({ parts }, path, oracle) => inTurn([...parts.entries()], path, oracle),
  }),
  resources: kindOf<List>({
    arbitrary: (tree) => fc.record({ type: fc.constant('resources'), parts: anyList(tree) }),
    build: ({ parts }, path, builder) => resources(parts.map((part, index) => builder.build(part, `${path}.${index}`))),
    expect: ({ parts }, path, oracle) => asResources(parts, path, oracle),
  }),
  pausable: kindOf<Pause>({
    arbitrary: (tree) => fc.record({ type: fc.constant('pausable'), pauseDeletion: fc.boolean(), inner: tree }),
    build: ({ pauseDeletion, inner }, path, builder) =>
      pausable({ annotations: { [pauseAnnotation]: 'true' }, pauseDeletion }, builder.build(inner, `${path}.0`)),
    expect: ({ pauseDeletion, inner }, path, oracle) =>
      oracle.subject.paused && (pauseDeletion || !oracle.subject.deleting) ? {} : oracle.expect(inner, `${path}.0`),
  }),
  finalizer: kindOf<Guarded>({
    arbitrary: (tree) =>
      fc.record({ type: fc.constant('finalizer'), finalizer: fc.constantFrom(...finalizerNames), inner: tree }),
    build: (node, path, builder) => finalizer(node.finalizer, builder.build(node.inner, `${path}.0`)),
    expect: (node, path, oracle) => holding(node.finalizer, oracle, () => oracle.expect(node.inner, `${path}.0`)),
  }),
  router: kindOf<Route>({
    arbitrary: (tree) =>
      fc.record({
        type: fc.constant('router'),
        sets: fc.array(fc.record({ handles: fc.boolean(), parts: anyList(tree) }), { minLength: 1, maxLength: 2 }),
        finalizer: fc.option(fc.constantFrom(...finalizerNames), { nil: undefined }),
      }),
    build: ({ sets, finalizer: name }, path, builder) =>
      router(
        sets.map(({ handles, parts }, set) =>
          resourceSet<ConfigMap>({
            name: `${path}.${set}`,
            handles: () => handles,
            resources: parts.map((part, index) => builder.build(part, `${path}.${set}.${index}`)),
          }),
        ),
        name === undefined ? {} : { finalizer: name },
      ),
    expect({ sets, finalizer: name }, path, oracle) {
      const matching = sets.flatMap(({ handles }, index) => (handles ? [index] : []));
      const [match, ...others] = matching;
      if (others.length > 0) throw new Failure('giveUp', 'several resource sets', undefined);
      const forgotten =
        name !== undefined &&
        oracle.subject.deleting &&
        oracle.subject.finalizers.includes(name) &&
        match === undefined;
      if (forgotten && sets.length !== 1) throw new Failure('giveUp', 'no resource set', undefined);
      const chosen = forgotten ? 0 : match;
      if (chosen === undefined) return {};
      const run = () => asResources(sets[chosen]!.parts, `${path}.${chosen}`, oracle);
      return name === undefined ? run() : holding(name, oracle, run);
    },
  }),
};

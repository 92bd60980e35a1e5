/** Nodes of the nesting test: reconcilers as data, with builders and an oracle. */

import fc, { type Arbitrary } from 'fast-check';
import type { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { BusyError, GiveUpError, StaleError } from '../../../../../sdk/errors.ts';
import type { Reconciler, Result } from '../../../../../sdk/reconcile/reconciler.ts';

/** A reconciler as data: `type` is the kind of node. */
export interface Node {
  readonly type: string;
}

/** Kind of failure of a called function. */
export type How = 'plain' | 'giveUp' | 'stale' | 'busy';

/** Behaviour of an author's function: it fails that many times, then returns. */
export interface Script {
  readonly failures: number;
  readonly how: How;
  readonly result: Result;
  /** Of a crud step: it leaves the resource with its result. */
  readonly leaves: boolean;
}

/** ms of a busy third party's retry delay. */
export const busyDelay = 50;

/** Error of a failed run in the oracle. */
export class Failure extends Error {
  readonly how: How | 'delayed';
  /** Retry delay, ms. */
  readonly delay: number | undefined;

  constructor(how: How | 'delayed', message: string, delay: number | undefined) {
    super(message);
    this.how = how;
    this.delay = delay;
  }
}

/** The object of a run. */
export interface Subject {
  readonly deleting: boolean;
  readonly paused: boolean;
  /** Finalizers as the run observes them. */
  readonly finalizers: readonly string[];
}

/** Builds reconcilers from nodes; `path` names a node within its tree. */
export interface Builder {
  build(node: Node, path: string): Reconciler<ConfigMap>;
  /** Calls an author's function: records the call, fails or returns the script. */
  play(script: Script, path: string): Script;
  /** Counts an operation observed by `withMetrics`. */
  count(path: string): void;
}

/** Computes the expected result of a node from the rules alone. */
export interface Oracle {
  /** Object as observed at this place of the tree. */
  subject: Subject;
  /** Finalizers currently on the server. */
  live: readonly string[];
  /** A finalizer is kept for this place of the tree. */
  held: boolean;
  /** Paths of nodes with children that exist already. */
  readonly made: Set<string>;
  expect(node: Node, path: string): Result;
  /** @throws Failure */
  play(script: Script, path: string): Script;
  count(path: string): void;
}

/** One kind of node: generator, builder and expected result. Another model adds its own to the table that a tree is made of. */
export interface NodeKind<N extends Node = Node> {
  arbitrary(tree: Arbitrary<Node>): Arbitrary<N>;
  build(node: N, path: string, builder: Builder): Reconciler<ConfigMap>;
  expect(node: N, path: string, oracle: Oracle): Result;
}

/** The kinds of nodes by type. */
export type NodeKinds = Readonly<Record<string, NodeKind<never>>>;

/** Erases the type of a node, which its table determines. */
export const kindOf = <N extends Node>(kind: NodeKind<N>): NodeKind<never> => kind as unknown as NodeKind<never>;

const delays = fc.constantFrom(0, 7, 30, 90);

/** Any result of an author's function; mostly one with at most one field. */
export const anyResult: Arbitrary<Result> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Result>(
      { stop: true },
      { keepFinalizer: true },
      { requeueAfter: 30 },
      { state: { n: 9 } },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        requeueAfter: delays,
        state: fc.nat(3).map((n) => ({ n })),
        stop: fc.constant(true),
        keepFinalizer: fc.constant(true),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  },
);

/** Any behaviour of an author's function. */
export const anyScript: Arbitrary<Script> = fc.record({
  failures: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }) },
  ),
  how: fc.constantFrom<How>('plain', 'giveUp', 'stale', 'busy'),
  result: anyResult,
  leaves: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

/** Error thrown for a failure. */
export function thrownFor(how: How, message: string): Error {
  if (how === 'giveUp') return new GiveUpError(message);
  if (how === 'stale') return new StaleError(message);
  if (how === 'busy') return new BusyError(message, busyDelay);
  return new Error(message);
}

/** Any tree of these kinds, up to the given depth. */
export function anyTree(kinds: NodeKinds, maxDepth: number): Arbitrary<Node> {
  const { tree } = fc.letrec<{ tree: Node }>((tie) => ({
    tree: fc.oneof(
      { maxDepth, depthIdentifier: 'nesting' },
      ...Object.entries(kinds).map(([type, kind]) =>
        kind.arbitrary(tie('tree')).map((node: Node) => ({ ...node, type })),
      ),
    ),
  }));
  return tree;
}

/** Combined result: the smallest delay, the last state, and any stop or kept finalizer. */
export function sum(results: readonly Result[]): Result {
  const delay = Math.min(...results.map(({ requeueAfter = Infinity }) => requeueAfter));
  const state = results.findLast((result) => result.state !== undefined)?.state;
  return {
    ...(delay < Infinity && { requeueAfter: delay }),
    ...(state !== undefined && { state }),
    ...(results.some(({ stop }) => stop) && { stop: true }),
    ...(results.some((result) => result.keepFinalizer) && { keepFinalizer: true }),
  };
}

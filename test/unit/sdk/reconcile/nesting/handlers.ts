import fc from 'fast-check';
import type { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import type { KubeObject } from '../../../../../sdk/api/object.ts';
import { inProgressFinalizer, opinionated } from '../../../../../sdk/reconcile/grafana-app-sdk/opinionated.ts';
import { simple } from '../../../../../sdk/reconcile/grafana-app-sdk/simple.ts';
import { typed } from '../../../../../sdk/reconcile/grafana-app-sdk/typed.ts';
import type { Reconciler, Result } from '../../../../../sdk/reconcile/reconciler.ts';
import { finalizerNames, heldFor } from './composites.ts';
import { Failure, kindOf, type Node, type NodeKinds, type Oracle } from './node.ts';

interface Wrapped extends Node {
  readonly inner: Node;
}

interface Typed extends Wrapped {
  readonly matches: boolean;
}

interface Opinionated extends Wrapped {
  readonly finalizer: string;
  readonly claim: 'before' | 'after';
}

/** Finalizers of an object that is being deleted, and the names of our own. */
interface Deletion {
  readonly finalizers: readonly string[];
  readonly wip: string;
  readonly finalizer: string;
}

/** Result of a node that observes these finalizers on the object. */
function seeing(oracle: Oracle, finalizers: readonly string[], run: () => Result): Result {
  const { subject } = oracle;
  oracle.subject = { ...subject, finalizers };
  try {
    return run();
  } finally {
    oracle.subject = subject;
  }
}

const isClean = ({ requeueAfter, stop, keepFinalizer }: Result): boolean =>
  requeueAfter === undefined && !stop && !keepFinalizer;

/** Rule of a deletion: only what was handled is passed on, and both finalizers go once that was clean. */
function expectedDeletion({ finalizers, wip, finalizer }: Deletion, oracle: Oracle, run: () => Result): Result {
  if (!finalizers.includes(finalizer) && !finalizers.includes(wip)) return {};
  const result = run();
  if (isClean(result)) oracle.live = oracle.live.filter((name) => name !== finalizer && name !== wip);
  return result;
}

/** Rule of events: a mark before the first call, the finalizer after its success, both removed after a clean deletion. */
function expectedOpinionated({ finalizer, claim, inner }: Opinionated, path: string, oracle: Oracle): Result {
  const wip = inProgressFinalizer(finalizer);
  const { deleting, finalizers } = oracle.subject;
  const run = () => heldFor(oracle, () => oracle.expect(inner, `${path}.0`));
  if (deleting) return expectedDeletion({ finalizers, wip, finalizer }, oracle, run);
  if (finalizers.includes(finalizer)) return run();
  const claims = claim === 'before' && !finalizers.includes(wip);
  if (claims && !oracle.live.includes(wip)) oracle.live = [...oracle.live, wip];
  const result = seeing(oracle, claims ? oracle.live : finalizers, run);
  if (!isClean(result)) return result;
  const kept = oracle.live.filter((name) => name !== wip);
  oracle.live = kept.includes(finalizer) ? kept : [...kept, finalizer];
  return result;
}

const isAny = (_: KubeObject): _ is ConfigMap => true;
const isNone = (_: KubeObject): _ is ConfigMap => false;

/** Event handlers of grafana-app-sdk. */
export const handlers: NodeKinds = {
  simple: kindOf<Wrapped>({
    arbitrary: (tree) => fc.record({ type: fc.constant('simple'), inner: tree }),
    build: ({ inner }, path, builder) => simple(builder.build(inner, `${path}.0`)),
    expect: ({ inner }, path, oracle) => oracle.expect(inner, `${path}.0`),
  }),
  typed: kindOf<Typed>({
    arbitrary: (tree) =>
      fc.record({
        type: fc.constant('typed'),
        matches: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
        inner: tree,
      }),
    build: ({ matches, inner }, path, builder) =>
      typed<ConfigMap>(matches ? isAny : isNone, builder.build(inner, `${path}.0`)) as unknown as Reconciler<ConfigMap>,
    expect({ matches, inner }, path, oracle) {
      if (!matches) throw new Failure('plain', 'cannot cast', undefined);
      return oracle.expect(inner, `${path}.0`);
    },
  }),
  opinionated: kindOf<Opinionated>({
    arbitrary: (tree) =>
      fc.record({
        type: fc.constant('opinionated'),
        finalizer: fc.constantFrom(...finalizerNames),
        claim: fc.constantFrom<Opinionated['claim']>('before', 'after'),
        inner: tree,
      }),
    build: ({ finalizer, claim, inner }, path, builder) =>
      opinionated<ConfigMap>({ finalizer, claim }, builder.build(inner, `${path}.0`)),
    expect: expectedOpinionated,
  }),
};

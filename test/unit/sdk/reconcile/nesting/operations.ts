import fc from 'fast-check';
import type { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { cancelWith, crud } from '../../../../../sdk/reconcile/operatorkit/crud.ts';
import { type OperationObserver, withMetrics } from '../../../../../sdk/reconcile/operatorkit/metrics.ts';
import { resource } from '../../../../../sdk/reconcile/operatorkit/resource.ts';
import { withRetry } from '../../../../../sdk/reconcile/operatorkit/retry.ts';
import type { Result } from '../../../../../sdk/reconcile/reconciler.ts';
import {
  anyScript,
  type Builder,
  Failure,
  kindOf,
  type Node,
  type NodeKinds,
  type Oracle,
  type Script,
  sum,
} from './node.ts';

type Part = 'create' | 'update' | 'delete';

interface Crud extends Node {
  readonly current: Script;
  readonly desired: Script;
  readonly parts: Readonly<Partial<Record<Part, Script>>>;
  readonly allowed: readonly Part[];
  readonly order: 'createUpdateDelete' | 'createDeleteUpdate';
}

interface Resource extends Node {
  readonly created: Script;
  readonly deleted: Script;
}

interface Wrapped extends Node {
  readonly inner: Node;
}

interface Retried extends Wrapped {
  readonly retries: number;
}

const orders: Readonly<Record<Crud['order'], readonly Part[]>> = {
  createUpdateDelete: ['create', 'update', 'delete'],
  createDeleteUpdate: ['create', 'delete', 'update'],
};

/** A wrapper around every operation, in the oracle. */
type Around = <V>(run: () => V) => V;

/** Oracle with the wrappers of the parents that reach a node's operations. */
interface Wrapping extends Oracle {
  readonly around?: Around;
}

const bare: Around = (run) => run();

const aroundOf = (oracle: Wrapping): Around => oracle.around ?? bare;

/** Reports whether wrappers reach the single operations of the node behind wrappers. */
const isMadeOfOperations = ({ type }: Node): boolean => ['crud', 'resource', 'retry', 'metrics'].includes(type);

/** Result of a node with one more wrapper around its operations, inside the existing ones. */
function within(
  oracle: Wrapping,
  inner: Node,
  { path, wrap }: { readonly path: string; readonly wrap: Around },
): Result {
  const outer = aroundOf(oracle);
  const around: Around = (run) => outer(() => wrap(run));
  if (isMadeOfOperations(inner)) return withAround(oracle, around, () => oracle.expect(inner, path));
  return around(() => withAround(oracle, undefined, () => oracle.expect(inner, path)));
}

/** Sets the wrappers for the duration of `run`. */
function withAround<V>(oracle: Wrapping, around: Around | undefined, run: () => V): V {
  const state = oracle as { around?: Around | undefined };
  const before = state.around;
  state.around = around;
  try {
    return run();
  } finally {
    state.around = before;
  }
}

const retrying =
  (retries: number): Around =>
  (run) => {
    for (let attempt = 0; ; attempt += 1)
      try {
        return run();
      } catch (thrown) {
        if (!(thrown instanceof Failure) || thrown.how !== 'plain' || attempt >= retries) throw thrown;
      }
  };

const counting =
  (path: string, oracle: Oracle): Around =>
  (run) => {
    try {
      return run();
    } catch (thrown) {
      oracle.count(`${path} failed`);
      throw thrown;
    } finally {
      oracle.count(path);
    }
  };

function expectedCrud(node: Crud, path: string, oracle: Wrapping): Result {
  const operate = aroundOf(oracle);
  const results: Result[] = [];
  for (const name of ['current', 'desired'] as const) {
    const { leaves, result } = operate(() => oracle.play(node[name], `${path} ${name}`));
    if (leaves) return result;
  }
  operate(() => undefined);
  for (const part of orders[node.order]) {
    const script = node.parts[part];
    if (script === undefined || !node.allowed.includes(part)) continue;
    const { leaves, result } = operate(() => oracle.play(script, `${path} ${part}`));
    results.push(result);
    if (leaves || result.stop) break;
  }
  return sum(results);
}

function builtCrud({ current, desired, parts, allowed, order }: Crud, path: string, builder: Builder) {
  const step = (script: Script, name: string) => () => {
    const { leaves, result } = builder.play(script, `${path} ${name}`);
    return leaves ? cancelWith(result) : undefined;
  };
  const apply = (part: Part) => () => {
    const { leaves, result } = builder.play(parts[part]!, `${path} ${part}`);
    return leaves ? cancelWith(result) : result;
  };
  const patch = () => Object.fromEntries(Object.keys(parts).map((part) => [part, null]));
  return crud<ConfigMap, undefined, undefined, null, null, null>({
    name: path,
    getCurrentState: step(current, 'current'),
    getDesiredState: step(desired, 'desired'),
    newUpdatePatch: patch,
    newDeletePatch: patch,
    applyCreateChange: apply('create'),
    applyUpdateChange: apply('update'),
    applyDeleteChange: apply('delete'),
    order,
    policy: (part) => allowed.includes(part),
  });
}

/** Resources of operatorkit, and the wrappers around their operations. */
export const operations: NodeKinds = {
  crud: kindOf<Crud>({
    arbitrary: () =>
      fc.record({
        type: fc.constant('crud'),
        current: anyScript,
        desired: anyScript,
        parts: fc.record(
          { create: anyScript, update: anyScript, delete: anyScript },
          { requiredKeys: [], noNullPrototype: true },
        ),
        allowed: fc.subarray<Part>(['create', 'update', 'delete'], { minLength: 1 }),
        order: fc.constantFrom<Crud['order']>('createUpdateDelete', 'createDeleteUpdate'),
      }),
    build: builtCrud,
    expect: expectedCrud,
  }),
  resource: kindOf<Resource>({
    arbitrary: () => fc.record({ type: fc.constant('resource'), created: anyScript, deleted: anyScript }),
    build: ({ created, deleted }, path, builder) =>
      resource({
        name: path,
        ensureCreated: () => builder.play(created, path).result,
        ensureDeleted: () => builder.play(deleted, path).result,
      }),
    expect: ({ created, deleted }, path, oracle: Wrapping) =>
      aroundOf(oracle)(() => oracle.play(oracle.subject.deleting ? deleted : created, path).result),
  }),
  retry: kindOf<Retried>({
    arbitrary: (tree) =>
      fc.record({ type: fc.constant('retry'), retries: fc.integer({ min: 0, max: 3 }), inner: tree }),
    build: ({ retries, inner }, path, builder) => withRetry({ retries }, builder.build(inner, `${path}.0`)),
    expect: ({ retries, inner }, path, oracle) => within(oracle, inner, { path: `${path}.0`, wrap: retrying(retries) }),
  }),
  metrics: kindOf<Wrapped>({
    arbitrary: (tree) => fc.record({ type: fc.constant('metrics'), inner: tree }),
    build({ inner }, path, builder) {
      const operation: OperationObserver['operation'] = (_operation, work) =>
        work()
          .catch((error: unknown) => {
            builder.count(`${path} failed`);
            throw error;
          })
          .finally(() => builder.count(path));
      return withMetrics({ observer: { operation }, service: 'tests' }, builder.build(inner, `${path}.0`));
    },
    expect: ({ inner }, path, oracle) => within(oracle, inner, { path: `${path}.0`, wrap: counting(path, oracle) }),
  }),
};

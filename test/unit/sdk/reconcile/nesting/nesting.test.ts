import assert from 'node:assert/strict';
import test from 'ava';
import fc from 'fast-check';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import type { ObjectKey } from '../../../../../sdk/api/object.ts';
import type { Client } from '../../../../../sdk/client/client.ts';
import { nextRun } from '../../../../../sdk/operator/engine/next-run.ts';
import { inProgressFinalizer } from '../../../../../sdk/reconcile/grafana-app-sdk/opinionated.ts';
import type { Reconciler, Result } from '../../../../../sdk/reconcile/reconciler.ts';
import { requestFor } from '../../../../../sdk/reconcile/request.ts';
import { messageOf } from '../../../../../sdk/thrown.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { aServer } from '../../a-server.ts';
import { composites, finalizerNames, pauseAnnotation } from './composites.ts';
import { handlers } from './handlers.ts';
import {
  anyTree,
  type Builder,
  busyDelay,
  Failure,
  type Node,
  type NodeKind,
  type NodeKinds,
  type Oracle,
  type Script,
  type Subject,
  thrownFor,
} from './node.ts';
import { operations } from './operations.ts';
import { passes } from './passes.ts';
import { engines } from './steps.ts';

const kinds: NodeKinds = { ...composites, ...engines, ...operations, ...passes, ...handlers };
const kindOfNode = ({ type }: Node) => kinds[type] as unknown as NodeKind<Node>;

/** Finalizer that keeps an object that is being deleted. */
const keeper = 'example.com/keeper';

/** Outcome of a run, as observed or as expected. */
interface Outcome {
  readonly calls: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly finalizers: readonly string[];
  readonly end: Result | { readonly failed: string; readonly next: number | 'policy' | 'never' };
}

const policyDelay = 777_777;
const failed = (message: string, delay: number | undefined) => ({
  failed: message
    .replace(/^several resource sets.*/, 'several resource sets')
    .replace(/^no resource set.*/, 'no resource set')
    .replace(/^cannot cast .*/, 'cannot cast')
    .replace(/.* (has changed|was made) meanwhile$/, 'stale'),
  next: delay === undefined ? ('never' as const) : delay === policyDelay ? ('policy' as const) : delay,
});

/** Records calls and counts; a script has failed as often as it was played. */
function notes() {
  const calls: string[] = [];
  const counts: Record<string, number> = {};
  return {
    calls,
    counts,
    count(path: string): void {
      counts[path] = (counts[path] ?? 0) + 1;
    },
    /** Reports whether this call is to fail. */
    called({ failures }: Script, path: string): boolean {
      calls.push(path);
      return calls.filter((call) => call === path).length <= failures;
    },
  };
}

function foretold(tree: Node, subject: Subject): Outcome {
  const { calls, counts, count, called } = notes();
  const delays = { plain: policyDelay, giveUp: undefined, stale: 0, busy: busyDelay } as const;
  const oracle: Oracle = {
    subject,
    live: subject.finalizers,
    held: false,
    made: new Set(),
    expect: (node, path) => kindOfNode(node).expect(node, path, oracle),
    play(script, path) {
      if (called(script, path)) throw new Failure(script.how, path, script.how === 'busy' ? busyDelay : undefined);
      return script;
    },
    count,
  };
  const run = (): Outcome['end'] => {
    try {
      return oracle.expect(tree, 'root');
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      return failed(thrown.message, thrown.how === 'delayed' ? Math.max(1, thrown.delay ?? 0) : delays[thrown.how]);
    }
  };
  const end = run();
  return { calls, counts, finalizers: oracle.live, end };
}

function built(tree: Node): { readonly reconcile: Reconciler<ConfigMap> } & Pick<Outcome, 'calls' | 'counts'> {
  const { calls, counts, count, called } = notes();
  const builder: Builder = {
    build: (node, path) => kindOfNode(node).build(node, path, builder),
    play(script, path) {
      if (called(script, path)) throw thrownFor(script.how, path);
      return script;
    },
    count,
  };
  return { reconcile: builder.build(tree, 'root'), calls, counts };
}

/** Sleeps take no time. */
const instant = { ...createManualClock(), sleep: async () => undefined };

/** Runs the tree once for the given object on a server. */
async function happened(
  tree: Node,
  subject: Subject,
  { client, key }: { readonly client: Client; readonly key: ObjectKey },
) {
  const annotations = { [pauseAnnotation]: String(subject.paused) };
  await client.create(ConfigMap, { metadata: { ...key, annotations, finalizers: subject.finalizers } });
  if (subject.deleting) await client.delete(ConfigMap, key);
  const object = await client.get(ConfigMap, key);
  const { reconcile, calls, counts } = built(tree);
  const end = await reconcile(requestFor(ConfigMap, object, { client, clock: instant })).catch((error: unknown) =>
    failed(messageOf(error), nextRun({ error }, 0, { retry: () => policyDelay })),
  );
  const { finalizers = [] } = (await client.get(ConfigMap, key)).metadata;
  return { calls, counts, finalizers, end } satisfies Outcome;
}

const anySubject = fc.record({
  deleting: fc.boolean(),
  paused: fc.boolean(),
  finalizers: fc
    .subarray([...finalizerNames, ...finalizerNames.map(inProgressFinalizer)])
    .map((names) => [...names, keeper]),
});

test('however reconcilers are nested, flow values, errors, giving up and wishes come out as the rulings say', async (t) => {
  const server = await aServer();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(anyTree(kinds, 4), anySubject, async (tree, subject) => {
      runs += 1;
      const outcome = await happened(tree, subject, { client: server.client, key: server.key(`run-${runs}`) });
      assert.deepEqual(outcome, foretold(tree, subject));
    }),
    { numRuns: 300 },
  );
  t.true(runs >= 300);
});

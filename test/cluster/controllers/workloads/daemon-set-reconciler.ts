import type { Decision, Reconciler, Told, View, Write } from '../engine/reconciler.ts';
import { compactStatus, statusWrites } from '../engine/status-write.ts';
import { type Node, nodes } from '../node-lifecycle/nodes.ts';
import { claim, ownersConcerned } from '../ownership.ts';
import {
  isAvailable,
  isFinished,
  isReady,
  isTerminating,
  nextAvailable,
  type Pod,
  phaseOf,
  pods,
} from '../pods/pod.ts';
import { historyOf, podRevisionLabel, revisions, truncated } from '../revisions.ts';
import { type DaemonSet, daemonSets, isOfRevision, nodeOf, placeOf } from './daemon-set.ts';
import { allowsSurge, daemonCreation, type Facts, type Post, rollout, superseded } from './daemon-set-rollout.ts';
import { podDeletion } from './replica-set.ts';

const byAge = (a: Pod, b: Pod): number =>
  (a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1;

const postsOf = (set: DaemonSet, daemons: readonly Pod[], view: View): readonly Post[] =>
  view.list<Node>(nodes).map((node) => ({
    node,
    ...placeOf(set, node),
    pods: daemons.filter((pod) => nodeOf(pod) === node.metadata.name).toSorted(byAge),
  }));

/** Deletes finished daemon pods of a node, to be replaced. */
function cleared(set: DaemonSet, { node, pods: there }: Post): readonly Write[] {
  const ended = there.filter((pod) => isFinished(pod) && !isTerminating(pod));
  return ended.flatMap((pod) => {
    const { namespace, name } = pod.metadata;
    const where = `daemon pod ${namespace}/${name} on node ${node.metadata.name}`;
    const event: Told =
      phaseOf(pod) === 'Failed'
        ? {
            about: set,
            type: 'Warning',
            reason: 'FailedDaemonPod',
            message: `Found failed ${where}, will try to kill it`,
          }
        : {
            about: set,
            type: 'Normal',
            reason: 'SucceededDaemonPod',
            message: `Found succeeded ${where}, will try to delete it`,
          };
    return [{ do: 'event', event }, podDeletion(set, pod)] satisfies Write[];
  });
}

function manned(set: DaemonSet, post: Post, facts: Facts): readonly Write[] {
  const { revision } = facts;
  const present = post.pods.filter((pod) => !isTerminating(pod));
  if (!post.stays) return present.map((pod) => podDeletion(set, pod));
  const ended = cleared(set, post);
  if (ended.length > 0) return ended;
  if (post.runs && post.pods.length === 0) {
    return [daemonCreation(set, post, revision)];
  }
  if (!allowsSurge(set)) return present.slice(1).map((pod) => podDeletion(set, pod));
  if (present.length === 0 && post.runs) return [daemonCreation(set, post, revision)];
  return superseded(set, present, facts).map((pod) => podDeletion(set, pod));
}

/** Creates and deletes daemon pods until each node has those that it should; then rolls out the revision. */
function podChanges(set: DaemonSet, owned: readonly Pod[], { posts, facts }: { posts: readonly Post[]; facts: Facts }) {
  const known = new Set(posts.map(({ node }) => node.metadata.name));
  const stranded = owned.filter((pod) => !isTerminating(pod) && !known.has(nodeOf(pod)));
  const changes = [
    ...stranded.map((pod) => podDeletion(set, pod)),
    ...posts.flatMap((post) => manned(set, post, facts)),
  ];
  return changes.length > 0 ? changes : rollout(set, posts, facts);
}

function statusOf(set: DaemonSet, posts: readonly Post[], { revision, now }: Facts) {
  const wanted = posts.filter(({ runs }) => runs);
  const manned = wanted.filter((post) => post.pods.length > 0);
  const count = (is: (pod: Pod) => boolean): number => manned.filter((post) => is(post.pods[0]!)).length;
  const available = count((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, now));
  return compactStatus(
    {
      currentNumberScheduled: manned.length,
      numberMisscheduled: posts.filter(({ runs, pods: there }) => !runs && there.length > 0).length,
      desiredNumberScheduled: wanted.length,
      numberReady: count(isReady),
      observedGeneration: set.metadata.generation,
      updatedNumberScheduled: count((pod) => isOfRevision(pod, revision)),
      numberAvailable: available,
      numberUnavailable: wanted.length - available,
      collisionCount: set.status?.collisionCount,
    },
    ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'],
  );
}

function decide(set: DaemonSet, view: View): Decision {
  const { owned, writes } = claim(set, view.list<Pod>(pods, set.metadata.namespace));
  if (writes.length > 0) return { writes };
  const history = historyOf(set, view, podRevisionLabel);
  const revision = history.current;
  if (history.writes.length > 0 || revision === undefined) return { writes: history.writes };
  const facts = { revision, now: view.now };
  const posts = postsOf(set, owned, view);
  const isLeaving = set.metadata.deletionTimestamp !== undefined || view.refusal !== undefined;
  const changes = isLeaving ? [] : podChanges(set, owned, { posts, facts });
  if (changes.length > 0) return { writes: changes };
  const { revisionHistoryLimit = 10, minReadySeconds = 0 } = set.spec;
  const live = new Set([revision.metadata.name]);
  const isRolledOut = owned.every((pod) => isOfRevision(pod, revision));
  const old = isRolledOut ? truncated(history, live, revisionHistoryLimit) : [];
  return {
    writes: [...statusWrites(set, statusOf(set, posts, facts)), ...old],
    after: nextAvailable(owned, minReadySeconds, view.now),
  };
}

/** Runs one daemon pod on every node that a DaemonSet selects. */
export const daemonSetReconciler: Reconciler = {
  collection: daemonSets,
  component: 'daemonset-controller',
  concerns(change, view) {
    if ([pods, revisions].includes(change.collection)) {
      return ownersConcerned({ kind: 'DaemonSet', collection: daemonSets }, change, view);
    }
    if (change.collection !== nodes) return [];
    return view.list(daemonSets).map(({ metadata: { namespace, name } }) => `${namespace}/${name}`);
  },
  decide: (object, view) => decide(object as DaemonSet, view),
};

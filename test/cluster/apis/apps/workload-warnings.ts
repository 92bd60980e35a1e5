import { isLabel } from '../../apimachinery/names.ts';
import { equal, type Fields } from '../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/checks.ts';
import { fractionWarnings, podWarnings } from '../core/pods/warnings/pod-warnings.ts';

/** Returns warnings for an object; `former` is the one that it replaces. */
type Warn = (object: Fields, former: Fields | undefined) => Iterable<string>;

const nameOf = ({ metadata }: Fields): string => String(fieldsOf(metadata).name ?? '');

/** Warns of a name that is no DNS label; `use` is its use in the message. */
function* nameWarnings(object: Fields, use: string): Generator<string> {
  const problems = isLabel(nameOf(object));
  if (problems.length === 0) return;
  const effect = 'which can result in surprising behavior; a DNS label is recommended';
  yield `metadata.name: this is used in ${use}, ${effect}: [${problems.join(' ')}]`;
}

const ofPods = 'Pod names and hostnames';

/** Updates of pods cause no warnings. */
const pod: Warn = function* (object, former) {
  if (former !== undefined) return;
  yield* nameWarnings(object, "the Pod's hostname");
  yield* podWarnings(object);
};

const templateIn = (owner: unknown): Fields => fieldsOf(fieldsOf(owner).template);

/** Reports whether the spec has changed, by its generation. */
const isChanged = ({ metadata }: Fields, former: Fields | undefined): boolean =>
  former === undefined || fieldsOf(metadata).generation !== fieldsOf(former.metadata).generation;

/** Warns of workloads whose pods' names start with theirs. */
const workload: Warn = function* (object, former) {
  if (former === undefined) yield* nameWarnings(object, ofPods);
  if (isChanged(object, former)) yield* podWarnings(templateIn(object.spec), 'spec.template');
};

/** The server checks the former template when a ReplicationController changes. */
const replicationController: Warn = function* (object, former) {
  if (former === undefined) yield* nameWarnings(object, ofPods);
  if (isChanged(object, former)) yield* podWarnings(templateIn((former ?? object).spec), 'spec.template');
};

const daemonSet: Warn = function* ({ spec }, former) {
  if (former !== undefined && equal(templateIn(spec), templateIn(former.spec))) return;
  yield* podWarnings(templateIn(spec), 'spec.template');
};

const statefulSet: Warn = function* (object, former) {
  const { volumeClaimTemplates, revisionHistoryLimit } = fieldsOf(object.spec);
  if (isChanged(object, former)) yield* podWarnings(templateIn(object.spec), 'spec.template');
  for (const [index, { spec }] of listOf(volumeClaimTemplates).entries()) {
    const path = `spec.volumeClaimTemplates[${index}]${former === undefined ? '' : '.Spec'}.resources`;
    const { requests, limits } = fieldsOf(fieldsOf(spec).resources);
    yield* fractionWarnings(requests, `${path}.requests`, ['storage']);
    yield* fractionWarnings(limits, `${path}.limits`, ['storage']);
  }
  if (Number(revisionHistoryLimit) < 0) {
    const effect = 'a negative value retains all historical revisions; a value >= 0 is recommended';
    yield `spec.revisionHistoryLimit: ${effect}`;
  }
};

const manyIndexes =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';

function* jobWarnings(spec: Fields, path: string): Generator<string> {
  const { completionMode, completions, parallelism } = spec;
  if (completionMode === 'Indexed' && Number(completions) > 100_000 && Number(parallelism) > 10_000) {
    yield `${path}: ${manyIndexes}`;
  }
  yield* podWarnings(fieldsOf(spec.template), `${path}.template`);
}

const job: Warn = function* (object, former) {
  if (former === undefined) yield* nameWarnings(object, ofPods);
  if (isChanged(object, former)) yield* jobWarnings(fieldsOf(object.spec), 'spec');
};

const cronJob: Warn = function* (object, former) {
  const spec = fieldsOf(object.spec);
  if (former === undefined) yield* nameWarnings(object, ofPods);
  if (isChanged(object, former)) {
    yield* jobWarnings(fieldsOf(fieldsOf(spec.jobTemplate).spec), 'spec.jobTemplate.spec');
  }
  if (former !== undefined && String(spec.schedule).includes('TZ')) {
    const instead = 'use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/';
    yield `cannot use TZ or CRON_TZ in spec.spec.schedule, ${instead} for more details`;
  }
};

const podTemplate: Warn = function* (object, former) {
  if (isChanged(object, former)) yield* podWarnings(fieldsOf(object.template), 'template');
};

/** Warnings for pods and workloads, by type. */
export const workloadWarnings: Readonly<Record<string, Warn>> = {
  'apps.DaemonSet': daemonSet,
  'apps.Deployment': workload,
  'apps.ReplicaSet': workload,
  'apps.StatefulSet': statefulSet,
  'batch.CronJob': cronJob,
  'batch.Job': job,
  'core.Pod': pod,
  'core.PodTemplate': podTemplate,
  'core.ReplicationController': replicationController,
};

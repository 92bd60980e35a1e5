import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/checks.ts';
import { humanDuration } from '../printing/age.ts';
import {
  ageOf,
  containerCells,
  count,
  labelsText,
  metaOf,
  nameOf,
  orNone,
  type Printer,
  selectorText,
} from '../printing/printer.ts';

const specOf = (object: Fields): Fields => fieldsOf(object.spec);
const statusOf = (object: Fields): Fields => fieldsOf(object.status);

const deployments: Printer = {
  columns: 'Name|Ready|Up-to-date|Available|Age|Containers+|Images+|Selector+',
  cells(object, ago) {
    const spec = specOf(object);
    const status = statusOf(object);
    return [
      nameOf(object),
      `${count(status.readyReplicas)}/${count(spec.replicas)}`,
      count(status.updatedReplicas),
      count(status.availableReplicas),
      ageOf(object, ago),
      ...containerCells(spec.template),
      selectorText(spec.selector),
    ];
  },
};

const replicaSets: Printer = {
  columns: 'Name|Desired:integer|Current:integer|Ready:integer|Age|Containers+|Images+|Selector+',
  cells(object, ago) {
    const spec = specOf(object);
    const status = statusOf(object);
    const isPlain = object.kind === 'ReplicationController';
    return [
      nameOf(object),
      count(spec.replicas),
      count(status.replicas),
      count(status.readyReplicas),
      ageOf(object, ago),
      ...containerCells(spec.template),
      isPlain ? labelsText(spec.selector) : selectorText(spec.selector),
    ];
  },
};

const statefulSets: Printer = {
  columns: 'Name|Ready|Age|Containers+|Images+',
  cells: (object, ago) => [
    nameOf(object),
    `${count(statusOf(object).readyReplicas)}/${count(specOf(object).replicas)}`,
    ageOf(object, ago),
    ...containerCells(specOf(object).template),
  ],
};

const daemonSets: Printer = {
  columns:
    'Name|Desired:integer|Current:integer|Ready:integer|Up-to-date:integer|Available:integer|Node Selector|Age|Containers+|Images+|Selector+',
  cells(object, ago) {
    const spec = specOf(object);
    const status = statusOf(object);
    return [
      nameOf(object),
      count(status.desiredNumberScheduled),
      count(status.currentNumberScheduled),
      count(status.numberReady),
      count(status.updatedNumberScheduled),
      count(status.numberAvailable),
      labelsText(fieldsOf(fieldsOf(spec.template).spec).nodeSelector),
      ageOf(object, ago),
      ...containerCells(spec.template),
      selectorText(spec.selector),
    ];
  },
};

const jobStates: readonly (readonly [condition: string, shown: string])[] = [
  ['Complete', 'Complete'],
  ['Failed', 'Failed'],
  ['', 'Terminating'],
  ['Suspended', 'Suspended'],
  ['FailureTarget', 'FailureTarget'],
  ['SuccessCriteriaMet', 'SuccessCriteriaMet'],
];

function jobState(job: Fields): string {
  const conditions = listOf(statusOf(job).conditions);
  const holds = (type: string): boolean =>
    type === ''
      ? metaOf(job).deletionTimestamp !== undefined
      : conditions.some((condition) => condition.type === type && condition.status === 'True');
  return jobStates.find(([type]) => holds(type))?.[1] ?? 'Running';
}

function completionsText({ completions, parallelism }: Fields, succeeded: number): string {
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return count(parallelism) > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

const jobs: Printer = {
  columns: 'Name|Status|Completions|Duration|Age|Containers+|Images+|Selector+',
  cells(job, ago) {
    const spec = specOf(job);
    const { startTime, completionTime, succeeded } = statusOf(job);
    const duration =
      completionTime === undefined
        ? ago(startTime)
        : humanDuration(Date.parse(String(completionTime)) - Date.parse(String(startTime)));
    return [
      nameOf(job),
      jobState(job),
      completionsText(spec, count(succeeded)),
      startTime === undefined ? '' : duration,
      ageOf(job, ago),
      ...containerCells(spec.template),
      selectorText(spec.selector),
    ];
  },
};

const cronJobs: Printer = {
  columns: 'Name|Schedule|Timezone|Suspend:boolean|Active:integer|Last Schedule|Age|Containers+|Images+|Selector+',
  cells(object, ago) {
    const spec = specOf(object);
    const { active, lastScheduleTime } = statusOf(object);
    const { template, selector } = fieldsOf(fieldsOf(spec.jobTemplate).spec);
    return [
      nameOf(object),
      String(spec.schedule ?? ''),
      orNone(spec.timeZone),
      spec.suspend === undefined ? '<unset>' : spec.suspend === true ? 'True' : 'False',
      listOf(active).length,
      lastScheduleTime === undefined ? '<none>' : ago(lastScheduleTime),
      ageOf(object, ago),
      ...containerCells(template),
      selectorText(selector),
    ];
  },
};

const podDisruptionBudgets: Printer = {
  columns: 'Name|Min Available|Max Unavailable|Allowed Disruptions:integer|Age',
  cells: (object, ago) => [
    nameOf(object),
    String(specOf(object).minAvailable ?? 'N/A'),
    String(specOf(object).maxUnavailable ?? 'N/A'),
    count(statusOf(object).disruptionsAllowed),
    ageOf(object, ago),
  ],
};

function metricText(metric: Fields, current: Fields | undefined): string {
  const { type } = metric;
  if (type !== 'Resource') return '<unknown>';
  const { name, target } = fieldsOf(metric.resource);
  const { averageUtilization, averageValue } = fieldsOf(target);
  const now = fieldsOf(fieldsOf(current?.resource).current);
  if (averageUtilization === undefined) return `${name}: ${now.averageValue ?? '<unknown>'}/${averageValue}`;
  const used = now.averageUtilization === undefined ? '<unknown>' : `${now.averageUtilization}%`;
  return `${name}: ${used}/${averageUtilization}%`;
}

const horizontalPodAutoscalers: Printer = {
  columns: 'Name|Reference|Targets|MinPods|MaxPods|Replicas|Age',
  cells(object, ago) {
    const { scaleTargetRef, metrics, minReplicas, maxReplicas } = specOf(object);
    const { kind, name } = fieldsOf(scaleTargetRef);
    const current = listOf(statusOf(object).currentMetrics);
    const targets = listOf(metrics).map((metric, index) => metricText(metric, current[index]));
    const shown = targets.slice(0, 2).join(', ');
    return [
      nameOf(object),
      `${kind}/${name}`,
      targets.length === 0 ? '<none>' : targets.length > 2 ? `${shown} + ${targets.length - 2} more...` : shown,
      String(minReplicas ?? '<unset>'),
      count(maxReplicas),
      count(statusOf(object).currentReplicas),
      ageOf(object, ago),
    ];
  },
};

const podTemplates: Printer = {
  columns: 'Name|Containers|Images|Pod Labels',
  cells: (object) => [
    nameOf(object),
    ...containerCells(object.template),
    labelsText(fieldsOf(fieldsOf(object.template).metadata).labels),
  ],
};

/** Printers of workload kinds, by plural. */
export const workloadPrinters: Readonly<Record<string, Printer>> = {
  deployments,
  replicasets: replicaSets,
  replicationcontrollers: replicaSets,
  statefulsets: statefulSets,
  daemonsets: daemonSets,
  jobs,
  cronjobs: cronJobs,
  poddisruptionbudgets: podDisruptionBudgets,
  horizontalpodautoscalers: horizontalPodAutoscalers,
  podtemplates: podTemplates,
};

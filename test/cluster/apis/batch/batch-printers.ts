/** Tables of the kinds of `batch`. */

import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/errors.ts';
import { humanDuration } from '../printing/age.ts';
import {
  ageOf,
  containerCells,
  count,
  labelSelectorText,
  metaOf,
  nameOf,
  orNone,
  type Printer,
} from '../printing/printer.ts';

const specOf = (object: Fields): Fields => fieldsOf(object.spec);
const statusOf = (object: Fields): Fields => fieldsOf(object.status);

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
      labelSelectorText(spec.selector),
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
      labelSelectorText(selector),
    ];
  },
};

/** Printers of the group, by plural. */
export const batchPrinters: Readonly<Record<string, Printer>> = { jobs, cronjobs: cronJobs };

/** Descriptions of the columns, by `plural Column`. */
export const batchColumnTexts: Readonly<Record<string, string>> = {
  'cronjobs Active': 'A list of pointers to currently running jobs.',
  'cronjobs Last Schedule': 'Information when was the last time the job was successfully scheduled.',
  'cronjobs Schedule': 'The schedule in Cron format, see https://en.wikipedia.org/wiki/Cron.',
  'cronjobs Suspend':
    'This flag tells the controller to suspend subsequent executions, it does not apply to already started executions.  Defaults to false.',
  'cronjobs Timezone':
    'The time zone name for the given schedule, see https://en.wikipedia.org/wiki/List_of_tz_database_time_zones. If not specified, this will default to the time zone of the kube-controller-manager process. The set of valid time zone names and the time zone offset is loaded from the system-wide time zone database by the API server during CronJob validation and the controller manager during execution. If no system-wide time zone database can be found a bundled version of the database is used instead. If the time zone name becomes invalid during the lifetime of a CronJob or due to a change in host configuration, the controller will stop creating new new Jobs and will create a system event with the reason UnknownTimeZone. More information can be found in https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#time-zones',
  'jobs Completions':
    'The number of pods which reached phase Succeeded. The value increases monotonically for a given spec. However, it may decrease in reaction to scale down of elastic indexed jobs.',
  'jobs Duration': 'Time required to complete the job.',
  'jobs Status': 'Status of the job.',
};

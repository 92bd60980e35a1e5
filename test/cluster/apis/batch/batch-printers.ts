import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/checks.ts';
import { humanDuration } from '../printing/age.ts';
import {
  ageOf,
  containerCells,
  count,
  metaOf,
  nameOf,
  orNone,
  type Printer,
  selectorText,
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

/** Printers of the group, by plural. */
export const batchPrinters: Readonly<Record<string, Printer>> = { jobs, cronjobs: cronJobs };

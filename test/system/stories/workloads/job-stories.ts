import { conditionIn, container, count, type Story, statusIn } from './story.ts';
import { change, type Json, make, settled, type Workshop } from './workloads.ts';

const task = { spec: { restartPolicy: 'Never', containers: [container] } };
const indexed = (completions: number) => ({ completionMode: 'Indexed', completions, parallelism: completions });
const indexOf = ({ metadata }: Json): unknown =>
  ((metadata as Json).annotations as Json | undefined)?.['batch.kubernetes.io/job-completion-index'];

/** Deletes the Jobs of a namespace with their pods. */
async function cleared(workshop: Workshop, ns: string): Promise<void> {
  const path = `/apis/batch/v1/namespaces/${ns}/jobs`;
  await workshop.api.ask({ method: 'DELETE', path, body: { propagationPolicy: 'Background' } });
  await settled(workshop, ns, (all) => count(all, 'jobs') === 0 && count(all, 'pods') === 0);
}

/** Stories of Jobs, run on both servers. */
export const jobStories: readonly Story[] = [
  {
    title: 'a Job completes',
    steps: [
      async (workshop, ns) => {
        workshop.fate = () => 'succeeded';
        const spec = {
          completions: 3,
          parallelism: 2,
          template: { spec: { restartPolicy: 'Never', containers: [container] } },
        };
        await make(workshop, ns, ['jobs', 'task', spec]);
        return (all) => conditionIn(all, 'jobs', 'Complete') !== undefined;
      },
    ],
  },
  {
    title: 'an indexed Job completes',
    steps: [
      async (workshop, ns) => {
        workshop.fate = () => 'succeeded';
        const spec = {
          completions: 4,
          parallelism: 3,
          completionMode: 'Indexed',
          template: { spec: { restartPolicy: 'Never', containers: [container] } },
        };
        await make(workshop, ns, ['jobs', 'task', spec]);
        return (all) => conditionIn(all, 'jobs', 'Complete') !== undefined;
      },
    ],
  },
  {
    title: 'a Job fails; another is suspended and resumed',
    steps: [
      async (workshop, ns) => {
        workshop.fate = () => 'failed';
        const spec = { backoffLimit: 0, template: { spec: { restartPolicy: 'Never', containers: [container] } } };
        await make(workshop, ns, ['jobs', 'task', spec]);
        return (all) => conditionIn(all, 'jobs', 'Failed') !== undefined;
      },
      async (workshop, ns) => {
        workshop.fate = () => 'running';
        const path = `/apis/batch/v1/namespaces/${ns}/jobs/task`;
        await workshop.api.ask({ method: 'DELETE', path, body: { propagationPolicy: 'Background' } });
        await settled(workshop, ns, (all) => count(all, 'jobs') === 0 && count(all, 'pods') === 0);
        const spec = { suspend: true, template: { spec: { restartPolicy: 'Never', containers: [container] } } };
        await make(workshop, ns, ['jobs', 'late', spec]);
        return (all) => conditionIn(all, 'jobs', 'Suspended')?.status === 'True';
      },
      async (workshop, ns) => {
        await change(workshop, ns, ['jobs', 'late', { suspend: false }]);
        return (all) => statusIn(all, 'jobs').active === 1 && statusIn(all, 'pods').phase === 'Running';
      },
    ],
  },
  {
    title: 'a Job ends by an exit code; each index of another fails by itself; a third is done when its leader is',
    steps: [
      async (workshop, ns) => {
        workshop.fate = () => 'failed';
        const rules = [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }];
        await make(workshop, ns, ['jobs', 'task', { podFailurePolicy: { rules }, template: task }]);
        return (all) => conditionIn(all, 'jobs', 'Failed') !== undefined;
      },
      async (workshop, ns) => {
        await cleared(workshop, ns);
        workshop.fate = (pod) => (indexOf(pod) === '1' ? 'failed' : 'succeeded');
        const limits = { backoffLimitPerIndex: 0, maxFailedIndexes: 2 };
        await make(workshop, ns, ['jobs', 'indexed', { ...indexed(3), ...limits, template: task }]);
        return (all) => conditionIn(all, 'jobs', 'Failed') !== undefined;
      },
      async (workshop, ns) => {
        await cleared(workshop, ns);
        workshop.fate = (pod) => (indexOf(pod) === '0' ? 'succeeded' : 'running');
        const successPolicy = { rules: [{ succeededIndexes: '0' }] };
        await make(workshop, ns, ['jobs', 'led', { ...indexed(3), successPolicy, template: task }]);
        return (all) => conditionIn(all, 'jobs', 'Complete') !== undefined;
      },
    ],
  },
  {
    title: 'too many failed indexes stop a Job; failures that are ignored do not count',
    steps: [
      async (workshop, ns) => {
        workshop.fate = (pod) => (indexOf(pod) === '0' ? 'failed' : 'running');
        const limits = { backoffLimitPerIndex: 0, maxFailedIndexes: 0 };
        await make(workshop, ns, ['jobs', 'indexed', { ...indexed(2), ...limits, template: task }]);
        return (all) => conditionIn(all, 'jobs', 'Failed') !== undefined;
      },
      async (workshop, ns) => {
        await cleared(workshop, ns);
        workshop.fate = () => 'failed';
        const rules = [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [1] } }];
        await make(workshop, ns, ['jobs', 'task', { backoffLimit: 0, podFailurePolicy: { rules }, template: task }]);
        await settled(workshop, ns, (all) => statusIn(all, 'pods').phase === 'Failed');
        workshop.fate = () => 'succeeded';
        return (all) => conditionIn(all, 'jobs', 'Complete') !== undefined;
      },
    ],
  },
];

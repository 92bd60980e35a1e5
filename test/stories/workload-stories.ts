import { change, type Json, make, settled, type Workshop } from './workloads.ts';

/** Everything in a namespace, by plural. */
export type All = Readonly<Record<string, readonly Json[]>>;

/** One way of a workload's life. */
export interface Story {
  readonly title: string;
  /** Each does something and says when it is done. */
  readonly steps: readonly ((workshop: Workshop, namespace: string) => Promise<(all: All) => boolean>)[];
}

const container = { name: 'main', image: 'example.test/main:1', ports: [{ name: 'http', containerPort: 8080 }] };
const labels = { app: 'it' };
const template = (spec: object = {}) => ({ metadata: { labels }, spec: { containers: [container], ...spec } });
const selector = { matchLabels: labels };

const statusIn = (all: All, plural: string): Json => (all[plural]?.[0]?.status ?? {}) as Json;
const count = (all: All, plural: string): number => all[plural]?.length ?? 0;
const conditionIn = (all: All, plural: string, type: string): Json | undefined =>
  ((statusIn(all, plural).conditions ?? []) as readonly Json[]).find((condition) => condition.type === type);
/** Whether every slice has so many endpoints. */
const found = (all: All, wanted: number): boolean =>
  (all.endpointslices ?? []).every(({ endpoints }) => (endpoints as readonly Json[] | null)?.length === wanted);
const image = (version: number) => ({
  template: { spec: { containers: [{ ...container, image: `example.test/main:${version}` }] } },
});

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

/** What is told on both servers. */
export const workloadStories: readonly Story[] = [
  {
    title: 'a Deployment is rolled out, changed, paused, scaled and rolled back',
    steps: [
      async (workshop, ns) => {
        await make(workshop, ns, ['deployments', 'web', { replicas: 3, selector, template: template() }]);
        return (all) => statusIn(all, 'deployments').availableReplicas === 3;
      },
      async (workshop, ns) => {
        await change(workshop, ns, ['deployments', 'web', image(2)]);
        return (all) => count(all, 'replicasets') === 2 && statusIn(all, 'deployments').replicas === 3;
      },
      async (workshop, ns) => {
        await change(workshop, ns, ['deployments', 'web', { paused: true }]);
        await change(workshop, ns, ['deployments', 'web', { ...image(3), replicas: 5 }]);
        return (all) => statusIn(all, 'deployments').availableReplicas === 5;
      },
      async (workshop, ns) => {
        await change(workshop, ns, ['deployments', 'web', { paused: false, ...image(1) }]);
        return (all) => conditionIn(all, 'deployments', 'Progressing')?.reason === 'NewReplicaSetAvailable';
      },
      async (workshop, ns) => {
        await change(workshop, ns, ['deployments', 'web', { replicas: 0 }]);
        return (all) => count(all, 'pods') === 0;
      },
    ],
  },
  {
    title: 'a Deployment that recreates its pods; one whose new pods are never ready',
    steps: [
      async (workshop, ns) => {
        const strategy = { type: 'Recreate' };
        await make(workshop, ns, ['deployments', 'web', { replicas: 2, strategy, selector, template: template() }]);
        return (all) => statusIn(all, 'deployments').availableReplicas === 2;
      },
      async (workshop, ns) => {
        await change(workshop, ns, ['deployments', 'web', image(2)]);
        return (all) => count(all, 'replicasets') === 2 && statusIn(all, 'deployments').availableReplicas === 2;
      },
      async (workshop, ns) => {
        workshop.fate = ({ metadata }) => ((metadata as Json).namespace === ns ? 'running' : 'ready');
        const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
        await change(workshop, ns, ['deployments', 'web', { strategy, progressDeadlineSeconds: 3, ...image(3) }]);
        return (all) => conditionIn(all, 'deployments', 'Progressing')?.reason === 'ProgressDeadlineExceeded';
      },
    ],
  },
  {
    title: 'a StatefulSet with volumes grows, changes down to a partition, and shrinks',
    steps: [
      async (workshop, ns) => {
        const claim = {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        };
        const spec = { serviceName: 'db', replicas: 3, selector, template: template(), volumeClaimTemplates: [claim] };
        await make(workshop, ns, ['statefulsets', 'db', spec]);
        return (all) => statusIn(all, 'statefulsets').availableReplicas === 3;
      },
      async (workshop, ns) => {
        const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1 } };
        await change(workshop, ns, ['statefulsets', 'db', { updateStrategy, ...image(2) }]);
        return (all) =>
          statusIn(all, 'statefulsets').updatedReplicas === 2 && statusIn(all, 'statefulsets').readyReplicas === 3;
      },
      async (workshop, ns) => {
        const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 0 } };
        await change(workshop, ns, ['statefulsets', 'db', { updateStrategy, replicas: 2 }]);
        return (all) =>
          statusIn(all, 'statefulsets').updatedReplicas === 2 && statusIn(all, 'statefulsets').replicas === 2;
      },
    ],
  },
  {
    title: 'a DaemonSet on one node is changed',
    steps: [
      async (workshop, ns) => {
        await make(workshop, ns, ['daemonsets', 'agent', { selector, template: template() }]);
        return (all) => statusIn(all, 'daemonsets').numberAvailable === 1;
      },
      async (workshop, ns) => {
        await change(workshop, ns, ['daemonsets', 'agent', image(2)]);
        return (all) =>
          count(all, 'controllerrevisions') === 2 &&
          statusIn(all, 'daemonsets').updatedNumberScheduled === 1 &&
          statusIn(all, 'daemonsets').numberAvailable === 1;
      },
    ],
  },
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
  {
    title: 'a DaemonSet surges; claims of a StatefulSet go with what they belong to',
    steps: [
      async (workshop, ns) => {
        workshop.fate = () => 'ready';
        const updateStrategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
        await make(workshop, ns, ['daemonsets', 'agent', { selector, template: template(), updateStrategy }]);
        await settled(workshop, ns, (all) => statusIn(all, 'daemonsets').numberAvailable === 1);
        await change(workshop, ns, ['daemonsets', 'agent', image(2)]);
        return (all) => count(all, 'pods') === 1 && statusIn(all, 'daemonsets').updatedNumberScheduled === 1;
      },
      async (workshop, ns) => {
        const path = `/apis/apps/v1/namespaces/${ns}/daemonsets/agent`;
        await workshop.api.ask({ method: 'DELETE', path, body: { propagationPolicy: 'Background' } });
        await settled(workshop, ns, (all) => count(all, 'pods') === 0);
        const claim = {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        };
        const policy = { whenScaled: 'Delete', whenDeleted: 'Delete' };
        const spec = { serviceName: 'db', replicas: 2, selector, template: template(), volumeClaimTemplates: [claim] };
        await make(workshop, ns, ['statefulsets', 'db', { ...spec, persistentVolumeClaimRetentionPolicy: policy }]);
        return (all) => statusIn(all, 'statefulsets').availableReplicas === 2;
      },
      async (workshop, ns) => {
        await change(workshop, ns, ['statefulsets', 'db', { replicas: 1 }]);
        return (all) => statusIn(all, 'statefulsets').replicas === 1 && count(all, 'persistentvolumeclaims') === 1;
      },
    ],
  },
  {
    title: 'a Service finds its pods, and a budget counts them',
    steps: [
      async (workshop, ns) => {
        workshop.fate = () => 'ready';
        const ports = [{ name: 'web', port: 80, targetPort: 'http' }];
        await make(workshop, ns, ['services', 'web', { selector: labels, ports }]);
        await make(workshop, ns, [
          'services',
          'headless',
          { clusterIP: 'None', selector: labels, ports: [{ port: 9 }] },
        ]);
        await make(workshop, ns, ['poddisruptionbudgets', 'web', { maxUnavailable: 1, selector }]);
        await make(workshop, ns, ['deployments', 'web', { replicas: 2, selector, template: template() }]);
        return (all) => statusIn(all, 'poddisruptionbudgets').currentHealthy === 2 && found(all, 2);
      },
      async (workshop, ns) => {
        workshop.fate = () => 'running';
        await change(workshop, ns, ['deployments', 'web', { replicas: 3 }]);
        return (all) => count(all, 'pods') === 3 && found(all, 3);
      },
    ],
  },
  {
    title: 'pods are adopted and let go, an eviction spends a budget, and what is owned goes with its owner',
    steps: [
      async (workshop, ns) => {
        workshop.fate = () => 'ready';
        await make(workshop, ns, ['poddisruptionbudgets', 'web', { minAvailable: '50%', selector }]);
        await make(workshop, ns, ['deployments', 'web', { replicas: 3, selector, template: template() }]);
        return (all) => statusIn(all, 'poddisruptionbudgets').currentHealthy === 3;
      },
      async (workshop, ns) => {
        const path = `/api/v1/namespaces/${ns}/pods`;
        const { items } = (await workshop.api.ask({ path })).body as {
          items: readonly { metadata: { name: string } }[];
        };
        const { name } = items[0]!.metadata;
        const body = { metadata: { labels: { app: 'mine' } } };
        await workshop.api.ask({ method: 'PATCH', path: `${path}/${name}`, body });
        return (all) => count(all, 'pods') === 4 && statusIn(all, 'poddisruptionbudgets').currentHealthy === 3;
      },
      async (workshop, ns) => {
        const path = `/api/v1/namespaces/${ns}/pods`;
        const { items } = (await workshop.api.ask({ path: `${path}?labelSelector=app%3Dit` })).body as {
          items: readonly { metadata: { name: string } }[];
        };
        const { name } = items[0]!.metadata;
        await workshop.api.ask({ method: 'POST', path: `${path}/${name}/eviction`, body: { metadata: { name } } });
        return (all) => count(all, 'pods') === 4 && statusIn(all, 'poddisruptionbudgets').currentHealthy === 3;
      },
      async (workshop, ns) => {
        const path = `/apis/apps/v1/namespaces/${ns}/deployments/web`;
        await workshop.api.ask({ method: 'DELETE', path, body: { propagationPolicy: 'Foreground' } });
        return (all) => count(all, 'deployments') === 0 && count(all, 'pods') === 1;
      },
    ],
  },
];

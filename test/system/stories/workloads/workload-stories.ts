import { jobStories } from './job-stories.ts';
import { conditionIn, count, found, image, labels, type Story, selector, statusIn, template } from './story.ts';
import { change, type Json, make, settled } from './workloads.ts';

/** Stories of workloads, run on both servers. */
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
        const persistentVolumeClaimRetentionPolicy = { whenScaled: 'Delete', whenDeleted: 'Retain' };
        await change(workshop, ns, ['statefulsets', 'db', { persistentVolumeClaimRetentionPolicy }]);
        return (all) => statusIn(all, 'statefulsets').observedGeneration === 2;
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
  ...jobStories,
];

/** Factories of all controllers; most are loaded on first use. */

import { isFields } from '../../apimachinery/object.ts';
import type { Handler } from '../../requests/message.ts';
import type { ServerContext } from '../../server/server-context.ts';
import type { Change } from '../../storage/store.ts';
import { crdController } from '../crd/crd.ts';
import { garbageCollector } from '../garbage-collector.ts';
import type { Kubelet } from '../kubelet/kubelet.ts';
import {
  type NamespaceOptions,
  namespaceController,
  rootCaController,
  serviceAccountController,
} from '../namespaces/namespaces.ts';
import { evictsPods, isUnsettledNode } from '../node-lifecycle/nodes.ts';
import { storageController } from '../volumes/storage-object-protection.ts';
import { type ChangeHandler, changeWorker } from './change-worker.ts';
import { type LazyWorkerOptions, lazyWorker } from './lazy-worker.ts';
import type { ControllerName } from './modes.ts';
import { ReconcileWorker } from './reconcile-worker.ts';
import type { Reconciler } from './reconciler.ts';
import type { WorkerFactory } from './switchable-controller.ts';
import { combinedWorker, type Worker } from './worker.ts';
import { createWriter } from './writer.ts';

/** Dependencies of the controllers. */
export interface ControllerContext {
  readonly server: ServerContext;
  /** Handler of the server, without faults and interceptors. */
  readonly handle: Handler;
  readonly namespaces: NamespaceOptions;
  readonly kubelet: Kubelet;
  readonly onError: (error: unknown) => void;
}

/** Factory of each controller. */
export type ControllerRegistry = Readonly<Record<ControllerName | 'definitions', WorkerFactory>>;

/** Reconcilers loaded on first use. */
interface LazyReconciler extends Pick<LazyWorkerOptions, 'wakes'> {
  readonly load: (server: ServerContext) => Promise<readonly Reconciler[]>;
}

const inOneOf =
  (...collections: readonly string[]) =>
  ({ collection }: Change): boolean =>
    collections.includes(collection);

/** Selects changes of Services with a selector or of type LoadBalancer; others, such as the API server's, are not managed. */
const services = ({ collection, object }: Change): boolean => {
  const spec = isFields(object.spec) ? object.spec : {};
  return collection === '/services' && (spec.selector !== undefined || spec.type === 'LoadBalancer');
};

/** Loads the rules that reconcilers need for their first writes. */
const warmUp = ({ scheme, registry }: ServerContext): Promise<unknown> =>
  Promise.all(['pods', 'events'].map((plural) => scheme.load(registry.find('v1', plural)!.info)));

function reconciling(context: ControllerContext, wake: () => void, reconciler: Reconciler): Worker {
  const { server, handle, kubelet, onError } = context;
  const { component, manager = 'kube-controller-manager' } = reconciler;
  const events = manager === 'kube-controller-manager' || kubelet.options.events === true;
  const writer = createWriter({ server, handle, component, manager, events });
  return new ReconcileWorker({ server, reconciler, writer, wake, onError });
}

const podReconcilers = {
  scheduler: async (kubelet: Kubelet) => [(await import('../scheduler/scheduler.ts')).schedulerReconciler(kubelet)],
  kubelet: async (kubelet: Kubelet) => [(await import('../kubelet/kubelet-reconciler.ts')).kubeletReconciler(kubelet)],
} as const;

const signingRequests = 'certificates.k8s.io/certificatesigningrequests';

const lazyReconcilers = {
  deployment: {
    wakes: inOneOf('apps/deployments'),
    load: async () => [(await import('../workloads/deployment-reconciler.ts')).deploymentReconciler],
  },
  replicaSet: {
    wakes: inOneOf('apps/replicasets'),
    load: async () => [(await import('../workloads/replica-set.ts')).replicaSetReconciler],
  },
  replicationController: {
    wakes: inOneOf('/replicationcontrollers'),
    load: async () => [(await import('../workloads/replica-set.ts')).replicationControllerReconciler],
  },
  statefulSet: {
    wakes: inOneOf('apps/statefulsets'),
    load: async () => [(await import('../workloads/stateful-set-reconciler.ts')).statefulSetReconciler],
  },
  daemonSet: {
    wakes: inOneOf('apps/daemonsets'),
    load: async () => [(await import('../workloads/daemon-set-reconciler.ts')).daemonSetReconciler],
  },
  job: {
    wakes: inOneOf('batch/jobs'),
    load: async () => [(await import('../batch/job-reconciler.ts')).jobReconciler],
  },
  ttlAfterFinished: {
    wakes: inOneOf('batch/jobs'),
    load: async () => [(await import('../batch/ttl-after-finished.ts')).ttlAfterFinishedReconciler],
  },
  cronJob: {
    wakes: inOneOf('batch/cronjobs'),
    load: async () => [(await import('../batch/cron-job-reconciler.ts')).cronJobReconciler],
  },
  endpoints: {
    wakes: services,
    load: async () => [(await import('../services/endpoints.ts')).endpointsReconciler],
  },
  endpointSlice: {
    wakes: services,
    load: async () => [(await import('../services/endpoint-slice.ts')).endpointSliceReconciler],
  },
  loadBalancer: {
    wakes: services,
    load: async () => [(await import('../services/load-balancer.ts')).loadBalancerReconciler],
  },
  volumeBinding: {
    wakes: inOneOf('/persistentvolumeclaims', '/persistentvolumes'),
    load: async () => [
      (await import('../volumes/volume-binding.ts')).volumeBindingReconciler,
      (await import('../volumes/volume-phase.ts')).volumePhaseReconciler,
    ],
  },
  resourceQuota: {
    wakes: inOneOf('/resourcequotas'),
    load: async () => [(await import('../resource-quota.ts')).resourceQuotaReconciler],
  },
  disruption: {
    wakes: inOneOf('policy/poddisruptionbudgets'),
    load: async () => [(await import('../disruption.ts')).disruptionReconciler],
  },
  signingRequestApproval: {
    wakes: inOneOf(signingRequests),
    load: async ({ authorizer }) => [(await import('../certificates/approving.ts')).approvingReconciler(authorizer)],
  },
  signing: {
    wakes: inOneOf(signingRequests),
    load: async ({ authority }) => [(await import('../certificates/signing.ts')).signingReconciler(authority)],
  },
  signingRequestCleaner: {
    wakes: inOneOf(signingRequests),
    load: async () => [(await import('../certificates/cleaning.ts')).cleaningReconciler],
  },
} as const satisfies Readonly<Record<string, LazyReconciler>>;

type Lazy = keyof typeof lazyReconcilers;

function policyTypesWorker({ server, onError }: ControllerContext): Worker {
  const { store, registry, scheme } = server;
  return lazyWorker({
    wakes: inOneOf('admissionregistration.k8s.io/validatingadmissionpolicies'),
    async load() {
      const [{ policyTypesController }, table] = await Promise.all([
        import('../policies/admission-policy-status.ts'),
        scheme.types(),
      ]);
      const policies = registry.find('admissionregistration.k8s.io/v1', 'validatingadmissionpolicies')!;
      return changeWorker(store, policyTypesController(server, policies, table), onError);
    },
  });
}

/** Returns the factory of each controller; those that few clusters need are loaded on first use. */
export function createControllerRegistry(context: ControllerContext): ControllerRegistry {
  const { server, namespaces, kubelet, onError } = context;
  const { store, registry } = server;
  const reacting = (make: () => ChangeHandler) => () => changeWorker(store, make(), onError);
  const lazy =
    ({ wakes, load }: LazyReconciler): WorkerFactory =>
    (wake) =>
      lazyWorker({
        wakes,
        async load() {
          const [reconcilers] = await Promise.all([load(server), warmUp(server)]);
          return combinedWorker(reconcilers.map((reconciler) => reconciling(context, wake, reconciler)));
        },
      });
  const onPods = (name: keyof typeof podReconcilers): WorkerFactory =>
    lazy({ wakes: inOneOf('/pods'), load: () => podReconcilers[name](kubelet) });
  const workloads = Object.fromEntries(
    Object.entries(lazyReconcilers).map(([name, reconciler]) => [name, lazy(reconciler)]),
  ) as Record<Lazy, WorkerFactory>;
  return {
    definitions: reacting(() =>
      crdController(server, registry.find('apiextensions.k8s.io/v1', 'customresourcedefinitions')!),
    ),
    namespace: reacting(() => namespaceController(server, registry.find('v1', 'namespaces')!, namespaces)),
    serviceAccount: reacting(() => serviceAccountController(server)),
    rootCa: reacting(() => rootCaController(server)),
    roleAggregation: () =>
      lazyWorker({
        wakes: inOneOf('rbac.authorization.k8s.io/clusterroles'),
        async load() {
          const { aggregationController } = await import('../rbac/aggregation.ts');
          const roles = registry.find('rbac.authorization.k8s.io/v1', 'clusterroles')!;
          return changeWorker(store, aggregationController(server, roles), onError);
        },
      }),
    policyTypes: () => policyTypesWorker(context),
    garbageCollector: reacting(() => garbageCollector(server)),
    volumeProtection: reacting(() => storageController(server)),
    nodeLifecycle: lazy({
      wakes: (change) => isUnsettledNode(change) || evictsPods(change),
      async load() {
        const [{ nodeLifecycleReconciler }, { taintEvictionReconciler }] = await Promise.all([
          import('../node-lifecycle/node-lifecycle.ts'),
          import('../node-lifecycle/taint-eviction.ts'),
        ]);
        return [nodeLifecycleReconciler, taintEvictionReconciler()];
      },
    }),
    scheduler: onPods('scheduler'),
    kubelet: onPods('kubelet'),
    ...workloads,
  };
}

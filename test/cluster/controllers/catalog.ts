/** Factories of all controllers; most are loaded on first use. */

import type { Handler } from '../http/message.ts';
import type { Machinery } from '../machinery.ts';
import { isFields } from '../objects/object.ts';
import type { Change } from '../store.ts';
import type { PartFactory } from './actor.ts';
import { definitionController } from './definitions.ts';
import { garbageController } from './garbage.ts';
import type { Kubelet } from './kubelet/kubelet.ts';
import { isUnsettledNode, throwsOut } from './kubelet/nodes.ts';
import { type LazyOptions, lazyPart } from './lazy.ts';
import type { ControllerName } from './modes.ts';
import {
  type NamespaceOptions,
  namespaceController,
  rootCaController,
  serviceAccountController,
} from './namespaces.ts';
import { combined, type Part } from './part.ts';
import { type Controller, reactionPart } from './reaction.ts';
import type { Reconciler } from './reconciler.ts';
import { Reconciling } from './reconciling.ts';
import { storageController } from './storage.ts';
import { createWriter } from './writer.ts';

/** Dependencies of the controllers. */
export interface CatalogContext {
  readonly machinery: Machinery;
  /** Handler of the server, without faults and interceptors. */
  readonly handle: Handler;
  readonly namespaces: NamespaceOptions;
  readonly kubelet: Kubelet;
  readonly onError: (error: unknown) => void;
}

/** Factory of each controller. */
export type Catalog = Readonly<Record<ControllerName | 'definitions', PartFactory>>;

/** Reconcilers loaded on first use. */
interface LazyReconciler extends Pick<LazyOptions, 'wakes'> {
  readonly load: (machinery: Machinery) => Promise<readonly Reconciler[]>;
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
const warmUp = ({ rules, registry }: Machinery): Promise<unknown> =>
  Promise.all(['pods', 'events'].map((plural) => rules.load(registry.find('v1', plural)!.info)));

function reconciling(context: CatalogContext, wake: () => void, reconciler: Reconciler): Part {
  const { machinery, handle, kubelet, onError } = context;
  const { component, manager = 'kube-controller-manager' } = reconciler;
  const events = manager === 'kube-controller-manager' || kubelet.options.events === true;
  const writer = createWriter({ machinery, handle, component, manager, events });
  return new Reconciling({ machinery, reconciler, writer, wake, onError });
}

const podReconcilers = {
  scheduler: async (kubelet: Kubelet) => [(await import('./kubelet/scheduler.ts')).schedulerReconciler(kubelet)],
  kubelet: async (kubelet: Kubelet) => [(await import('./kubelet/kubelet-reconciler.ts')).kubeletReconciler(kubelet)],
} as const;

const signingRequests = 'certificates.k8s.io/certificatesigningrequests';

const lazyReconcilers = {
  deployment: {
    wakes: inOneOf('apps/deployments'),
    load: async () => [(await import('./workloads/deployment-reconciler.ts')).deploymentReconciler],
  },
  replicaSet: {
    wakes: inOneOf('apps/replicasets'),
    load: async () => [(await import('./workloads/replica-set.ts')).replicaSetReconciler],
  },
  replicationController: {
    wakes: inOneOf('/replicationcontrollers'),
    load: async () => [(await import('./workloads/replica-set.ts')).replicationControllerReconciler],
  },
  statefulSet: {
    wakes: inOneOf('apps/statefulsets'),
    load: async () => [(await import('./workloads/stateful-set-reconciler.ts')).statefulSetReconciler],
  },
  daemonSet: {
    wakes: inOneOf('apps/daemonsets'),
    load: async () => [(await import('./workloads/daemon-set-reconciler.ts')).daemonSetReconciler],
  },
  job: {
    wakes: inOneOf('batch/jobs'),
    load: async () => [(await import('./batch/job-reconciler.ts')).jobReconciler],
  },
  ttlAfterFinished: {
    wakes: inOneOf('batch/jobs'),
    load: async () => [(await import('./batch/ttl-after-finished.ts')).ttlAfterFinishedReconciler],
  },
  cronJob: {
    wakes: inOneOf('batch/cronjobs'),
    load: async () => [(await import('./batch/cron-job-reconciler.ts')).cronJobReconciler],
  },
  endpoints: {
    wakes: services,
    load: async () => [(await import('./services/endpoints.ts')).endpointsReconciler],
  },
  endpointSlice: {
    wakes: services,
    load: async () => [(await import('./services/endpoint-slice.ts')).endpointSliceReconciler],
  },
  loadBalancer: {
    wakes: services,
    load: async () => [(await import('./services/load-balancer.ts')).loadBalancerReconciler],
  },
  volumeBinding: {
    wakes: inOneOf('/persistentvolumeclaims', '/persistentvolumes'),
    load: async () => [
      (await import('./volumes/volume-binding.ts')).volumeBindingReconciler,
      (await import('./volumes/volume-phases.ts')).volumePhaseReconciler,
    ],
  },
  resourceQuota: {
    wakes: inOneOf('/resourcequotas'),
    load: async () => [(await import('./resource-quota.ts')).resourceQuotaReconciler],
  },
  disruption: {
    wakes: inOneOf('policy/poddisruptionbudgets'),
    load: async () => [(await import('./disruption.ts')).disruptionReconciler],
  },
  signingRequestApproval: {
    wakes: inOneOf(signingRequests),
    load: async ({ authorizer }) => [(await import('./certificates/approving.ts')).approvingReconciler(authorizer)],
  },
  signing: {
    wakes: inOneOf(signingRequests),
    load: async ({ authority }) => [(await import('./certificates/signing.ts')).signingReconciler(authority)],
  },
  signingRequestCleaner: {
    wakes: inOneOf(signingRequests),
    load: async () => [(await import('./certificates/cleaning.ts')).cleaningReconciler],
  },
} as const satisfies Readonly<Record<string, LazyReconciler>>;

type Lazy = keyof typeof lazyReconcilers;

function policyTypesPart({ machinery, onError }: CatalogContext): Part {
  const { store, registry, rules } = machinery;
  return lazyPart({
    wakes: inOneOf('admissionregistration.k8s.io/validatingadmissionpolicies'),
    async load() {
      const [{ policyTypesController }, table] = await Promise.all([
        import('../admission/policy-types.ts'),
        rules.types(),
      ]);
      const policies = registry.find('admissionregistration.k8s.io/v1', 'validatingadmissionpolicies')!;
      return reactionPart(store, policyTypesController(machinery, policies, table), onError);
    },
  });
}

/** Returns the factory of each controller; those that few clusters need are loaded on first use. */
export function catalogOf(context: CatalogContext): Catalog {
  const { machinery, namespaces, kubelet, onError } = context;
  const { store, registry } = machinery;
  const reacting = (make: () => Controller) => () => reactionPart(store, make(), onError);
  const lazy =
    ({ wakes, load }: LazyReconciler): PartFactory =>
    (wake) =>
      lazyPart({
        wakes,
        async load() {
          const [reconcilers] = await Promise.all([load(machinery), warmUp(machinery)]);
          return combined(reconcilers.map((reconciler) => reconciling(context, wake, reconciler)));
        },
      });
  const onPods = (name: keyof typeof podReconcilers): PartFactory =>
    lazy({ wakes: inOneOf('/pods'), load: () => podReconcilers[name](kubelet) });
  const workloads = Object.fromEntries(
    Object.entries(lazyReconcilers).map(([name, reconciler]) => [name, lazy(reconciler)]),
  ) as Record<Lazy, PartFactory>;
  return {
    definitions: reacting(() =>
      definitionController(machinery, registry.find('apiextensions.k8s.io/v1', 'customresourcedefinitions')!),
    ),
    namespace: reacting(() => namespaceController(machinery, registry.find('v1', 'namespaces')!, namespaces)),
    serviceAccount: reacting(() => serviceAccountController(machinery)),
    rootCa: reacting(() => rootCaController(machinery)),
    roleAggregation: () =>
      lazyPart({
        wakes: inOneOf('rbac.authorization.k8s.io/clusterroles'),
        async load() {
          const { aggregationController } = await import('../auth/aggregation.ts');
          const roles = registry.find('rbac.authorization.k8s.io/v1', 'clusterroles')!;
          return reactionPart(store, aggregationController(machinery, roles), onError);
        },
      }),
    policyTypes: () => policyTypesPart(context),
    garbageCollector: reacting(() => garbageController(machinery)),
    volumeProtection: reacting(() => storageController(machinery)),
    nodeLifecycle: lazy({
      wakes: (change) => isUnsettledNode(change) || throwsOut(change),
      async load() {
        const [{ nodeLifecycleReconciler }, { taintEvictionReconciler }] = await Promise.all([
          import('./kubelet/node-lifecycle.ts'),
          import('./kubelet/taint-eviction.ts'),
        ]);
        return [nodeLifecycleReconciler, taintEvictionReconciler()];
      },
    }),
    scheduler: onPods('scheduler'),
    kubelet: onPods('kubelet'),
    ...workloads,
  };
}

/** Endpoints controller. */

import { type ApiObject, equal, type Fields } from '../../apimachinery/object.ts';
import { type Decision, type Reconciler, rest, type View } from '../engine/reconciler.ts';
import { isReady, isTerminating, type Pod } from '../pods/pod.ts';
import { backendsOf, byPorts, isSelective, referenceTo, type Service, services, servicesConcerned } from './service.ts';

const endpoints = '/endpoints';
const managedBy = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };

const addressOf = (pod: Pod, { metadata }: Service): Fields => ({
  ip: pod.status?.podIP,
  ...(pod.spec.hostname !== undefined && pod.spec.subdomain === metadata.name && { hostname: pod.spec.hostname }),
  ...(pod.spec.nodeName && { nodeName: pod.spec.nodeName }),
  targetRef: referenceTo(pod),
});

function subsetsOf(service: Service, view: View): readonly Fields[] {
  const { publishNotReadyAddresses = false } = service.spec;
  const backends = backendsOf(service, view).filter((pod) => publishNotReadyAddresses || !isTerminating(pod));
  return byPorts(service, backends).map(([ports, pods]) => {
    const isUp = (pod: Pod): boolean => publishNotReadyAddresses || isReady(pod);
    const ready = pods.filter(isUp).map((pod) => addressOf(pod, service));
    const others = pods.filter((pod) => !isUp(pod)).map((pod) => addressOf(pod, service));
    return {
      ...(ready.length > 0 && { addresses: ready }),
      ...(others.length > 0 && { notReadyAddresses: others }),
      ...(ports.length > 0 && { ports }),
    };
  });
}

function labelsOf({ metadata, spec }: Service): Fields {
  const headless = spec.clusterIP === 'None' ? { 'service.kubernetes.io/headless': '' } : {};
  return { ...metadata.labels, ...headless, ...managedBy };
}

function decide(service: Service, view: View): Decision {
  if (!isSelective(service)) return rest;
  const { namespace, name } = service.metadata;
  const subsets = subsetsOf(service, view);
  const labels = labelsOf(service);
  const current = view.get<ApiObject>(endpoints, `${namespace}/${name}`);
  if (current === undefined) {
    const object = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name, namespace, labels }, subsets };
    return { writes: [{ do: 'create', object }] };
  }
  if (equal(current.subsets ?? [], subsets) && equal(current.metadata.labels ?? {}, labels)) return rest;
  const metadata = { ...current.metadata, labels: labels as Record<string, string> };
  return { writes: [{ do: 'update', object: { ...current, metadata, subsets } }] };
}

/** Maintains the Endpoints of Services with a selector. */
export const endpointsReconciler: Reconciler = {
  collection: services,
  component: 'endpoint-controller',
  concerns: servicesConcerned,
  decide: (object, view) => decide(object as Service, view),
  gone(key, view) {
    const left = view.get<ApiObject>(endpoints, key);
    return left === undefined ? rest : { writes: [{ do: 'delete', object: left }] };
  },
};

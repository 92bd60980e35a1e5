/** Controller of EndpointSlices. */

import { keyOf, ownerReferenceTo } from '../../../../sdk/api/object.ts';
import { type ApiObject, equal, type Fields } from '../../apimachinery/object.ts';
import { type Decision, type Reconciler, rest, type View, type Write } from '../engine/reconciler.ts';
import { type Node, nodes } from '../node-lifecycle/nodes.ts';
import { isControlledBy } from '../ownership.ts';
import { isReady, isTerminating, type Pod } from '../pods/pod.ts';
import {
  type BackendPort,
  backendsOf,
  byPorts,
  isSelective,
  referenceTo,
  type Service,
  services,
  servicesConcerned,
} from './service.ts';

const slices = 'discovery.k8s.io/endpointslices';
const manager = 'endpointslice-controller.k8s.io';
const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
const maxPerSlice = 100;

/** EndpointSlice object. */
interface EndpointSlice extends ApiObject {
  readonly endpoints?: readonly Fields[];
  readonly ports?: readonly BackendPort[];
}

/** Desired content of a slice. */
type Content = Pick<Required<EndpointSlice>, 'endpoints' | 'ports'>;

function endpointOf(service: Service, pod: Pod, view: View): Fields {
  const isUp = isReady(pod);
  const terminating = isTerminating(pod);
  const zone = view.get<Node>(nodes, pod.spec.nodeName ?? '')?.metadata.labels?.['topology.kubernetes.io/zone'];
  const ready = service.spec.publishNotReadyAddresses === true || (isUp && !terminating);
  const { hostname, subdomain, nodeName } = pod.spec;
  return {
    addresses: [pod.status?.podIP],
    conditions: { ready, serving: isUp, terminating },
    ...(hostname !== undefined && subdomain === service.metadata.name && { hostname }),
    ...(nodeName && { nodeName }),
    targetRef: referenceTo(pod),
    ...(zone !== undefined && { zone }),
  };
}

function contentsOf(service: Service, view: View): readonly Content[] {
  const contents = byPorts(service, backendsOf(service, view)).flatMap(([ports, pods]) => {
    const endpoints = pods.map((pod) => endpointOf(service, pod, view));
    const count = Math.ceil(endpoints.length / maxPerSlice);
    return Array.from({ length: count }, (_, index) => ({
      ports: ports.map((port) => ({ name: '', ...port })),
      endpoints: endpoints.slice(index * maxPerSlice, (index + 1) * maxPerSlice),
    }));
  });
  return contents.length > 0 ? contents : [{ ports: [], endpoints: [] }];
}

function labelsOf({ metadata, spec }: Service): Record<string, string> {
  const headless: Record<string, string> = spec.clusterIP === 'None' ? { 'service.kubernetes.io/headless': '' } : {};
  return {
    ...metadata.labels,
    ...headless,
    [managedByLabel]: manager,
    'kubernetes.io/service-name': metadata.name,
  };
}

function creation(service: Service, content: Content): Write {
  const { name, namespace } = service.metadata;
  return {
    do: 'create',
    object: {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        generateName: `${name}-`,
        namespace,
        labels: labelsOf(service),
        ownerReferences: [ownerReferenceTo(service)],
      },
      addressType: 'IPv4',
      ...content,
    },
  };
}

const isSame = (slice: EndpointSlice, { endpoints, ports }: Content): boolean =>
  equal(slice.endpoints ?? [], endpoints) && equal(slice.ports ?? [], ports);

function updatedSlice(service: Service, slice: EndpointSlice, content: Content): readonly Write[] {
  const labels = labelsOf(service);
  if (isSame(slice, content) && equal(slice.metadata.labels, labels)) return [];
  return [{ do: 'update', object: { ...slice, metadata: { ...slice.metadata, labels }, ...content } }];
}

function decide(service: Service, view: View): Decision {
  if (!isSelective(service) || service.metadata.deletionTimestamp !== undefined) return rest;
  const own = view
    .list<EndpointSlice>(slices, service.metadata.namespace)
    .filter((slice) => isControlledBy(slice, service) && slice.metadata.labels?.[managedByLabel] === manager);
  const contents = contentsOf(service, view);
  const kept = contents.slice(0, own.length).flatMap((content, index) => updatedSlice(service, own[index]!, content));
  const made = contents.slice(own.length).map((content) => creation(service, content));
  const surplus = own.slice(contents.length).map((object): Write => ({ do: 'delete', object }));
  return { writes: [...kept, ...made, ...surplus] };
}

/** Maintains the EndpointSlices of Services with a selector. */
export const endpointSliceReconciler: Reconciler = {
  collection: services,
  component: 'endpointslice-controller',
  concerns(change, view) {
    if (change.collection !== slices) return servicesConcerned(change, view);
    const { namespace, labels } = change.object.metadata;
    const name = labels?.['kubernetes.io/service-name'];
    return name === undefined ? [] : [keyOf(namespace === undefined ? { name } : { namespace, name })];
  },
  decide: (object, view) => decide(object as Service, view),
};

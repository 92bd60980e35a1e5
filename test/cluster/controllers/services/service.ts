/** Services: types, selected pods and target ports. */

import type { ApiObject, Fields } from '../../apimachinery/object.ts';
import type { Change } from '../../storage/store.ts';
import type { View } from '../engine/reconciler.ts';
import { hasLabels } from '../ownership.ts';
import { isFinished, type Pod, pods } from '../pods/pod.ts';

/** Port of a Service. */
export interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
  readonly targetPort?: number | string;
  readonly appProtocol?: string;
}

/** Service object. */
export interface Service extends ApiObject {
  readonly spec: {
    readonly type?: string;
    readonly selector?: Readonly<Record<string, string>>;
    readonly clusterIP?: string;
    readonly ports?: readonly ServicePort[];
    readonly publishNotReadyAddresses?: boolean;
    readonly loadBalancerIP?: string;
    readonly loadBalancerClass?: string;
  };
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly Fields[] };
    readonly [field: string]: unknown;
  };
}

/** Collection of Services. */
export const services = '/services';

/** Port of a backend pod. */
export interface BackendPort {
  readonly name?: string;
  readonly port: number;
  readonly protocol: string;
  readonly appProtocol?: string;
}

/** Reports whether a Service selects pods. */
export const isSelective = ({ spec }: Service): boolean =>
  spec.selector !== undefined && Object.keys(spec.selector).length > 0 && spec.type !== 'ExternalName';

const selects = (service: Service, labels: Readonly<Record<string, string>> | undefined): boolean =>
  isSelective(service) && hasLabels(service.spec.selector, labels);

/** Returns the keys of the Services that select a changed pod, or did. */
export function servicesConcerned({ collection, object, previous }: Change, view: View): string[] {
  if (collection !== pods) return [];
  return view
    .list<Service>(services, object.metadata.namespace)
    .filter((service) => selects(service, object.metadata.labels) || selects(service, previous?.metadata.labels))
    .map(({ metadata: { namespace, name } }) => `${namespace}/${name}`);
}

/** Returns the unfinished pods with an IP that a Service selects. */
export const backendsOf = (service: Service, view: View): readonly Pod[] =>
  view
    .list<Pod>(pods, service.metadata.namespace)
    .filter((pod) => selects(service, pod.metadata.labels) && Boolean(pod.status?.podIP) && !isFinished(pod));

function portNumber({ targetPort, port, protocol = 'TCP' }: ServicePort, { spec }: Pod): number | undefined {
  if (typeof targetPort !== 'string') return targetPort ?? port;
  const named = [...spec.containers, ...(spec.initContainers ?? [])].flatMap((container) => container.ports ?? []);
  return named.find((one) => one.name === targetPort && (one.protocol ?? 'TCP') === protocol)?.containerPort;
}

/** Resolves the ports of a Service for a pod; named ports that the pod lacks are left out. */
const portsAt = ({ spec }: Service, pod: Pod): readonly BackendPort[] =>
  (spec.ports ?? []).flatMap((servicePort) => {
    const port = portNumber(servicePort, pod);
    if (port === undefined) return [];
    const { name, protocol = 'TCP', appProtocol } = servicePort;
    return [
      {
        ...(name !== undefined && name !== '' && { name }),
        port,
        protocol,
        ...(appProtocol !== undefined && { appProtocol }),
      },
    ];
  });

/** Returns the targetRef of a pod. */
export const referenceTo = ({ metadata: { namespace, name, uid } }: Pod): Fields => ({
  kind: 'Pod',
  namespace,
  name,
  uid,
});

/** Groups pods by their resolved ports; pods of a headless Service without ports form one group. */
export function byPorts(
  service: Service,
  backends: readonly Pod[],
): readonly (readonly [readonly BackendPort[], readonly Pod[]])[] {
  const groups = new Map<string, [readonly BackendPort[], Pod[]]>();
  for (const pod of backends) {
    const ports = portsAt(service, pod);
    const isReachable =
      ports.length > 0 || ((service.spec.ports ?? []).length === 0 && service.spec.clusterIP === 'None');
    if (!isReachable) continue;
    const key = JSON.stringify(ports);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [ports, [pod]]);
    else group[1].push(pod);
  }
  return [...groups.values()];
}

/** Controller of Services of type LoadBalancer. */

import type { Fields } from '../../apimachinery/object.ts';
import { type Decision, type Reconciler, rest, type View } from '../engine/reconciler.ts';
import { type Service, services } from './service.ts';

const ingressOf = ({ status }: Service): readonly Fields[] => status?.loadBalancer?.ingress ?? [];

/** Returns the first loopback address from 127.0.0.2 on that no Service has. */
function freeAddress(view: View): string {
  const taken = new Set(view.list<Service>(services).flatMap((service) => ingressOf(service).map(({ ip }) => ip)));
  for (let index = 2; ; index += 1) {
    const address = `127.0.${index >> 8}.${index & 255}`;
    if (!taken.has(address)) return address;
  }
}

function withIngress(service: Service, ingress: readonly Fields[]): Service {
  return { ...service, status: { ...service.status, loadBalancer: ingress.length > 0 ? { ingress } : {} } };
}

function decide(service: Service, view: View): Decision {
  const { type, loadBalancerClass, loadBalancerIP } = service.spec;
  const isOurs = type === 'LoadBalancer' && loadBalancerClass === undefined;
  const known = ingressOf(service);
  if (!isOurs && type !== 'LoadBalancer' && known.length > 0) {
    return { writes: [{ do: 'update', object: withIngress(service, []), subresource: 'status' }] };
  }
  if (!isOurs || known.length > 0 || service.metadata.deletionTimestamp !== undefined) return rest;
  const ingress = [{ ip: loadBalancerIP || freeAddress(view), ipMode: 'VIP' }];
  const about = { about: service, type: 'Normal' } as const;
  return {
    writes: [
      { do: 'event', event: { ...about, reason: 'EnsuringLoadBalancer', message: 'Ensuring load balancer' } },
      {
        do: 'update',
        object: withIngress(service, ingress),
        subresource: 'status',
        report: () => ({ ...about, reason: 'EnsuredLoadBalancer', message: 'Ensured load balancer' }),
      },
    ],
  };
}

/** Assigns Services of type LoadBalancer an address, as a cloud controller does; nothing listens there. */
export const loadBalancerReconciler: Reconciler = {
  collection: services,
  component: 'service-controller',
  decide: (object, view) => decide(object as Service, view),
};

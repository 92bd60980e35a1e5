/** Kinds of `networking.k8s.io` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import type { Strategy } from '../../server/strategy.ts';
import { ingressStrategy } from './ingress-strategy.ts';
import { addressStrategy } from './ip-address-strategy.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const networkingTable = `\
networking.k8s.io/v1
  IngressClass ingressclasses #l/iqIbDgFyQ= generation unconditional
  Ingress ingresses -ing #39NQlfNR+bo= namespaced generation unconditional statusMetadata /status
  IPAddress ipaddresses -ip #3f/plJFChNE= unconditional
  NetworkPolicy networkpolicies -netpol #YpfwF18m1G8= namespaced generation unconditional
  ServiceCIDR servicecidrs #gNLvruQhW2g= unconditional /status`;

/** Strategies of the group, by collection. */
export const networkingStrategies: Readonly<Record<string, Strategy>> = {
  'networking.k8s.io/ipaddresses': addressStrategy,
  'networking.k8s.io/ingresses': ingressStrategy,
};

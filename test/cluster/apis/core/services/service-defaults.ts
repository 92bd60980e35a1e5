/** Defaults of Services. */

import type { Fields } from '../../../apimachinery/object.ts';
import { type DefaultRule, fieldsOf, isEmpty, withMissing } from '../../../resources/defaulting.ts';

const affinityTimeout = 10_800;

/** Returns the session affinity config with its default time-out; undefined without affinity. */
const affinityOf = (affinity: unknown, config: unknown): unknown => {
  if (affinity === 'None') return undefined;
  const { timeoutSeconds } = fieldsOf(fieldsOf(config).clientIP);
  if (affinity !== 'ClientIP' || timeoutSeconds !== undefined) return config;
  return { clientIP: { timeoutSeconds: affinityTimeout } };
};

const isIpv6 = (address: unknown): boolean => typeof address === 'string' && address.includes(':');

/** Returns the IP families; `isDual` adds the second one. */
const familiesOf = (given: unknown, isDual: boolean): readonly unknown[] => {
  const [first = 'IPv4', ...more] = Array.isArray(given) ? given : [];
  return isDual && more.length === 0 ? [first, first === 'IPv4' ? 'IPv6' : 'IPv4'] : [first, ...more];
};

/** Returns the IP families of a Service and their policy. */
function stackOf(spec: Fields, type: unknown): Fields {
  const { clusterIP, clusterIPs, ipFamilies } = spec;
  if (type === 'ExternalName') return { ipFamilies, ipFamilyPolicy: undefined };
  const isFree = clusterIP === 'None' && isEmpty(spec.selector);
  const ipFamilyPolicy = spec.ipFamilyPolicy ?? (isFree ? 'RequireDualStack' : 'SingleStack');
  const isDual = isFree && ipFamilyPolicy !== 'SingleStack';
  const ofIpv6 = [clusterIP, ...(Array.isArray(clusterIPs) ? clusterIPs : [])].some(isIpv6);
  return { ipFamilies: ofIpv6 ? ipFamilies : familiesOf(ipFamilies, isDual), ipFamilyPolicy };
}

/** Returns the traffic policies of a Service. */
function trafficOf({ externalIPs, internalTrafficPolicy }: Fields, type: unknown): Fields {
  const isExternal =
    type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && Array.isArray(externalIPs));
  const usual = isExternal || type === 'ClusterIP' ? 'Cluster' : undefined;
  return {
    externalTrafficPolicy: isExternal ? 'Cluster' : undefined,
    internalTrafficPolicy: type === 'ExternalName' ? undefined : (internalTrafficPolicy ?? usual),
  };
}

/** Defaults of a Service's spec. */
export const serviceDefaults: DefaultRule = (spec) => {
  const type = spec.type ?? 'ClusterIP';
  const sessionAffinity = spec.sessionAffinity ?? 'None';
  const { sessionAffinityConfig, ipFamilies: _families, internalTrafficPolicy: _traffic, ...unbound } = spec;
  return withMissing(unbound, {
    type,
    sessionAffinity,
    sessionAffinityConfig: affinityOf(sessionAffinity, sessionAffinityConfig),
    ...trafficOf(spec, type),
    allocateLoadBalancerNodePorts: type === 'LoadBalancer' ? true : undefined,
    ...stackOf(spec, type),
  });
};

/** The target port defaults to the port. */
export const servicePortDefaults: DefaultRule = (port) =>
  port.targetPort === 0 || port.targetPort === '' || port.targetPort === undefined
    ? { ...port, targetPort: port.port }
    : port;

/** Load balancer addresses default to mode VIP. */
export const serviceStatusDefaults: DefaultRule = (service) => {
  const status = fieldsOf(service.status);
  const { ingress } = fieldsOf(status.loadBalancer);
  if (fieldsOf(service.spec).type !== 'LoadBalancer' || !Array.isArray(ingress)) return service;
  const made = (ingress as Fields[]).map((one) =>
    one.ip && one.ipMode === undefined ? { ...one, ipMode: 'VIP' } : one,
  );
  return { ...service, status: { ...status, loadBalancer: { ingress: made } } };
};

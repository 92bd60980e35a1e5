/** Defaults of Services. */

import type { Fields } from '../../../apimachinery/object.ts';
import { type DefaultRule, fieldsOf, isEmpty, withMissing } from '../../../resources/default-rule.ts';

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

/** Defaults of a Service's spec. */
export const serviceDefaults: DefaultRule = (spec) => {
  const type = spec.type ?? 'ClusterIP';
  const sessionAffinity = spec.sessionAffinity ?? 'None';
  const isExternalName = type === 'ExternalName';
  const isExternal =
    type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && Array.isArray(spec.externalIPs));
  const isKnown = isExternal || type === 'ClusterIP';
  const isFree = spec.clusterIP === 'None' && isEmpty(spec.selector);
  const ipFamilyPolicy = spec.ipFamilyPolicy ?? (isFree ? 'RequireDualStack' : 'SingleStack');
  const isDual = isFree && ipFamilyPolicy !== 'SingleStack';
  const ofIpv6 = [spec.clusterIP, ...(Array.isArray(spec.clusterIPs) ? spec.clusterIPs : [])].some(isIpv6);
  const { sessionAffinityConfig, ipFamilies: _families, internalTrafficPolicy, ...unbound } = spec;
  return withMissing(unbound, {
    type,
    sessionAffinity,
    sessionAffinityConfig: affinityOf(sessionAffinity, sessionAffinityConfig),
    externalTrafficPolicy: isExternal ? 'Cluster' : undefined,
    internalTrafficPolicy: isExternalName ? undefined : (internalTrafficPolicy ?? (isKnown ? 'Cluster' : undefined)),
    allocateLoadBalancerNodePorts: type === 'LoadBalancer' ? true : undefined,
    ipFamilies: isExternalName || ofIpv6 ? spec.ipFamilies : familiesOf(spec.ipFamilies, isDual),
    ipFamilyPolicy: isExternalName ? undefined : ipFamilyPolicy,
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

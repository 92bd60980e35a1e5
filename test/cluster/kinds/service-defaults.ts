import { type DefaultRule, fieldsOf, isEmpty, withMissing } from './default-rule.ts';

/** What a Service is when it does not say. */
export const serviceDefaults: DefaultRule = (spec) => {
  const type = spec.type ?? 'ClusterIP';
  const sessionAffinity = spec.sessionAffinity ?? 'None';
  const isExternalName = type === 'ExternalName';
  const isExternal = type === 'LoadBalancer' || type === 'NodePort' || Array.isArray(spec.externalIPs);
  const isDual = spec.clusterIP === 'None' && isEmpty(spec.selector);
  const { clientIP } = fieldsOf(spec.sessionAffinityConfig);
  const affinity = { clientIP: withMissing(fieldsOf(clientIP), { timeoutSeconds: 10_800 }) };
  const { sessionAffinityConfig: _config, ...unbound } = spec;
  return withMissing(unbound, {
    type,
    sessionAffinity,
    sessionAffinityConfig: sessionAffinity === 'ClientIP' ? affinity : undefined,
    externalTrafficPolicy: isExternal && !isExternalName ? 'Cluster' : undefined,
    internalTrafficPolicy: isExternalName ? undefined : 'Cluster',
    allocateLoadBalancerNodePorts: type === 'LoadBalancer' ? true : undefined,
    ipFamilies: isExternalName ? undefined : isDual ? ['IPv4', 'IPv6'] : ['IPv4'],
    ipFamilyPolicy: isExternalName ? undefined : isDual ? 'RequireDualStack' : 'SingleStack',
  });
};

/** Ports lead to ports of the same number. */
export const servicePortDefaults: DefaultRule = (port) =>
  port.targetPort === 0 || port.targetPort === '' || port.targetPort === undefined
    ? { ...port, targetPort: port.port }
    : port;

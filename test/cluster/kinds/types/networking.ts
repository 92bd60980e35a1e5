/** Types of `io.k8s.api.networking.v1` in the notation of `../type-table.ts`. */
export const networkingTypes = `
HTTPIngressPath backend*:IngressBackend path:s pathType*:s
HTTPIngressRuleValue paths*:[HTTPIngressPath]!
IPAddress object metadata:meta.ObjectMeta spec:IPAddressSpec
IPAddressSpec parentRef*:ParentReference
IPBlock cidr*:s except:[s]!
Ingress object metadata:meta.ObjectMeta spec:IngressSpec status:IngressStatus
IngressBackend resource:core.TypedLocalObjectReference service:IngressServiceBackend
IngressClass object metadata:meta.ObjectMeta spec:IngressClassSpec
IngressClassParametersReference apiGroup:s kind*:s name*:s namespace:s scope:s
IngressClassSpec controller:s parameters:IngressClassParametersReference
IngressLoadBalancerIngress hostname:s ip:s ports:[IngressPortStatus]!
IngressLoadBalancerStatus ingress:[IngressLoadBalancerIngress]!
IngressPortStatus error:s port*:i protocol*:s
IngressRule host:s http:HTTPIngressRuleValue
IngressServiceBackend name*:s port:ServiceBackendPort
IngressSpec defaultBackend:IngressBackend ingressClassName:s rules:[IngressRule]! tls:[IngressTLS]!
IngressStatus loadBalancer:IngressLoadBalancerStatus
IngressTLS hosts:[s]! secretName:s
NetworkPolicy object metadata:meta.ObjectMeta spec:NetworkPolicySpec
NetworkPolicyEgressRule ports:[NetworkPolicyPort]! to:[NetworkPolicyPeer]!
NetworkPolicyIngressRule from:[NetworkPolicyPeer]! ports:[NetworkPolicyPort]!
NetworkPolicyPeer ipBlock:IPBlock namespaceSelector:meta.LabelSelector podSelector:meta.LabelSelector
NetworkPolicyPort endPort:i port:o protocol:s
NetworkPolicySpec egress:[NetworkPolicyEgressRule]! ingress:[NetworkPolicyIngressRule]! podSelector:meta.LabelSelector
  policyTypes:[s]!
ParentReference group:s name*:s namespace:s resource*:s
ServiceBackendPort! name:s number:i
ServiceCIDR object metadata:meta.ObjectMeta spec:ServiceCIDRSpec status:ServiceCIDRStatus
ServiceCIDRSpec cidrs:[s]!
ServiceCIDRStatus conditions:[meta.Condition]~type@type
`;

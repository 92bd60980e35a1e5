/** Types of `io.k8s.api.networking.v1` in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const networkingTypes = `
HTTPIngressPath path/1:s pathType/3*+?:s<PathType> backend/2*+:IngressBackend
HTTPIngressRuleValue paths/1*+:[HTTPIngressPath]!
IPAddress object metadata/1:meta.ObjectMeta spec/2:IPAddressSpec
IPAddressSpec parentRef/1*?:ParentReference
IPBlock cidr/1*+:s except/2:[s]!
Ingress object metadata/1:meta.ObjectMeta spec/2:IngressSpec status/3:IngressStatus
IngressBackend service/4?:IngressServiceBackend resource/3?:core.TypedLocalObjectReference
IngressClass object metadata/1:meta.ObjectMeta spec/2:IngressClassSpec
IngressClassParametersReference apiGroup/1?:s kind/2*+:s name/3*+:s scope/4+?:s namespace/5?:s
IngressClassSpec controller/1:s parameters/2?:IngressClassParametersReference
IngressLoadBalancerIngress ip/1:s hostname/2:s ports/4:[IngressPortStatus]!
IngressLoadBalancerStatus ingress/1:[IngressLoadBalancerIngress]!
IngressPortStatus port/1*+:i protocol/2*+:s<core.Protocol> error/3?:s
IngressRule host/1:s http/2.1?:HTTPIngressRuleValue
IngressServiceBackend name/1*+:s port/2:ServiceBackendPort
IngressSpec ingressClassName/4?:s defaultBackend/1?:IngressBackend tls/2:[IngressTLS]! rules/3:[IngressRule]!
IngressStatus loadBalancer/1:IngressLoadBalancerStatus
IngressTLS hosts/1:[s]! secretName/2:s
NetworkPolicy object metadata/1:meta.ObjectMeta spec/2:NetworkPolicySpec
NetworkPolicyEgressRule ports/1:[NetworkPolicyPort]! to/2:[NetworkPolicyPeer]!
NetworkPolicyIngressRule ports/1:[NetworkPolicyPort]! from/2:[NetworkPolicyPeer]!
NetworkPolicyPeer podSelector/1?:meta.LabelSelector namespaceSelector/2?:meta.LabelSelector ipBlock/3?:IPBlock
NetworkPolicyPort protocol/1?:s<core.Protocol> port/2?:o endPort/3?:i
NetworkPolicySpec podSelector/1+:meta.LabelSelector ingress/2:[NetworkPolicyIngressRule]!
  egress/3:[NetworkPolicyEgressRule]! policyTypes/4:[s<PolicyType>]!
ParentReference group/1:s resource/2*:s namespace/3:s name/4*:s
PathType =Exact|ImplementationSpecific|Prefix
PolicyType =Egress|Ingress
ServiceBackendPort! name/1:s number/2:i
ServiceCIDR object metadata/1:meta.ObjectMeta spec/2:ServiceCIDRSpec status/3:ServiceCIDRStatus
ServiceCIDRSpec cidrs/1:[s]!
ServiceCIDRStatus conditions/1:[meta.Condition]~type@type
`;

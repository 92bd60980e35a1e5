/** Types of `io.k8s.api.discovery.v1` in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const discoveryTypes = `
AddressType =FQDN|IPv4|IPv6
Endpoint addresses/1*+:[s]@ conditions/2:EndpointConditions hostname/3?:s targetRef/4?:core.ObjectReference
  deprecatedTopology/5:{s} nodeName/6?:s zone/7?:s hints/8?:EndpointHints
EndpointConditions ready/1?:b serving/2?:b terminating/3?:b
EndpointHints forZones/1:[ForZone]! forNodes/2:[ForNode]!
EndpointPort! name/1?:s protocol/2?:s<core.Protocol> port/3?:i appProtocol/4?:s
EndpointSlice object metadata/1:meta.ObjectMeta addressType/4*+:s<AddressType> endpoints/2*+:[Endpoint]!
  ports/3+:[EndpointPort]!
ForNode name/1*+:s
ForZone name/1*+:s
`;

/** Types of answers that are not stored, of several packages, in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const pagesTypes = `
APIGroup object name/1*+:s versions/2*+:[GroupVersionForDiscovery]! preferredVersion/3:GroupVersionForDiscovery
  serverAddressByClientCIDRs/4:[ServerAddressByClientCIDR]!
APIGroupDiscovery object metadata/1:meta.ObjectMeta versions/2:[APIVersionDiscovery]@version
APIGroupDiscoveryList object metadata/1:meta.ListMeta items/2*+:[APIGroupDiscovery]
APIGroupList object groups/1*+:[APIGroup]!
APIResource name/1*+:s singularName/6*+:s namespaced/2*+:b group/8:s version/9:s kind/3*+:s verbs/4.1*+:[s]<meta.Verbs>
  shortNames/5:[s]! categories/7:[s]! storageVersionHash/10:s
APIResourceDiscovery resource/1*+:s responseKind/2?:GroupVersionKind scope/3*+:s<apidiscovery2.ResourceScope>
  singularResource/4*+:s verbs/5*+:[s]@ shortNames/6:[s]@ categories/7:[s]@
  subresources/8:[APISubresourceDiscovery]@subresource
APIResourceList object groupVersion/1*+:s resources/2*+:[APIResource]!
APISubresourceDiscovery subresource/1*+:s responseKind/2?:GroupVersionKind
  acceptedTypes/3:[GroupVersionKind]@group,version,kind verbs/4*+:[s]@
APIVersionDiscovery version/1*+:s resources/2:[APIResourceDiscovery]@resource
  freshness/3:s<apidiscovery2.DiscoveryFreshness>
APIVersions object versions/1*+:[s]! serverAddressByClientCIDRs/2*+:[ServerAddressByClientCIDR]!
GroupVersionForDiscovery groupVersion/1*+:s version/2*+:s
GroupVersionKind group/1*+:s version/2*+:s kind/3*+:s
PartialObjectMetadata object metadata/1:meta.ObjectMeta
PartialObjectMetadataList object metadata/1:meta.ListMeta items/2*+:[PartialObjectMetadata]
ServerAddressByClientCIDR clientCIDR/1*+:s serverAddress/2*+:s
WatchEvent type/1*+:s object/2*+:any
`;

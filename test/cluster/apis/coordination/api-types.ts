/** Types of `io.k8s.api.coordination.v1` in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const coordinationTypes = `
Lease object metadata/1:meta.ObjectMeta spec/2:LeaseSpec
LeaseSpec holderIdentity/1?:s leaseDurationSeconds/2?:i acquireTime/3?:u renewTime/4?:u leaseTransitions/5?:i
  strategy/6?:s<CoordinatedLeaseStrategy> preferredHolder/7?:s
`;

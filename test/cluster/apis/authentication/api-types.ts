/** Types of `io.k8s.api.authentication.v1` in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const authenticationTypes = `
BoundObjectReference kind/1:s apiVersion/2:s name/3:s uid/4:s<types.UID>
SelfSubjectReview object metadata/1:meta.ObjectMeta status/2:SelfSubjectReviewStatus
SelfSubjectReviewStatus userInfo/1:UserInfo
TokenRequest object metadata/1:meta.ObjectMeta spec/2*+:TokenRequestSpec status/3:TokenRequestStatus
TokenRequestSpec audiences/1*+:[s]! expirationSeconds/4+?:l boundObjectRef/3+?:BoundObjectReference
TokenRequestStatus token/1*+:s expirationTimestamp/2*+:t
TokenReview object metadata/1:meta.ObjectMeta spec/2*+:TokenReviewSpec status/3:TokenReviewStatus
TokenReviewSpec token/1:s audiences/2:[s]!
TokenReviewStatus authenticated/1:b user/2:UserInfo audiences/4:[s]! error/3:s
UserInfo username/1:s uid/2:s groups/3:[s]! extra/4:{[s]<ExtraValue>}
`;

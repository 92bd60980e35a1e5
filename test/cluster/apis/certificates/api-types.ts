/** Types of `io.k8s.api.certificates.v1`, in the notation of `resources/type-table.ts`. */
export const certificatesTypes = `
CertificateSigningRequest object metadata/1:meta.ObjectMeta spec/2*+:CertificateSigningRequestSpec
  status/3:CertificateSigningRequestStatus
CertificateSigningRequestCondition type/1*+:s status/6*+:s reason/2:s message/3:s lastUpdateTime/4:t
  lastTransitionTime/5:t
CertificateSigningRequestSpec request/1*+:y! signerName/7*+:s expirationSeconds/8?:i usages/5:[s]! username/2:s
  uid/3:s groups/4:[s]! extra/6:{[s]}
CertificateSigningRequestStatus conditions/1:[CertificateSigningRequestCondition]@type certificate/2:y!
`;

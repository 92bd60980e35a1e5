/** Types of `io.k8s.api.certificates.v1` in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const certificatesTypes = `
CertificateSigningRequest object metadata/1:meta.ObjectMeta spec/2*+:CertificateSigningRequestSpec
  status/3:CertificateSigningRequestStatus
CertificateSigningRequestCondition type/1*+:s<RequestConditionType> status/6*+:s<core.ConditionStatus> reason/2:s
  message/3:s lastUpdateTime/4:t lastTransitionTime/5:t
CertificateSigningRequestSpec request/1*+:y! signerName/7*+:s expirationSeconds/8?:i usages/5:[s<KeyUsage>]!
  username/2:s uid/3:s groups/4:[s]! extra/6:{[s]<ExtraValue>}
CertificateSigningRequestStatus conditions/1:[CertificateSigningRequestCondition]@type certificate/2:y!
KeyUsage =any|cert sign|client auth|code signing|content commitment|crl sign|data encipherment|decipher only|
  digital signature|email protection|encipher only|ipsec end system|ipsec tunnel|ipsec user|key agreement|
  key encipherment|microsoft sgc|netscape sgc|ocsp signing|s/mime|server auth|signing|timestamping
`;

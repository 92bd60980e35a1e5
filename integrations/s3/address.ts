/** Endpoint of the S3 API, with the credential for creating buckets. */
export interface S3Address {
  /** Address of the API. @default AWS's in that region */
  readonly endpoint?: string;
  readonly region: string;
  /** @default the credential chain of the AWS SDK: environment, web identity, instance role */
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  /** Buckets stand in the path of an address instead of its host name. @default true with an `endpoint` */
  readonly pathStyle?: boolean;
  /** Certificates of authorities, in PEM, by one of which the server's is signed. @default the system's */
  readonly ca?: string;
}

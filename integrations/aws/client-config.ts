/** Settings of the AWS SDK's clients. */

/** Address of a service of AWS, or one like it, and the credential of its requests. */
export interface AwsAddress {
  /** @default AWS's in that region */
  readonly endpoint?: string;
  readonly region: string;
  /** @default the credential chain of the AWS SDK: environment, web identity, instance role */
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  /** Certificates of authorities, in PEM, by one of which the server's is signed. @default the system's */
  readonly ca?: string;
}

/**
 * Returns the settings of a client. Retries are disabled: they would turn a lost response into "exists already".
 * @param deadline ms for each request
 */
export function awsClientConfig({ endpoint, region, accessKeyId, secretAccessKey, ca }: AwsAddress, deadline: number) {
  return {
    region,
    ...(endpoint !== undefined && { endpoint }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: deadline,
      requestTimeout: deadline,
      throwOnRequestTimeout: true,
      ...(ca !== undefined && { httpsAgent: { ca, keepAlive: true } }),
    },
  };
}

/** Library with one client of it. */
export interface Loaded<Library, Client> {
  readonly library: Library;
  readonly client: Client;
}

/** Memoizes an asynchronous function; a failure is not cached. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined;
  return () => {
    cached ??= make().catch((error: unknown) => {
      cached = undefined;
      throw error;
    });
    return cached;
  };
}

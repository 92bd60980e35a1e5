/** Endpoints of AWS services for network policies. */

import type { AwsAddress } from './client-config.ts';

/**
 * Returns the addresses of services as `endpoints` of an integration; undefined without an access key: then the AWS SDK asks for one where the machine
 * says, such as at an instance's metadata or at STS.
 */
export const awsEndpoints = (
  { accessKeyId }: Pick<AwsAddress, 'accessKeyId'>,
  addresses: readonly string[],
): readonly string[] | undefined => (accessKeyId === undefined ? undefined : addresses);

/** Classification of the errors of S3 and IAM. */

import { type AwsErrorRules, awsErrorOf } from '../aws/aws-error.ts';

const rules: AwsErrorRules = {
  service: 'S3',
  throttled:
    /^(SlowDown|Throttling|ThrottlingException|RequestLimitExceeded|TooManyRequests.*|OperationAborted|ConcurrentModification(Exception)?)$/,
  exists: /^(BucketAlreadyExists|BucketAlreadyOwnedByYou|EntityAlreadyExists(Exception)?)$/,
  advice: {
    AccessDenied: 'it belongs to another account, or the credential lacks what the README of this integration lists',
    BucketNotEmpty: 'empty it, or set the option emptyOnDelete',
    NotImplemented: 'this server does not have what is asked for: leave it out',
  },
};

/** Converts an error of S3 or IAM into a DefiniteError, a ThrottledError, or an Error with an unknown outcome. */
export const s3ErrorOf = (error: unknown): unknown => awsErrorOf(error, rules);

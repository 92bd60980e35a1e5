/** Compliance subject of `s3Bucket`. */

import { type S3BucketOptions, type S3Server, s3Bucket } from '../../../../integrations/s3/index.ts';
import type { Run, Subject } from '../../../compliance/index.ts';
import { awsError } from './a-server.ts';

const spec = (wish: object) => ({ integrations: { 's3-bucket': wish } });

/** Secret key of the credential that all servers of the kit know. */
export const secretAccessKey = 'a-key-that-nobody-else-may-see';

/** Compliance subject of `s3Bucket`, for any server with IAM. */
export const subject: Omit<Subject, 'start'> = {
  identity: 'name',
  spec: spec({}),
  edited: spec({ versioning: true }),
  sameName: 'separate',
  drift: 'mended',
  secrets: [secretAccessKey],
  failures: {
    definite: () => awsError('AccessDenied', 403, 'Access Denied.'),
    ambiguous: [
      () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
      () => awsError('InternalError', 500, 'We encountered an internal error.'),
    ],
    throttled: () => awsError('SlowDown', 503, 'Please reduce your request rate.'),
  },
};

/** Address of a server that nothing is sent to. */
export const server = {
  endpoint: 'https://s3.example.test',
  region: 'us-east-1',
  accessKeyId: 'sequencer',
  secretAccessKey,
};

/** Integration of one run; each operation on the server is a call. */
export const integrationOf = ({ through }: Run, operations: S3Server, options: Partial<S3BucketOptions> = {}) =>
  s3Bucket({
    server,
    users: { endpoint: 'https://iam.example.test' },
    driftInterval: 60_000,
    ...options,
    operations: through(operations),
  });

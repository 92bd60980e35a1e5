import test from 'ava';
import { s3ErrorOf } from '../../../../integrations/s3/aws-error.ts';
import { DefiniteError, ExternalAlreadyExistsError, ThrottledError } from '../../../../sdk/index.ts';
import { awsError } from './fixtures/a-server.ts';

const told = (error: unknown): string => {
  const { name, message } = s3ErrorOf(error) as Error;
  return `${name}: ${message}`;
};

test('what the server refuses has had no effect', (t) => {
  t.is(
    told(awsError('InvalidBucketName', 400, 'no such name')),
    'DefiniteError: S3 says no such name (InvalidBucketName)',
  );
  t.regex(
    told(awsError('NotImplemented', 501)),
    /^DefiniteError: S3 says .*; this server does not have what is asked for/,
  );
  t.regex(told(awsError('AccessDenied', 403)), /^DefiniteError: S3 says .*; it belongs to another account, or/);
});

test('too many requests, and others about the same, are asked for later', (t) => {
  for (const [code, status] of [
    ['SlowDown', 503],
    ['OperationAborted', 409],
    ['ConcurrentModificationException', 409],
    ['Throttling', 400],
    ['Whatever', 429],
  ] as const)
    t.true(s3ErrorOf(awsError(code, status)) instanceof ThrottledError, code);
  const later = Object.assign(awsError('SlowDown', 503), { $response: { headers: { 'retry-after': '7' } } });
  t.is((s3ErrorOf(later) as ThrottledError).retryAfter, 7_000);
});

test('a name that is taken is told apart', (t) => {
  for (const code of ['BucketAlreadyExists', 'BucketAlreadyOwnedByYou', 'EntityAlreadyExistsException'])
    t.true(s3ErrorOf(awsError(code, 409)) instanceof ExternalAlreadyExistsError, code);
});

test('a server that fails, and one that says nothing, leave the outcome open', (t) => {
  for (const error of [
    awsError('InternalError', 500),
    awsError('ServiceUnavailable', 503),
    awsError('RequestTimeout', 400),
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
    Object.assign(new Error('socket hang up'), { name: 'TimeoutError' }),
  ])
    t.regex(told(error), /^Error: S3 /);
  t.regex(told(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })), /^DefiniteError: S3 does not answer/);
});

test('what is classified stays as it is, and texts are bounded', (t) => {
  const definite = new DefiniteError('there is no bucket');
  t.is(s3ErrorOf(definite), definite);
  const aborted = Object.assign(new Error('aborted'), { name: 'AbortError' });
  t.is(s3ErrorOf(aborted), aborted);
  t.true(told(awsError('N'.repeat(10_000), 400, 'm\n'.repeat(10_000))).length < 700);
});

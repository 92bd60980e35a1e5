import test from 'ava';
import type { S3Server } from '../../../../integrations/s3/index.ts';
import { messageOf } from '../../../../sdk/index.ts';
import { startRealServer } from './fixtures/a-real-server.ts';
import { createMemoryServer } from './fixtures/a-server.ts';

const { versitygw, operations } = await startRealServer();
test.after.always('the server stops', () => versitygw.close());

const { signal } = new AbortController();

/** Operations whose answers, states and errors have to be the same in memory. */
const script: readonly (readonly [keyof S3Server, object])[] = [
  ['readBucket', {}],
  ['readUser', {}],
  ['configureBucket', { versioning: true, expireAfterDays: 0 }],
  ['emptyBucket', {}],
  ['deleteBucket', {}],
  ['allowUser', { bucket: 'ws-script' }],
  ['newKey', {}],
  ['closeUser', {}],
  ['deleteUser', {}],
  ['createUser', {}],
  ['createUser', {}],
  ['createUser', { mark: 'another' }],
  ['readUser', {}],
  ['allowUser', { bucket: 'ws-script', mark: 'another' }],
  ['allowUser', { bucket: 'ws-script' }],
  ['readUser', {}],
  ['newKey', { mark: 'another' }],
  ['newKey', {}],
  ['createBucket', {}],
  ['createBucket', {}],
  ['createBucket', { mark: 'another' }],
  ['readBucket', {}],
  ['configureBucket', { versioning: true, expireAfterDays: 0, mark: 'another' }],
  ['configureBucket', { versioning: true, expireAfterDays: 0 }],
  ['readBucket', {}],
  ['configureBucket', { versioning: false, expireAfterDays: 0 }],
  ['configureBucket', { versioning: false, expireAfterDays: 0 }],
  ['readBucket', {}],
  ['closeUser', { mark: 'another' }],
  ['closeUser', {}],
  ['closeUser', {}],
  ['readUser', {}],
  ['emptyBucket', { mark: 'another' }],
  ['emptyBucket', {}],
  ['deleteBucket', { mark: 'another' }],
  ['deleteBucket', {}],
  ['deleteUser', { mark: 'another' }],
  ['deleteUser', {}],
  ['readBucket', {}],
  ['readUser', {}],
];

async function told(on: S3Server): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const [operation, more] of script) {
    const ask = { name: 'ws-script', mark: 'mark', signal, ...more };
    const outcome = await (on[operation] as (asked: object) => Promise<unknown>)(ask).then(
      (answer) =>
        operation === 'newKey' ? Object.keys(answer as object).join() : (JSON.stringify(answer) ?? 'nothing'),
      (error: Error & { readonly $metadata?: object }) =>
        error.$metadata === undefined ? messageOf(error) : error.name,
    );
    lines.push(`${operation} ${JSON.stringify(more)}: ${outcome}`);
  }
  return lines;
}

test('the server in memory answers as the real one', async (t) => {
  t.deepEqual(await told(createMemoryServer()), await told(operations));
});

import test from 'ava';
import { createMemoryBucketServer, memoryBucket } from '../../../../integrations/memory/bucket.ts';
import { aTwin } from './a-twin.ts';

test('its outputs and its Secret are those of a bucket, and go with the workspace', async (t) => {
  const server = createMemoryBucketServer();
  const { outputs, secret, end } = await aTwin(memoryBucket({ server }), { 'memory-bucket': { versioning: true } });
  const [thing] = server.objects();
  t.deepEqual(thing?.state, { versioning: true });
  t.regex(thing?.name ?? '', /^ws-[0-9a-f]{12}$/);
  t.deepEqual(outputs('Bucket')?.values, {
    bucket: thing?.name,
    endpoint: 'https://bucket.memory.invalid',
    region: 'memory',
  });
  t.deepEqual(Object.keys(outputs('Bucket')?.secrets ?? {}).sort(), ['accessKeyId', 'secretAccessKey']);
  t.deepEqual(Object.keys(await secret('shop-bucket')).sort(), ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']);
  await end();
  t.deepEqual(server.objects(), []);
});

test('options that there are not are refused', (t) => {
  t.throws(() => memoryBucket({ bucket: 'a' } as never), { instanceOf: TypeError, message: /bucket/ });
  t.throws(() => memoryBucket({ server: {} } as never), {
    instanceOf: TypeError,
    message: /^memoryBucket: server must be an object with the functions find, read, create,/,
  });
});

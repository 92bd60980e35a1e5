import test from 'ava';
import { awsClientConfig, once } from '../../../../integrations/aws/client-config.ts';

test('a client sends each request once, and gives it up in time', (t) => {
  t.deepEqual(awsClientConfig({ region: 'us-east-1' }, 5_000), {
    region: 'us-east-1',
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  });
});

test('address, credential and authorities are set where they are given', (t) => {
  const given = { endpoint: 'https://aws.test', region: 'r', accessKeyId: 'id', secretAccessKey: 'secret', ca: 'PEM' };
  t.like(awsClientConfig(given, 1), {
    endpoint: 'https://aws.test',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    requestHandler: { httpsAgent: { ca: 'PEM', keepAlive: true } },
  });
});

test('what is made once is made again after a failure', async (t) => {
  let calls = 0;
  const make = once(async () => {
    calls += 1;
    if (calls === 1) throw new Error('no');
    return calls;
  });
  await t.throwsAsync(make());
  t.deepEqual([await make(), await make()], [2, 2]);
});

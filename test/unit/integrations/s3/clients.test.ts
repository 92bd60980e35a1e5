import test from 'ava';
import { s3ErrorOf } from '../../../../integrations/s3/aws-error.ts';
import { bucketsOn } from '../../../../integrations/s3/buckets.ts';
import { iamClientOf, s3ClientOf } from '../../../../integrations/s3/clients.ts';
import { DefiniteError, ThrottledError } from '../../../../sdk/index.ts';
import { aWire, credential, errorXml } from './fixtures/a-wire.ts';

const { signal } = new AbortController();
const region = 'us-east-1';

test('a client is made once, when it is first asked for', async (t) => {
  for (const load of [s3ClientOf(credential, 1_000), iamClientOf(credential, 1_000)])
    t.is((await load()).client, (await load()).client as never);
});

test('a request is sent once, whatever is answered', async (t) => {
  for (const [status, code] of [
    [500, 'InternalError'],
    [503, 'SlowDown'],
  ] as const) {
    const { endpoint, requests } = await aWire(t, () => [status, errorXml(code)]);
    const buckets = bucketsOn(s3ClientOf({ ...credential, endpoint }, 5_000), { region });
    const error = s3ErrorOf(await t.throwsAsync(buckets.readBucket({ name: 'ws-a', signal })));
    t.is(error instanceof ThrottledError, code === 'SlowDown');
    t.false(error instanceof DefiniteError);
    t.is(requests.length, 1);
  }
});

test('a server to which no connection can be made was asked nothing', async (t) => {
  const buckets = bucketsOn(s3ClientOf({ ...credential, endpoint: 'http://127.0.0.1:1' }, 5_000), { region });
  const error = s3ErrorOf(await t.throwsAsync(buckets.createBucket({ name: 'ws-a', mark: 'm', signal })));
  t.true(error instanceof DefiniteError, String(error));
});

test('a signal that aborts ends a request', async (t) => {
  const over = new AbortController();
  const { endpoint } = await aWire(t, () => {
    over.abort();
    return [200];
  });
  const buckets = bucketsOn(s3ClientOf({ ...credential, endpoint }, 60_000), { region });
  await t.throwsAsync(buckets.readBucket({ name: 'ws-a', signal: over.signal }), { name: 'AbortError' });
});

test('buckets stand in the path of an address that is not AWS’s, unless told otherwise', async (t) => {
  const pathStyle = async (address: object) =>
    (await s3ClientOf({ ...credential, ...address }, 1_000)()).client.config.forcePathStyle;
  t.true(await pathStyle({ endpoint: 'http://127.0.0.1:1' }));
  t.false(await pathStyle({}));
  t.false(await pathStyle({ endpoint: 'http://127.0.0.1:1', pathStyle: false }));
});

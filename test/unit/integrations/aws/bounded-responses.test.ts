import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { maxResponseLength } from '../../../../integrations/aws/bounded-responses.ts';
import { fetchHandler } from '../../../../integrations/aws/fetch-handler.ts';
import { bucketsOn } from '../../../../integrations/s3/buckets.ts';
import { s3ClientOf } from '../../../../integrations/s3/clients.ts';
import { DefiniteError } from '../../../../sdk/index.ts';

/** Starts a server that answers each request by hand, until the test ends. */
async function aServer(t: ExecutionContext, answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => {
    response.on('error', () => undefined);
    response.writeHead(200, { 'content-type': 'application/xml' });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const bucketsAt = (endpoint: string, deadline: number) => {
  const address = { endpoint, region: 'us-east-1', accessKeyId: 'sequencer', secretAccessKey: 'quite-secret' };
  return bucketsOn(s3ClientOf(address, deadline), { region: 'us-east-1' });
};
const ask = { name: 'ws-a', signal: new AbortController().signal };

test('an answer without an end is broken off, and what became of the request is unknown', async (t) => {
  const endpoint = await aServer(t, (response) => {
    const go = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(2 ** 20, 'a')));
      if (!response.destroyed) response.once('drain', go);
    };
    go();
  });
  const error = await t.throwsAsync(bucketsAt(endpoint, 60_000).readBucket(ask));
  t.regex(error.message, new RegExp(`returned more than ${maxResponseLength} bytes`));
  t.false(error instanceof DefiniteError);
});

test('an answer that comes byte by byte has the deadline of its request', async (t) => {
  const endpoint = await aServer(t, (response) => void response.write('<Tagging>'));
  await t.throwsAsync(bucketsAt(endpoint, 2_000).readBucket(ask), { message: /no complete answer within 2000 ms/ });
});

test('an answer of usual length is read as a whole', async (t) => {
  const tags = `<Tagging><TagSet>${'<Tag><Key>k</Key><Value>v</Value></Tag>'.repeat(2_000)}</TagSet></Tagging>`;
  const endpoint = await aServer(t, (response) => void response.end(tags));
  t.like(await bucketsAt(endpoint, 60_000).readBucket(ask), { mark: undefined });
});

test('by a fetch, an answer is no longer either', async (t) => {
  const answer = (bytes: number) => fetchHandler(async () => new Response(new Uint8Array(bytes)));
  const request = { method: 'GET', protocol: 'https:', hostname: 'aws.test', path: '/', headers: {} };
  t.is((await answer(maxResponseLength).handle(request)).response.body.length, maxResponseLength);
  await t.throwsAsync(answer(maxResponseLength + 1).handle(request), { message: /returned more than/ });
});

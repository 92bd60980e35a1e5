import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { rootCertificates } from 'node:tls';
import test from 'ava';
import { fetchWithCa } from '../../../integrations/fetch-with-ca.ts';
import { createAuthority } from '../../cluster/pki/certificate.ts';

test('a server is trusted by these certificates, and by no others', async (t) => {
  const authority = createAuthority(Date.now());
  const { certificate: cert, key } = authority.issue(['127.0.0.1']);
  const server = createServer({ cert, key }, async (request, response) => {
    for await (const chunk of request) response.write(chunk);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const trusting = fetchWithCa(authority.certificate);
  const { signal } = new AbortController();
  const answer = await trusting(url, { method: 'POST', body: '{"a":1}', signal, redirect: 'manual' });
  t.deepEqual(await answer.json(), { a: 1 });
  await t.throwsAsync(fetchWithCa(rootCertificates[0]!)(url), { message: 'fetch failed' });
  await t.throwsAsync(trusting(url, { signal: AbortSignal.abort() }), { name: 'AbortError' });
});

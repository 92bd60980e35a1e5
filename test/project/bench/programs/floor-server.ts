import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '../../../cluster/pki/certificate.ts';
import type { Access } from '../harness/connect.ts';
import { ownUsage } from '../harness/usage.ts';
import { answer, say } from './dialogue.ts';

/** Headers of an API server's answer, as many and as long. */
const headers = {
  'content-type': 'application/json',
  'audit-id': crypto.randomUUID(),
  'cache-control': 'no-cache, private',
  'x-kubernetes-pf-flowschema-uid': crypto.randomUUID(),
  'x-kubernetes-pf-prioritylevel-uid': crypto.randomUUID(),
};
const revision = JSON.stringify({ metadata: { resourceVersion: '1' } });
/** Padding: an object of 1 kB returns larger by its metadata. */
const metadata = 'm'.repeat(380);

const texts: string[] = [];
const watches = new Set<ServerResponse>();

function reply(out: ServerResponse, status: number, text: string): void {
  out.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
  out.end(text);
}

function keep(request: IncomingMessage, out: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = `${Buffer.concat(chunks)}${metadata}`;
    texts.push(text);
    const line = Buffer.from(`${text}\n`);
    for (const watch of watches) watch.write(line);
    reply(out, 201, text);
  });
}

function follow(out: ServerResponse): void {
  out.writeHead(200, headers);
  out.flushHeaders();
  watches.add(out);
  out.on('error', () => {});
  out.on('close', () => watches.delete(out));
}

const { certificate: ca, issue } = await createAuthority(Date.now());
const { certificate: cert, key } = issue(['127.0.0.1']);

/** Answers all requests of the load. */
function serve(request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse): void {
  const out = response as ServerResponse;
  const { method, url = '' } = request;
  if (method === 'POST') keep(request as IncomingMessage, out);
  else if (url.includes('watch=')) follow(out);
  else reply(out, 200, url.includes('limit=') ? revision : (texts[Number(/\d+$/.exec(url)?.[0])] ?? revision));
}

const server = createSecureServer({ allowHTTP1: true, cert, key }, serve);
server.on('connection', (socket) => socket.setNoDelay(true));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const access: Access = { server: `https://127.0.0.1:${port}`, authorization: 'Bearer nobody', ca };
  say(access);
});
await answer(() => {
  globalThis.gc?.();
  return ownUsage();
});
process.exit();

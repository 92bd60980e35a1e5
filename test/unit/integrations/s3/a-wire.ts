/** HTTP server that answers as a test says, and notes what it is asked. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';

/** One request. */
export interface WireRequest {
  /** Method, path and query, such as `GET /bucket?tagging`. */
  readonly line: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Answer: a status, and XML. */
export type WireAnswer = readonly [status: number, xml?: string];

/** Error as S3 sends it. */
export const errorXml = (code: string): string => `<Error><Code>${code}</Code><Message>${code}!</Message></Error>`;

/** Returns path and query as the documents of S3 write them. */
function shownUrl(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://wire.test');
  searchParams.delete('x-id');
  const query = [...searchParams].map(([name, value]) => (value === '' ? name : `${name}=${value}`)).join('&');
  return `${pathname.replace(/(?<=.)\/$/, '')}${query === '' ? '' : `?${query}`}`;
}

/** Starts a server until the test ends. @returns its address, and the requests that it gets */
export async function aWire(t: ExecutionContext, answer: (request: WireRequest) => WireAnswer) {
  const requests: WireRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const one = { line: `${request.method} ${shownUrl(request.url ?? '/')}`, body, headers: request.headers };
    requests.push(one);
    const [status, xml = ''] = answer(one);
    response.writeHead(status, { 'content-type': 'application/xml', connection: 'close' });
    response.end(xml);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Credential of tests that speak to a wire. */
export const credential = { region: 'us-east-1', accessKeyId: 'sequencer', secretAccessKey: 'quite-secret' };

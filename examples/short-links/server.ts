/** Example third party: a service that stores short links. */

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Short link: `slug` leads to `target`. */
export interface Link {
  readonly id: string;
  readonly slug: string;
  readonly target: string;
  /** Free text by which clients find it. */
  readonly label: string;
}

/** Running service on a free port of the loopback interface. */
export interface LinkService {
  readonly url: string;
  links(): readonly Link[];
  close(): Promise<void>;
}

/**
 * Starts a service that stores short links: `POST /links` (409 when the slug is taken), `GET /links?label=`, `GET`, `PATCH` and `DELETE /links/ID`.
 * All requests need the token.
 */
export async function startLinkService(token: string): Promise<LinkService> {
  const links = new Map<string, Link>();
  let count = 0;

  const answer = async (request: IncomingMessage): Promise<readonly [status: number, body?: unknown]> => {
    if (request.headers.authorization !== `Bearer ${token}`) return [401, { error: 'who are you?' }];
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const id = /^\/links\/([^/]+)$/.exec(pathname)?.[1];
    const body = JSON.parse((await text(request)) || '{}') as Partial<Link>;
    if (id === undefined && request.method === 'GET')
      return [200, [...links.values()].filter(({ label }) => label === searchParams.get('label'))];
    if (id === undefined && request.method === 'POST') {
      const { slug = '', target = '', label = '' } = body;
      if (slug === '' || target === '') return [422, { error: 'slug and target are needed' }];
      if ([...links.values()].some((link) => link.slug === slug)) return [409, { error: `${slug} is taken` }];
      count += 1;
      const made: Link = { id: `link-${count}`, slug, target, label };
      links.set(made.id, made);
      return [201, made];
    }
    const link = links.get(id ?? '');
    if (link === undefined) return [404, { error: 'no such link' }];
    if (request.method === 'DELETE') {
      links.delete(link.id);
      return [204];
    }
    if (request.method === 'PATCH') links.set(link.id, { ...link, target: body.target ?? link.target });
    return [200, links.get(link.id)];
  };

  const server = createServer((request, response) => {
    void answer(request).then(
      ([status, body]) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(400).end(JSON.stringify({ error: String(error) })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    links: () => [...links.values()],
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

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

/** Answer of the service: status and JSON body. */
type Answer = readonly [status: number, body?: unknown];

const missing: Answer = [404, { error: 'no such link' }];

/**
 * Starts a service that stores short links: `POST /links` (409 when the slug is taken), `GET /links?label=`, `GET`, `PATCH` and `DELETE /links/ID`.
 * All requests need the token.
 */
export async function startLinkService(token: string): Promise<LinkService> {
  const links = new Map<string, Link>();
  let count = 0;

  const labelled = (wanted: string | null) => [...links.values()].filter(({ label }) => label === wanted);

  const add = ({ slug = '', target = '', label = '' }: Partial<Link>): Answer => {
    if (slug === '' || target === '') return [422, { error: 'slug and target are needed' }];
    if ([...links.values()].some((link) => link.slug === slug)) return [409, { error: `${slug} is taken` }];
    count += 1;
    const made: Link = { id: `link-${count}`, slug, target, label };
    links.set(made.id, made);
    return [201, made];
  };

  const ofOne = (id: string, method: string | undefined, { target }: Partial<Link>): Answer => {
    const link = links.get(id);
    if (link === undefined) return missing;
    if (method === 'DELETE') {
      links.delete(id);
      return [204];
    }
    if (method === 'PATCH') links.set(id, { ...link, target: target ?? link.target });
    return [200, links.get(id)];
  };

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    if (request.headers.authorization !== `Bearer ${token}`) return [401, { error: 'a bearer token is needed' }];
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const id = /^\/links\/([^/]+)$/.exec(pathname)?.[1];
    const body = JSON.parse((await text(request)) || '{}') as Partial<Link>;
    if (id !== undefined) return ofOne(id, request.method, body);
    if (request.method === 'GET') return [200, labelled(searchParams.get('label'))];
    return request.method === 'POST' ? add(body) : missing;
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

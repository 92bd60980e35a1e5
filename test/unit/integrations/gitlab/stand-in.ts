/** Stand-in of GitLab's REST API for merge requests, notes, statuses and members, which refuses what it does not know. @gitbeaker/rest reads its answers in `stand-in.test.ts`. */

import { HeldRepository } from '../fixtures/a-code-host.ts';
import { userJson } from './json.ts';
import { List, type ParsedRequest, Refusal, routed, there } from './stand-in-routes.ts';

/** GitLab in memory. */
export interface GitLabStandIn {
  readonly fetch: typeof globalThis.fetch;
  repository(name: string): HeldRepository;
  /** Responses to give instead of the next ones. */
  readonly faults: Response[];
  readonly requests: string[];
}

/** Answers a page of a list, and in `Link` whether there are more. */
function paged(url: URL, { entries }: List): Response {
  const [size, page] = [
    Math.min(100, Number(url.searchParams.get('per_page') ?? 20)),
    Number(url.searchParams.get('page') ?? 1),
  ];
  const link = (relation: string, number: number): string => {
    const to = new URL(url);
    to.searchParams.set('page', `${number}`);
    return `<${to}>; rel="${relation}"`;
  };
  const last = Math.max(1, Math.ceil(entries.length / size));
  const links = [...(page < last ? [link('next', page + 1)] : []), link('first', 1), link('last', last)].join(', ');
  const headers = { link: links, 'x-page': `${page}`, 'x-next-page': page < last ? `${page + 1}` : '' };
  return Response.json(entries.slice((page - 1) * size, page * size), { headers });
}

/** Creates an empty GitLab for one token. */
export function gitLabStandIn({
  token,
  login,
  users = [],
  now,
}: {
  readonly token: string;
  /** Name of the token's holder. */
  readonly login: string;
  /** Other users. */
  readonly users?: readonly string[];
  readonly now: () => number;
}): GitLabStandIn {
  const repositories = new Map<string, HeldRepository>();
  const faults: Response[] = [];
  const requests: string[] = [];

  function answer({ method, headers, url }: Request, text: string): readonly [number, unknown] {
    const { pathname, searchParams: query } = new URL(url);
    if (headers.get('private-token') !== token) throw new Refusal(401, '401 Unauthorized');
    const at = pathname.replace(/^\/api\/v4/, '');
    if (at === '/user' && method === 'GET') return [200, userJson(login)];
    if (at === '/users' && method === 'GET') {
      const asked = query.get('username')?.toLowerCase();
      return [200, new List([login, ...users].filter((name) => name.toLowerCase() === asked).map(userJson))];
    }
    const [, name = '', path = ''] = /^\/projects\/([^/]+)\/(.*)$/.exec(at) ?? [];
    const wanted = decodeURIComponent(name).toLowerCase();
    const repository = there(
      [...repositories.values()].find((one) => one.name.toLowerCase() === wanted),
      'Project',
    );
    const body = text === '' ? {} : (JSON.parse(text) as ParsedRequest['body']);
    return routed(method, path, { repository, query, body, login });
  }

  return {
    faults,
    requests,
    repository(name) {
      const held = repositories.get(name) ?? new HeldRepository(name, now);
      repositories.set(name, held);
      return held;
    },
    async fetch(input, init) {
      const request = new Request(input, init);
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      const fault = faults.shift();
      if (fault !== undefined) return fault;
      try {
        const [status, json] = answer(request, await request.text());
        if (json instanceof List) return paged(new URL(request.url), json);
        return status === 204 ? new Response(null, { status }) : Response.json(json, { status });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return Response.json({ message: error.message }, { status: error.status });
      }
    },
  };
}

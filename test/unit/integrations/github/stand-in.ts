/** Stand-in of GitHub's REST API for pull requests, comments and statuses, whose answers the official client reads in `stand-in.test.ts`. */

import { createHmac } from 'node:crypto';
import { type HeldComment, HeldRepository, type HeldStatus } from '../fixtures/a-code-host.ts';
import { commentJson, pullJson, statusJson } from './json.ts';

/** GitHub in memory. */
export interface GitHubStandIn {
  readonly fetch: typeof globalThis.fetch;
  repository(name: string): HeldRepository;
  /** Responses to give instead of the next ones; an Error is thrown. */
  readonly faults: (Response | Error)[];
  readonly count: { requests: number };
  /** Returns the headers and the body of a webhook's delivery. */
  delivery(
    event: string,
    payload: object,
    id?: string,
  ): { readonly headers: Record<string, string>; readonly body: string };
}

export interface GitHubStandInOptions {
  readonly token: string;
  readonly secret: string;
  /** Login of the token's holder. */
  readonly login: string;
  readonly now: () => number;
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Returns a page as the query asks for it: 30 entries by default, 100 at most. */
function paged<T>(all: readonly T[], query: URLSearchParams): readonly T[] {
  const size = Math.min(100, Number(query.get('per_page') ?? 30));
  return all.slice((Number(query.get('page') ?? 1) - 1) * size).slice(0, size);
}

/** A request, taken apart. */
interface Asked {
  readonly repository: HeldRepository;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly login: string;
}

type Route = readonly [
  method: string,
  path: RegExp,
  answer: (asked: Asked, ...parts: readonly string[]) => readonly [number, unknown],
];

const textIn = (body: Asked['body'], name: string): string => {
  const value = body[name];
  if (typeof value !== 'string' || value === '') throw new Refusal(422, `Invalid request. "${name}" wasn't supplied.`);
  if (value.length > 65_536)
    throw new Refusal(422, `Validation Failed: ${name} is too long (maximum is 65536 characters)`);
  return value;
};
const there = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Refusal(404, 'Not Found');
  return value;
};

function commented({ repository, query }: Asked): readonly HeldComment[] {
  const since = Date.parse(query.get('since') ?? '1970-01-01T00:00:00Z');
  const by = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
  const found = [...repository.comments.values()].filter(({ updatedAt }) => updatedAt >= since);
  const sorted = found.toSorted((a, b) => a[by] - b[by] || a.id - b.id);
  return query.get('direction') === 'desc' ? sorted.toReversed() : sorted;
}

function statusSet({ repository, body }: Asked, sha: string): readonly [number, unknown] {
  const [state, description, context] = [
    textIn(body, 'state'),
    `${body.description ?? ''}`,
    `${body.context ?? 'default'}`,
  ];
  if (!['error', 'failure', 'pending', 'success'].includes(state)) throw new Refusal(422, 'Validation Failed: state');
  if (description.length > 140)
    throw new Refusal(422, 'Validation Failed: description is too long (maximum is 140 characters)');
  if (!repository.hasCommit(sha)) throw new Refusal(422, `No commit found for SHA: ${sha}`);
  const url = body.target_url === undefined ? null : `${body.target_url}`;
  if (url !== null && !/^https?:\/\//.test(url))
    throw new Refusal(422, 'Validation Failed: target_url must use http(s) scheme');
  const status: HeldStatus = { sha, context, state, description, url };
  repository.statuses.push(status);
  return [201, statusJson(status)];
}

const routes: readonly Route[] = [
  [
    'GET',
    /^pulls$/,
    ({ repository, query }) => {
      const state = query.get('state') ?? 'open';
      const found = [...repository.pulls.values()].filter((one) => state === 'all' || one.state === state);
      const newest = found.toSorted((a, b) => b.number - a.number);
      return [200, paged(newest, query).map((one) => pullJson(repository, one))];
    },
  ],
  [
    'GET',
    /^pulls\/(\d+)$/,
    ({ repository }, number) => [200, pullJson(repository, there(repository.pulls.get(Number(number))))],
  ],
  [
    'GET',
    /^issues\/comments$/,
    (asked) => [200, paged(commented(asked), asked.query).map((one) => commentJson(asked.repository, one))],
  ],
  [
    'GET',
    /^issues\/(\d+)\/comments$/,
    ({ repository, query }, number) => {
      const found = [...repository.comments.values()].filter((one) => one.number === Number(number));
      return [200, paged(found, query).map((one) => commentJson(repository, one))];
    },
  ],
  [
    'POST',
    /^issues\/(\d+)\/comments$/,
    ({ repository, body, login }, number) => {
      const pull = there(repository.pulls.get(Number(number)));
      return [201, commentJson(repository, repository.comment(pull.number, login, textIn(body, 'body')))];
    },
  ],
  [
    'GET',
    /^issues\/comments\/(\d+)$/,
    ({ repository }, id) => [200, commentJson(repository, there(repository.comments.get(Number(id))))],
  ],
  [
    'PATCH',
    /^issues\/comments\/(\d+)$/,
    ({ repository, body }, id) => {
      const comment = there(repository.comments.get(Number(id)));
      Object.assign(comment, { body: textIn(body, 'body'), updatedAt: repository.now });
      return [200, commentJson(repository, comment)];
    },
  ],
  [
    'DELETE',
    /^issues\/comments\/(\d+)$/,
    ({ repository }, id) => {
      there(repository.comments.get(Number(id)));
      repository.comments.delete(Number(id));
      return [204, undefined];
    },
  ],
  [
    'GET',
    /^commits\/([0-9a-f]+)\/status$/,
    ({ repository, query }, sha = '') => {
      if (!repository.hasCommit(sha)) throw new Refusal(422, `No commit found for SHA: ${sha}`);
      const newest = new Map(repository.statuses.filter((one) => one.sha === sha).map((one) => [one.context, one]));
      const statuses = paged([...newest.values()], query).map(statusJson);
      return [200, { state: 'pending', sha, total_count: newest.size, statuses }];
    },
  ],
  ['POST', /^statuses\/([0-9a-f]+)$/, (asked, sha = '') => statusSet(asked, sha)],
  [
    'GET',
    /^collaborators\/([^/]+)\/permission$/,
    ({ repository }, user = '') => {
      const permission = repository.members.get(user);
      return [200, { permission: permission ?? 'read', role_name: permission ?? 'read', user: { login: user } }];
    },
  ],
];

/** Creates an empty GitHub. */
export function gitHubStandIn({ token, secret, login, now }: GitHubStandInOptions): GitHubStandIn {
  const repositories = new Map<string, HeldRepository>();
  const faults: (Response | Error)[] = [];
  const count = { requests: 0 };

  function checkCaller(headers: Headers): void {
    if (headers.get('user-agent') === null) throw new Refusal(403, 'Request forbidden by administrative rules.');
    if (!['Bearer', 'token'].map((word) => `${word} ${token}`).includes(headers.get('authorization') ?? ''))
      throw new Refusal(401, 'Bad credentials');
  }

  function answer(request: Request, text: string): readonly [number, unknown] {
    const { pathname, searchParams } = new URL(request.url);
    const { headers, method } = request;
    checkCaller(headers);
    if (pathname === '/user' && method === 'GET') return [200, { login, id: 1, type: 'User' }];
    const [, name = '', path = ''] = /^\/repos\/([^/]+\/[^/]+)\/(.*)$/.exec(pathname) ?? [];
    const repository = there([...repositories.values()].find((one) => one.name.toLowerCase() === name.toLowerCase()));
    const body = text === '' ? {} : (JSON.parse(text) as Asked['body']);
    for (const [verb, pattern, act] of routes) {
      const match = pattern.exec(path);
      if (verb === method && match !== null)
        return act({ repository, query: searchParams, body, login }, ...match.slice(1).map(decodeURIComponent));
    }
    throw new Refusal(404, 'Not Found');
  }

  return {
    faults,
    count,
    repository(name) {
      const held = repositories.get(name) ?? new HeldRepository(name, now);
      repositories.set(name, held);
      return held;
    },
    delivery(event, payload, id = `${Math.floor(now())}-${event}`) {
      const body = JSON.stringify(payload);
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      const names = { 'x-github-event': event, 'x-github-delivery': id, 'x-hub-signature-256': signature };
      return { body, headers: { 'content-type': 'application/json', 'user-agent': 'GitHub-Hookshot/1', ...names } };
    },
    async fetch(input, init) {
      count.requests += 1;
      const request = new Request(input, init);
      const fault = faults.shift();
      if (fault instanceof Error) throw fault;
      if (fault !== undefined) return fault;
      try {
        const [status, json] = answer(request, await request.text());
        return status === 204 ? new Response(null, { status }) : Response.json(json, { status });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const { status, message } = error;
        const documentation_url = 'https://docs.github.com/rest';
        return Response.json({ message, documentation_url, status: `${status}` }, { status });
      }
    },
  };
}

/** Code host in memory: the part of Gitea's API that previews use, with signed webhooks. Stands where yours does. */

import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Options of {@link startCodeHost}. */
export interface CodeHostOptions {
  /** Repository, `owner/name`; the token is its owner's. */
  readonly repository: string;
  /** Token that every request needs. */
  readonly token: string;
  /** Receiver of deliveries, and the secret that signs them. */
  readonly webhook: { readonly url: string; readonly secret: string };
}

/** Running code host, on a free port of the loopback interface. It does not keep the process alive. */
export interface CodeHost {
  /** Address of the API. */
  readonly url: string;
  /** Existing comments. */
  comments(): readonly string[];
}

interface Pull {
  readonly number: number;
  readonly branch: string;
  readonly sha: string;
  readonly state: string;
  readonly updated_at: string;
}

interface Comment {
  readonly id: number;
  readonly number: number;
  readonly body: string;
  readonly updated_at: string;
}

type Json = Readonly<Record<string, unknown>>;
type Answer = readonly [status: number, body?: unknown];

/** Request, with the part of its path that a route matched. */
interface Asked {
  readonly body: Json;
  readonly id: string;
  readonly query: URLSearchParams;
}

type Route = readonly [method: string, path: RegExp, answer: (asked: Asked) => Answer];

/** State of the code host. */
interface Held {
  readonly options: CodeHostOptions;
  readonly owner: string;
  readonly pulls: Map<number, Pull>;
  readonly comments: Map<number, Comment>;
  /** Statuses by commit, those set last at the end. */
  readonly statuses: Map<string, readonly Json[]>;
}

const notFound: Answer = [404, { message: 'not found' }];
/** Gitea's response to unexpected requests, which have no effect although it does not report so. */
const broken: Answer = [500, { message: '' }];
/** Now, in seconds as Gitea counts them. */
const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;

const pageOf = <T>(all: readonly T[], query: URLSearchParams): readonly T[] => {
  const size = Math.min(50, Number(query.get('limit') ?? 30));
  return all.slice((Number(query.get('page') ?? 1) - 1) * size).slice(0, size);
};

/** Delivers a pull request to the webhook's receiver, with retries until it listens. */
async function deliver({ options }: Held, event: string, payload: Json): Promise<void> {
  const { repository, webhook } = options;
  const body = JSON.stringify({ ...payload, repository: { full_name: repository } });
  const signature = createHmac('sha256', webhook.secret).update(body).digest('hex');
  const signed = { 'x-gitea-delivery': randomUUID(), 'x-gitea-event': event, 'x-gitea-signature': signature };
  const headers = { 'content-type': 'application/json', ...signed };
  for (let attempt = 0; attempt < 50; attempt += 1) {
    if (await fetch(webhook.url, { method: 'POST', headers, body }).catch(() => undefined)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Returns the part of the API about pull requests. */
function pullRoutes(held: Held): readonly Route[] {
  const { pulls, options } = held;
  const repo = { full_name: options.repository };
  const shown = ({ branch, sha, ...pull }: Pull): Json => {
    return { ...pull, labels: [], head: { ref: branch, sha, repo }, base: { ref: 'main', repo } };
  };
  const kept = (pull: Pull, action: string): Json => {
    pulls.set(pull.number, pull);
    void deliver(held, 'pull_request', { action, number: pull.number, pull_request: shown(pull) });
    return shown(pull);
  };
  const open = (branch: string): Pull => {
    const number = pulls.size + 1;
    const sha = createHash('sha1').update(`${branch} ${number}`).digest('hex');
    return { number, branch, sha, state: 'open', updated_at: now() };
  };
  const ofOne = (id: string, answer: (pull: Pull) => Answer): Answer => {
    const pull = pulls.get(Number(id));
    return pull === undefined ? notFound : answer(pull);
  };
  const isOpen = ({ state }: Pull): boolean => state === 'open';
  const change = (pull: Pull, state: string): Json =>
    kept({ ...pull, state, updated_at: now() }, state === 'open' ? 'reopened' : 'closed');
  return [
    ['GET', /^\/pulls$/, ({ query }) => [200, pageOf([...pulls.values()].filter(isOpen), query).map(shown)]],
    ['POST', /^\/pulls$/, ({ body }) => [201, kept(open(String(body.head)), 'opened')]],
    ['GET', /^\/pulls\/(\d+)$/, ({ id }) => ofOne(id, (pull) => [200, shown(pull)])],
    ['PATCH', /^\/pulls\/(\d+)$/, ({ id, body }) => ofOne(id, (pull) => [201, change(pull, String(body.state))])],
  ];
}

/** Returns the part of the API about comments. */
function commentRoutes(held: Held): readonly Route[] {
  const { comments, owner, options, pulls } = held;
  const state = { lastId: 0 };
  const shown = ({ number, ...comment }: Comment): Json => ({
    ...comment,
    user: { login: owner },
    issue_url: '',
    pull_request_url: `https://git.invalid/${options.repository}/pulls/${number}`,
  });
  const kept = (comment: Comment, action: string): Json => {
    const { number } = comment;
    comments.set(comment.id, comment);
    const about = { issue: { number, pull_request: {} }, pull_request: { number }, is_pull: true };
    void deliver(held, 'issue_comment', { action, ...about, comment: shown(comment) });
    return shown(comment);
  };
  const write = (number: number, { body }: Json): Answer => {
    if (body === '') return [422, { message: '[Body]: Required' }];
    if (!pulls.has(number)) return broken;
    state.lastId += 1;
    return [201, kept({ id: state.lastId, number, body: String(body), updated_at: now() }, 'created')];
  };
  const ofOne = (id: string, answer: (comment: Comment) => Answer): Answer => {
    const comment = comments.get(Number(id));
    return comment === undefined ? notFound : answer(comment);
  };
  const edit = (comment: Comment, { body }: Json): Json =>
    kept({ ...comment, body: String(body), updated_at: now() }, 'edited');
  const since = (query: URLSearchParams) => {
    const from = Math.floor(Date.parse(query.get('since') ?? '1970-01-01T00:00:00Z') / 1000) * 1000;
    return [...comments.values()].filter(({ updated_at }) => Date.parse(updated_at) >= from);
  };
  const ofPull = (number: number): Answer =>
    pulls.has(number) ? [200, [...comments.values()].filter((one) => one.number === number).map(shown)] : broken;
  return [
    ['GET', /^\/issues\/comments$/, ({ query }) => [200, pageOf(since(query), query).map(shown)]],
    ['GET', /^\/issues\/(\d+)\/comments$/, ({ id }) => ofPull(Number(id))],
    ['POST', /^\/issues\/(\d+)\/comments$/, ({ id, body }) => write(Number(id), body)],
    ['GET', /^\/issues\/comments\/(\d+)$/, ({ id }) => ofOne(id, (comment) => [200, shown(comment)])],
    ['PATCH', /^\/issues\/comments\/(\d+)$/, ({ id, body }) => ofOne(id, (comment) => [200, edit(comment, body)])],
    ['DELETE', /^\/issues\/comments\/(\d+)$/, ({ id }) => (comments.delete(Number(id)) ? [204] : notFound)],
  ];
}

/** Returns the part of the API about commit statuses and people. */
function otherRoutes({ statuses, owner, pulls }: Held): readonly Route[] {
  const isCommit = (sha: string): boolean => [...pulls.values()].some((pull) => pull.sha === sha);
  const set = (sha: string, { state: status, ...body }: Json): Answer => {
    if (!isCommit(sha)) return broken;
    const others = (statuses.get(sha) ?? []).filter(({ context }) => context !== body.context);
    statuses.set(sha, [...others, { ...body, status }]);
    return [201, { ...body, status }];
  };
  const shown = (sha: string, query: URLSearchParams): Answer => {
    const page = pageOf(statuses.get(sha) ?? [], query);
    return isCommit(sha) ? [200, { sha, statuses: page.length === 0 ? null : page }] : notFound;
  };
  return [
    ['GET', /^\/commits\/(\w+)\/status$/, ({ id, query }) => shown(id, query)],
    ['POST', /^\/statuses\/(\w+)$/, ({ id, body }) => set(id, body)],
    [
      'GET',
      /^\/collaborators\/(\w+)\/permission$/,
      ({ id }) => (id === owner ? [200, { permission: 'owner' }] : notFound),
    ],
  ];
}

/** Starts a code host with one repository and no pull requests: `POST /repos/OWNER/NAME/pulls` opens one, `PATCH …/pulls/N` closes it. */
export async function startCodeHost(options: CodeHostOptions): Promise<CodeHost> {
  const [owner = ''] = options.repository.split('/');
  const held: Held = { options, owner, pulls: new Map(), comments: new Map(), statuses: new Map() };
  const routes = [...pullRoutes(held), ...commentRoutes(held), ...otherRoutes(held)];
  const prefix = `/api/v1/repos/${options.repository}`;
  const answer = (method: string, { pathname, searchParams: query }: URL, body: Json): Answer => {
    if (pathname === '/api/v1/user') return [200, { login: owner }];
    if (pathname === prefix) return [200, { full_name: options.repository }];
    for (const [verb, pattern, act] of routes) {
      const match = verb === method && pathname.startsWith(prefix) ? pattern.exec(pathname.slice(prefix.length)) : null;
      if (match !== null) return act({ body, query, id: match[1] ?? '' });
    }
    return notFound;
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    const isKnown = request.headers.authorization === `token ${options.token}`;
    const [status, body] = isKnown
      ? answer(request.method ?? '', url, JSON.parse((await text(request)) || '{}') as Json)
      : [401, { message: 'invalid username, password or token' }];
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  return { url, comments: () => [...held.comments.values()].map(({ body }) => body) };
}

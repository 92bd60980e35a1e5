/** Code host in memory: the part of Gitea's API that previews use, with signed webhooks. Stands where yours does. */

import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Options of {@link startCodeHost}. */
export interface CodeHostOptions {
  /** Repository, `owner/name`. */
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
  /** Comments that are there. */
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
type Route = readonly [method: string, path: RegExp, answer: (body: Json, id: string) => Answer];

const notFound: Answer = [404, { message: 'not found' }];
const now = (): string => new Date().toISOString();

/** Tells the webhook's receiver of a pull request, again and again until it listens. */
async function deliver({ repository, webhook }: CodeHostOptions, number: number): Promise<void> {
  const body = JSON.stringify({ repository: { full_name: repository }, pull_request: { number } });
  const signature = createHmac('sha256', webhook.secret).update(body).digest('hex');
  const headers = { 'x-gitea-delivery': randomUUID(), 'x-gitea-signature': signature };
  for (let attempt = 0; attempt < 50; attempt += 1) {
    if (await fetch(webhook.url, { method: 'POST', headers, body }).catch(() => undefined)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Returns the part of the API about pull requests. */
function pullRoutes(options: CodeHostOptions, pulls: Map<number, Pull>): readonly Route[] {
  const repo = { full_name: options.repository };
  const shown = ({ branch, sha, ...pull }: Pull): Json => {
    return { ...pull, labels: [], head: { ref: branch, sha, repo }, base: { ref: 'main', repo } };
  };
  const kept = (pull: Pull): Json => {
    pulls.set(pull.number, pull);
    void deliver(options, pull.number);
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
  return [
    ['GET', /^\/pulls$/, () => [200, [...pulls.values()].filter(({ state }) => state === 'open').map(shown)]],
    ['POST', /^\/pulls$/, ({ head }) => [201, kept(open(String(head)))]],
    ['GET', /^\/pulls\/(\d+)$/, (_, id) => ofOne(id, (pull) => [200, shown(pull)])],
    [
      'PATCH',
      /^\/pulls\/(\d+)$/,
      ({ state }, id) => ofOne(id, (pull) => [201, kept({ ...pull, state: String(state), updated_at: now() })]),
    ],
  ];
}

/** Returns the part of the API about comments and commit statuses. */
function reportRoutes({ repository }: CodeHostOptions, comments: Map<number, Comment>): readonly Route[] {
  const statuses = new Map<string, Json>();
  let lastId = 0;
  const shown = ({ number, ...comment }: Comment): Json => ({
    ...comment,
    user: { login: 'previewer' },
    issue_url: `${repository}/issues/${number}`,
  });
  const kept = (comment: Omit<Comment, 'updated_at'>): Json => {
    comments.set(comment.id, { ...comment, updated_at: now() });
    return shown({ ...comment, updated_at: now() });
  };
  const write = (number: number, body: string): Json => {
    lastId += 1;
    return kept({ id: lastId, number, body });
  };
  const ofOne = (id: string, answer: (comment: Comment) => Answer): Answer => {
    const comment = comments.get(Number(id));
    return comment === undefined ? notFound : answer(comment);
  };
  const ofPull = (number: number) => [...comments.values()].filter((one) => one.number === number);
  return [
    ['GET', /^\/issues\/comments$/, () => [200, [...comments.values()].map(shown)]],
    ['GET', /^\/issues\/(\d+)\/comments$/, (_, id) => [200, ofPull(Number(id)).map(shown)]],
    ['POST', /^\/issues\/(\d+)\/comments$/, ({ body }, id) => [201, write(Number(id), String(body))]],
    ['GET', /^\/issues\/comments\/(\d+)$/, (_, id) => ofOne(id, (comment) => [200, shown(comment)])],
    [
      'PATCH',
      /^\/issues\/comments\/(\d+)$/,
      ({ body }, id) => ofOne(id, (comment) => [200, kept({ ...comment, body: String(body) })]),
    ],
    ['DELETE', /^\/issues\/comments\/(\d+)$/, (_, id) => (comments.delete(Number(id)) ? [204] : notFound)],
    ['GET', /^\/commits\/(\w+)\/status$/, (_, sha) => [200, { statuses: [statuses.get(sha)].filter((one) => one) }]],
    ['POST', /^\/statuses\/(\w+)$/, (body, sha) => [201, statuses.set(sha, body).get(sha)]],
  ];
}

/** Starts a code host with one repository and no pull requests: `POST /repos/OWNER/NAME/pulls` opens one, `PATCH …/pulls/N` closes it. */
export async function startCodeHost(options: CodeHostOptions): Promise<CodeHost> {
  const comments = new Map<number, Comment>();
  const routes = [...pullRoutes(options, new Map()), ...reportRoutes(options, comments)];
  const prefix = `/api/v1/repos/${options.repository}`;
  const answer = (method: string, path: string, body: Json): Answer => {
    if (path === '/api/v1/user') return [200, { login: 'previewer' }];
    for (const [verb, pattern, act] of routes) {
      const match = verb === method && path.startsWith(prefix) ? pattern.exec(path.slice(prefix.length)) : null;
      if (match !== null) return act(body, match[1] ?? '');
    }
    return notFound;
  };

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const isKnown = request.headers.authorization === `token ${options.token}`;
    const [status, body] = isKnown
      ? answer(request.method ?? '', pathname, JSON.parse((await text(request)) || '{}') as Json)
      : [401, { message: 'a token is required' }];
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  return { url, comments: () => [...comments.values()].map(({ body }) => body) };
}

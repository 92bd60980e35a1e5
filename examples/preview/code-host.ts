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
  state: string;
  updated_at: string;
}

interface Comment {
  readonly id: number;
  readonly number: number;
  body: string;
  updated_at: string;
}

type Json = Readonly<Record<string, unknown>>;
type Answer = readonly [status: number, body?: unknown];
type Route = readonly [method: string, path: RegExp, answer: (body: Json, id: string) => Answer];

const notFound: Answer = [404, { message: 'not found' }];
const now = (): string => new Date().toISOString();

/** Starts a code host with one repository and no pull requests: `POST /repos/OWNER/NAME/pulls` opens one, `PATCH …/pulls/N` closes it. */
export async function startCodeHost({ repository, token, webhook }: CodeHostOptions): Promise<CodeHost> {
  const pulls = new Map<number, Pull>();
  const comments = new Map<number, Comment>();
  const statuses = new Map<string, Json>();

  const pullJson = ({ branch, sha, ...pull }: Pull): Json => {
    const repo = { full_name: repository };
    return { ...pull, labels: [], head: { ref: branch, sha, repo }, base: { ref: 'main', repo } };
  };
  const commentJson = ({ number, ...comment }: Comment): Json => ({
    ...comment,
    user: { login: 'previewer' },
    issue_url: `${repository}/issues/${number}`,
  });

  /** Tells the webhook's receiver, again and again until it listens. */
  const deliver = async (number: number): Promise<void> => {
    const body = JSON.stringify({ repository: { full_name: repository }, pull_request: { number } });
    const signature = createHmac('sha256', webhook.secret).update(body).digest('hex');
    const headers = { 'x-gitea-delivery': randomUUID(), 'x-gitea-signature': signature };
    for (let attempt = 0; attempt < 50; attempt += 1) {
      if (await fetch(webhook.url, { method: 'POST', headers, body }).catch(() => undefined)) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const changed = (pull: Pull, change: Partial<Pull>): Json => {
    pulls.set(pull.number, Object.assign(pull, change, { updated_at: now() }));
    void deliver(pull.number);
    return pullJson(pull);
  };
  const open = (branch: string): Json => {
    const number = pulls.size + 1;
    const sha = createHash('sha1').update(`${branch} ${number}`).digest('hex');
    return changed({ number, branch, sha, state: 'open', updated_at: now() }, {});
  };
  const written = (body: Json, comment: Omit<Comment, 'body' | 'updated_at'>): Json => {
    const kept = { ...comment, body: String(body.body), updated_at: now() };
    comments.set(kept.id, kept);
    return commentJson(kept);
  };
  const ofPull = (id: string, answer: (pull: Pull) => Answer): Answer => {
    const pull = pulls.get(Number(id));
    return pull === undefined ? notFound : answer(pull);
  };
  const ofComment = (id: string, answer: (comment: Comment) => Answer): Answer => {
    const comment = comments.get(Number(id));
    return comment === undefined ? notFound : answer(comment);
  };
  let lastId = 0;
  const nextId = (): number => {
    lastId += 1;
    return lastId;
  };

  const routes: readonly Route[] = [
    ['GET', /^\/pulls$/, () => [200, [...pulls.values()].filter(({ state }) => state === 'open').map(pullJson)]],
    ['POST', /^\/pulls$/, ({ head }) => [201, open(String(head))]],
    ['GET', /^\/pulls\/(\d+)$/, (_, id) => ofPull(id, (pull) => [200, pullJson(pull)])],
    [
      'PATCH',
      /^\/pulls\/(\d+)$/,
      ({ state }, id) => ofPull(id, (pull) => [201, changed(pull, { state: String(state) })]),
    ],
    ['GET', /^\/issues\/comments$/, () => [200, [...comments.values()].map(commentJson)]],
    [
      'GET',
      /^\/issues\/(\d+)\/comments$/,
      (_, id) => [200, [...comments.values()].filter(({ number }) => number === Number(id)).map(commentJson)],
    ],
    [
      'POST',
      /^\/issues\/(\d+)\/comments$/,
      (body, id) => ofPull(id, ({ number }) => [201, written(body, { id: nextId(), number })]),
    ],
    ['GET', /^\/issues\/comments\/(\d+)$/, (_, id) => ofComment(id, (comment) => [200, commentJson(comment)])],
    ['PATCH', /^\/issues\/comments\/(\d+)$/, (body, id) => ofComment(id, (comment) => [200, written(body, comment)])],
    ['DELETE', /^\/issues\/comments\/(\d+)$/, (_, id) => (comments.delete(Number(id)) ? [204] : notFound)],
    ['GET', /^\/commits\/(\w+)\/status$/, (_, sha) => [200, { statuses: [statuses.get(sha)].filter((one) => one) }]],
    ['POST', /^\/statuses\/(\w+)$/, (body, sha) => [201, statuses.set(sha, body).get(sha)]],
  ];
  const answer = (method: string, path: string, body: Json): Answer => {
    if (path === '/user') return [200, { login: 'previewer' }];
    const prefix = `/repos/${repository}`;
    for (const [verb, pattern, act] of routes) {
      const match = verb === method && path.startsWith(prefix) ? pattern.exec(path.slice(prefix.length)) : null;
      if (match !== null) return act(body, match[1] ?? '');
    }
    return notFound;
  };

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const isKnown = request.headers.authorization === `token ${token}`;
    const [status, body] = isKnown
      ? answer(request.method ?? '', pathname.replace('/api/v1', ''), JSON.parse((await text(request)) || '{}') as Json)
      : [401, { message: 'a token is required' }];
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  return { url, comments: () => [...comments.values()].map(({ body }) => body) };
}

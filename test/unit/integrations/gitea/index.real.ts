import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { startCodeHost } from '../../../../examples/preview/code-host.ts';
import { type CodeHost, gitea } from '../../../../integrations/gitea/index.ts';
import { messageOf } from '../../../../sdk/index.ts';
import { type Gitea, type GiteaUser, startGitea } from '../../../system/real/programs/gitea.ts';
import { eventually } from '../../../system/stories/sequencing.ts';

const secret = 'a-secret-of-the-webhook';
const token = 'a-token-of-the-stand-in';
const { signal } = new AbortController();

let server: Gitea;
let alice: GiteaUser;
test.before('Gitea starts', async () => {
  server = await startGitea();
  alice = await server.user('alice');
});
test.after.always('Gitea stops', () => server?.close());

/** Delivery as it came in. */
interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Receives deliveries. */
async function aReceiver(t: ExecutionContext) {
  const received: Received[] = [];
  const listener = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await buffer(request) });
    response.end();
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.teardown(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const next = (event: string): Promise<Received> =>
    eventually(`a delivery of ${event}`, async () => {
      const at = received.findIndex(({ headers }) => headers['x-gitea-event-type'] === event);
      return at === -1 ? undefined : received.splice(at, 1)[0];
    });
  return { url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/webhook`, received, next };
}

/** Creates a repository. */
async function aRepository(name: string): Promise<string> {
  await alice.call('POST', '/user/repos', { name, auto_init: true, default_branch: 'main' });
  return `${alice.name}/${name}`;
}

test.serial('deliveries of a real host are trusted, and one that was changed on its way is not', async (t) => {
  const { url, next } = await aReceiver(t);
  const repository = await aRepository('Delivered');
  const at = `/repos/${repository}`;
  const events = ['pull_request', 'issue_comment', 'pull_request_comment'];
  const config = { url, content_type: 'json', secret };
  await alice.call('POST', `${at}/hooks`, { type: 'gitea', active: true, config, events });
  const host = gitea({ url: server.url, token: alice.token, secret });
  const ids = new Set<string>();
  const expect = async (event: string): Promise<void> => {
    const delivered = await next(event);
    const read = await host.delivery(delivered);
    t.like(read, { repository: repository.toLowerCase(), number: 1 }, event);
    ids.add(read?.id ?? '');
    const changed = {
      ...delivered,
      body: Buffer.from(delivered.body.toString('utf8').replace(/"number": ?1/, '"number": 2')),
    };
    t.false(changed.body.equals(delivered.body));
    await t.throwsAsync(host.delivery(changed), { name: 'UnsignedDeliveryError' });
    const other = gitea({ url: server.url, token: alice.token, secret: `${secret}-of-another` });
    await t.throwsAsync(other.delivery(delivered), { name: 'UnsignedDeliveryError' });
  };

  await alice.push(repository, 'topic', 'one');
  await alice.call('POST', `${at}/pulls`, { head: 'topic', base: 'main', title: 'topic' });
  await expect('pull_request');
  await alice.push(repository, 'topic', 'two');
  await expect('pull_request_sync');
  await alice.call('POST', `${at}/issues/1/comments`, { body: '/preview' });
  await expect('pull_request_comment');
  const { id } = await alice.call<{ id: number }>('POST', `${at}/labels`, { name: 'preview', color: '#00aa00' });
  await alice.call('POST', `${at}/issues/1/labels`, { labels: [id] });
  await expect('pull_request_label');
  await alice.call('PATCH', `${at}/pulls/1`, { state: 'closed' });
  await expect('pull_request');
  t.is(ids.size, 5, 'each has an id of its own');

  await alice.call('POST', `${at}/issues`, { title: 'an issue' });
  await alice.call('POST', `${at}/issues/2/comments`, { body: '/preview' });
  t.is(await host.delivery(await next('issue_comment')), undefined, 'issues are of no interest');
});

/** Code host under test, and the request of its owner that opens a pull request. */
interface HostUnderTest {
  readonly host: CodeHost;
  readonly stranger: CodeHost;
  readonly repository: string;
  /** Sends a request as the owner. */
  readonly call: (method: string, path: string, body: object) => Promise<unknown>;
}

/** Runs an operation, and records what it comes to. */
type Tell = (what: string, act: () => Promise<unknown>) => Promise<void>;

/** Returns a text about an outcome without names of places, commits and times. */
function plainText(outcome: string, repository: string): string {
  const [name = ''] = repository.split('/');
  return outcome
    .replaceAll(repository, 'REPOSITORY')
    .replaceAll(`"${name}"`, '"OWNER"')
    .replaceAll(/\b(?!0{40})[0-9a-f]{40}\b/g, 'SHA')
    .replaceAll(/\b1\d{12}\b/g, 'TIME')
    .replaceAll(/"id":\d+|comments\/\d+/g, (id) => id.replace(/\d+/, 'N'));
}

async function tellPulls(tell: Tell, { host, repository, call }: HostUnderTest): Promise<void> {
  const place = { repository, number: 1 };
  await tell('no pull requests', () => host.pulls(repository, signal));
  await tell('no such pull request', () => host.pull(repository, 1, signal));
  await tell('comments of no pull request', () => host.ownComments(place, signal));
  await tell('a comment on no pull request', () => host.createComment(place, 'one', signal));
  await call('POST', '/pulls', { head: 'topic', base: 'main', title: 'topic' });
  await tell('a pull request', () => host.pull(repository, 1, signal));
  await tell('pull requests', () => host.pulls(repository, signal));
}

async function tellStatuses(tell: Tell, { host, repository }: HostUnderTest): Promise<void> {
  const sha = (await host.pull(repository, 1, signal))?.sha ?? '';
  const commit = { repository, sha, context: 'preview' };
  const unknown = { ...commit, sha: '0'.repeat(40) };
  const pending = { state: 'pending', description: 'being made' } as const;
  await tell('no status', () => host.statusOf(commit, signal));
  await tell('a status', () => host.setStatus(commit, pending, signal));
  await tell('read', () => host.statusOf(commit, signal));
  await tell('another', () =>
    host.setStatus(commit, { state: 'failure', description: 'ready', url: 'https://a.test' }, signal),
  );
  await tell('read again', () => host.statusOf(commit, signal));
  await tell('of another context', () => host.statusOf({ ...commit, context: 'other' }, signal));
  await tell('of no commit', () => host.statusOf(unknown, signal));
  await tell('on no commit', () => host.setStatus(unknown, pending, signal));
}

async function tellComments(tell: Tell, { host, repository }: HostUnderTest): Promise<void> {
  const place = { repository, number: 1 };
  const id = await host.createComment(place, 'one\n\n<!-- two -->', signal);
  await tell('a comment', () => host.comment({ ...place, id }, signal));
  await tell('edited', () => host.editComment({ ...place, id }, 'three', signal));
  await tell('own comments', () => host.ownComments(place, signal));
  await tell('comments since long', () => host.commentsSince(repository, 0, signal));
  await tell('comments since now', () =>
    host.commentsSince(repository, Date.now() - 5, signal).then(({ length }) => length <= 1),
  );
  await tell('comments since tomorrow', () => host.commentsSince(repository, Date.now() + 86_400_000, signal));
  await tell('an empty comment', () => host.createComment(place, '', signal));
  await tell('deleted', () => host.deleteComment({ ...place, id }, signal));
  await tell('deleted again', () => host.deleteComment({ ...place, id }, signal));
  await tell('gone', () => host.comment({ ...place, id }, signal));
  await tell('edited when gone', () => host.editComment({ ...place, id }, 'four', signal));
}

async function tellRights(tell: Tell, { host, stranger, repository, call }: HostUnderTest): Promise<void> {
  const [name = ''] = repository.split('/');
  await tell('the owner may write', () => host.mayWrite(repository, name, signal));
  await tell('no account of that name may', () => host.mayWrite(repository, 'nobody', signal));
  await tell('a token that is none', () => stranger.pulls(repository, signal));
  await tell('no repository', () => host.pulls(`${name}/nowhere`, signal));
  await call('PATCH', '/pulls/1', { state: 'closed' });
  await tell('closed', () => host.pull(repository, 1, signal));
  await tell('none is open', () => host.pulls(repository, signal));
  await call('PATCH', '/pulls/1', { state: 'open' });
  await tell('open again', () => host.pull(repository, 1, signal).then((pull) => pull?.isOpen));
}

/** Returns what a list of operations comes to, without names of places, commits and times. */
async function told(place: HostUnderTest): Promise<readonly string[]> {
  const lines: string[] = [];
  const tell: Tell = async (what, act) => {
    const outcome = await act().then(
      (value) => JSON.stringify(value) ?? 'nothing',
      (error: unknown) => `${(error as Error).name}: ${messageOf(error)}`,
    );
    lines.push(`${what}: ${plainText(outcome, place.repository)}`);
  };
  for (const part of [tellPulls, tellStatuses, tellComments, tellRights]) await part(tell, place);
  return lines;
}

const callOf =
  (url: string, token: string, repository: string): HostUnderTest['call'] =>
  async (method, path, body) => {
    const headers = { authorization: `token ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/repos/${repository}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: HTTP ${response.status} ${await response.text()}`);
    return response.json();
  };

/** Returns the place at a host. */
const placeAt = (url: string, token: string, repository: string): HostUnderTest => ({
  host: gitea({ url, token }),
  stranger: gitea({ url, token: 'a-token-that-is-none' }),
  repository,
  call: callOf(url, token, repository),
});

test.serial('the stand-in of the example answers as the real host', async (t) => {
  const repository = await aRepository('shop');
  await alice.push(repository, 'topic', 'one');
  const real = await told(placeAt(server.url, alice.token, repository));
  t.log(real.join('\n'));
  const { url } = await aReceiver(t);
  const standIn = await startCodeHost({ repository, token, webhook: { url, secret } });
  t.deepEqual(await told(placeAt(standIn.url, token, repository)), real);
});

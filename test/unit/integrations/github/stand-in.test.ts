import { Octokit } from '@octokit/core';
import { verify } from '@octokit/webhooks-methods';
import test from 'ava';
import { shaOf } from '../fixtures/a-code-host.ts';
import { gitHubStandIn } from './stand-in.ts';

const account = { token: 'a-token-that-nobody-sees', secret: 'a-secret-of-the-webhook', login: 'previewer' };
const place = { owner: 'acme', repo: 'shop' };

/** The vendor's own client, asking the stand-in. */
function aClient(auth = account.token) {
  const github = gitHubStandIn({ ...account, now: () => Date.UTC(2026, 0, 1) });
  const client = new Octokit({ auth, request: { fetch: github.fetch } });
  return { github, client, shop: github.repository('acme/shop') };
}

test('the official client lists and reads pull requests, page by page', async (t) => {
  const { client, shop } = aClient();
  for (const number of [1, 2, 3])
    shop.open(number, { branch: `b${number}`, from: number === 3 ? null : 'acme/shop', labels: ['x'] });
  shop.change(2, { state: 'closed' });
  const numbers = async (query: object) =>
    (await client.request('GET /repos/{owner}/{repo}/pulls', { ...place, ...query })).data.map(({ number }) => number);
  t.deepEqual(await numbers({}), [3, 1]);
  t.deepEqual(await numbers({ state: 'all', per_page: 2, page: 2 }), [1]);
  const { data } = await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', { ...place, pull_number: 1 });
  t.like(data, {
    number: 1,
    state: 'open',
    head: { ref: 'b1', sha: shaOf('acme/shop 1'), repo: { full_name: 'acme/shop' } },
  });
  t.deepEqual(
    data.labels.map(({ name }) => name),
    ['x'],
  );
  const refused = client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', { ...place, pull_number: 9 });
  t.is((await t.throwsAsync<Error & { status: number }>(refused))?.status, 404);
});

test('the official client creates, edits, lists and deletes comments', async (t) => {
  const { client, shop } = aClient();
  shop.open(1);
  const at = { ...place, issue_number: 1 };
  const { data: made, status } = await client.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
    ...at,
    body: 'a',
  });
  t.deepEqual([status, made.user?.login], [201, account.login]);
  const comment = { ...place, comment_id: made.id };
  await client.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', { ...comment, body: 'b' });
  const since = { since: '2026-01-01T00:00:00Z', sort: 'updated', direction: 'asc' } as const;
  const all = await client.request('GET /repos/{owner}/{repo}/issues/comments', { ...place, ...since });
  t.deepEqual(
    all.data.map(({ body, issue_url }) => [body, issue_url]),
    [['b', 'https://api.github.com/repos/acme/shop/issues/1']],
  );
  t.is((await client.request('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', at)).data.length, 1);
  t.is((await client.request('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}', comment)).status, 204);
  t.is((await client.request('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', at)).data.length, 0);
});

test('the official client sets and reads commit statuses, the newest of each context', async (t) => {
  const { client, shop } = aClient();
  const { sha } = shop.open(1);
  const set = (more: object) =>
    client.request('POST /repos/{owner}/{repo}/statuses/{sha}', { ...place, sha, state: 'pending', ...more });
  await set({ context: 'preview', description: 'one' });
  await set({ context: 'preview', description: 'two', state: 'success', target_url: 'https://x.test' });
  await set({ context: 'other' });
  const { data } = await client.request('GET /repos/{owner}/{repo}/commits/{ref}/status', { ...place, ref: sha });
  t.deepEqual(
    data.statuses.map(({ context, state, description, target_url }) => [context, state, description, target_url]),
    [
      ['preview', 'success', 'two', 'https://x.test'],
      ['other', 'pending', '', null as never],
    ],
  );
  await t.throwsAsync(set({ description: 'x'.repeat(141) }), { message: /maximum is 140/ });
});

test('permissions, the token’s holder and a wrong token are answered', async (t) => {
  const { client, shop } = aClient();
  shop.members.set('ann', 'write');
  const { data } = await client.request('GET /repos/{owner}/{repo}/collaborators/{username}/permission', {
    ...place,
    username: 'ann',
  });
  t.is(data.permission, 'write');
  t.is((await client.request('GET /user')).data.login, account.login);
  const wrong = aClient('wrong').client.request('GET /user');
  t.is((await t.throwsAsync<Error & { status: number }>(wrong))?.status, 401);
});

test('the official methods accept the signature of a delivery', async (t) => {
  const { headers, body } = aClient().github.delivery('ping', { zen: 'x' });
  t.true(await verify(account.secret, body, headers['x-hub-signature-256'] ?? ''));
});

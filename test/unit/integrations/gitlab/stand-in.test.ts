import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Gitlab } from '@gitbeaker/rest';
import test, { type ExecutionContext } from 'ava';
import { shaOf } from '../fixtures/a-code-host.ts';
import { gitLabStandIn } from './stand-in.ts';

const account = { token: 'glpat-that-nobody-sees', login: 'project_1_bot', users: ['ann', 'bob'] };
const project = 'acme/apps/shop';

/** A client of others, asking the stand-in over a socket. */
async function aClient(t: ExecutionContext, token = account.token) {
  const gitlab = gitLabStandIn({ ...account, now: () => Date.UTC(2026, 0, 1) });
  const server = createServer(async (request, response) => {
    const { method = 'GET', headers, url = '/' } = request;
    const content = await buffer(request);
    const init = { method, headers: headers as Record<string, string>, ...(content.length > 0 && { body: content }) };
    const answer = await gitlab.fetch(`http://127.0.0.1${url}`, init);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: new Gitlab({ host, token }), shop: gitlab.repository(project) };
}

test('the client lists and reads merge requests, page by page', async (t) => {
  const { client, shop } = await aClient(t);
  for (let number = 1; number <= 45; number += 1)
    shop.open(number, { labels: ['x'], from: number === 3 ? null : project });
  shop.change(2, { state: 'closed' });
  const all = await client.MergeRequests.all({
    projectId: project,
    state: 'opened',
    orderBy: 'created_at',
    sort: 'asc',
  });
  t.deepEqual([all.length, all[0]?.iid, all.at(-1)?.iid], [44, 1, 45]);
  const one = await client.MergeRequests.show(project, 1);
  t.like(one, { iid: 1, state: 'opened', sha: shaOf(`${project} 1`), source_branch: 'branch-1', labels: ['x'] });
  t.is(one.source_project_id, one.target_project_id);
  await t.throwsAsync(client.MergeRequests.show(project, 99), { message: /Not [Ff]ound/ });
});

test('the client creates, edits, lists and deletes notes', async (t) => {
  const { client, shop } = await aClient(t);
  shop.open(1);
  const made = await client.MergeRequestNotes.create(project, 1, 'a');
  t.like(made, { body: 'a', system: false, noteable_iid: 1 });
  t.is(made.author.username, account.login);
  await client.MergeRequestNotes.edit(project, 1, made.id, { body: 'b' });
  t.is((await client.MergeRequestNotes.show(project, 1, made.id)).body, 'b');
  t.is((await client.MergeRequestNotes.all(project, 1, { sort: 'desc', orderBy: 'updated_at' })).length, 1);
  await client.MergeRequestNotes.remove(project, 1, made.id);
  t.is((await client.MergeRequestNotes.all(project, 1)).length, 0);
});

test('the client sets and reads commit statuses, and a pending one takes no other', async (t) => {
  const { client, shop } = await aClient(t);
  const { sha } = shop.open(1);
  const set = (state: 'pending' | 'success' | 'canceled', description: string) =>
    client.Commits.editStatus(project, sha, state, { name: 'preview', description });
  await set('pending', 'one');
  await t.throwsAsync(set('pending', 'two'), { message: /Cannot transition status/ });
  await set('success', 'three');
  const [status, ...more] = await client.Commits.allStatuses(project, sha, { name: 'preview' });
  t.deepEqual(more, []);
  t.like(status, { name: 'preview', status: 'success', description: 'three' });
});

test('members, users, the token’s holder and a wrong token are answered', async (t) => {
  const { client, shop } = await aClient(t);
  shop.members.set('ann', 'write');
  const [ann] = await client.Users.all({ username: 'ann' });
  t.like(await client.ProjectMembers.show(project, ann!.id, { includeInherited: true }), {
    access_level: 30,
    state: 'active',
  });
  t.is((await client.Users.showCurrentUser()).username, account.login);
  await t.throwsAsync((await aClient(t, 'wrong')).client.Users.showCurrentUser(), { message: /Unauthorized/ });
});

import test from 'ava';
import { gitLab } from '../../../../integrations/gitlab/index.ts';
import { DefiniteError } from '../../../../sdk/index.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { gitLabStandIn } from './stand-in.ts';

const account = { token: 'glpat-that-nobody-sees', login: 'project_1_bot', users: ['ann', 'bob', 'eve', 'mallory'] };
const project = 'acme/apps/shop';
const { signal } = new AbortController();

function aHost() {
  const clock = createManualClock();
  const gitlab = gitLabStandIn({ ...account, now: () => clock.now() });
  const host = gitLab({ token: account.token, fetch: gitlab.fetch, clock });
  return { clock, gitlab, shop: gitlab.repository('Acme/Apps/Shop'), host };
}

test('merge requests of all pages are read, with where they come from', async (t) => {
  const { host, shop, gitlab } = aHost();
  for (let number = 1; number <= 220; number += 1)
    shop.open(number, { from: number === 7 ? 'mallory/shop' : shop.name });
  shop.open(221, { from: null, labels: ['preview'] });
  const pulls = await host.pulls(project, signal);
  t.is(pulls.length, 221);
  t.deepEqual(
    pulls.filter(({ isFork }) => isFork).map(({ number, labels }) => [number, ...labels]),
    [[7], [221, 'preview']],
  );
  t.is(gitlab.requests.length, 3);
  t.like(await host.pull(project, 7, signal), { branch: 'branch-7', isOpen: true });
  t.is(await host.pull(project, 999, signal), undefined);
});

test('notes are made, found again and removed, and those of GitLab itself are none', async (t) => {
  const { host, shop } = aHost();
  shop.open(1);
  const place = { repository: project, number: 1 };
  shop.comment(1, 'mallory', 'mine');
  shop.comment(1, 'system', 'added 1 commit');
  const id = await host.createComment(place, 'hello', signal);
  t.deepEqual(
    (await host.ownComments(place, signal)).map(({ body }) => body),
    ['hello'],
  );
  await host.editComment({ ...place, id }, 'bye', signal);
  t.is((await host.comment({ ...place, id }, signal))?.body, 'bye');
  await host.deleteComment({ ...place, id }, signal);
  await host.deleteComment({ ...place, id }, signal);
  t.is(await host.comment({ ...place, id }, signal), undefined);
});

test('a note of a project that is not visible any more is not taken for deleted', async (t) => {
  const { host } = aHost();
  const note = { repository: 'acme/apps/gone', number: 1, id: 1 };
  await t.throwsAsync(host.deleteComment(note, signal), {
    instanceOf: DefiniteError,
    message: /^GitLab: GET .*merge_requests\?per_page=1: HTTP 404: .*: check the path of the project/,
  });
});

test('notes of all changed merge requests are read since a time, oldest first', async (t) => {
  const { host, shop, clock, gitlab } = aHost();
  for (const number of [1, 2, 3]) shop.open(number);
  shop.comment(1, 'ann', 'old');
  await clock.advance(60_000);
  const since = clock.now();
  shop.comment(2, 'ann', 'first');
  await clock.advance(1_000);
  shop.comment(1, 'bob', 'second');
  gitlab.requests.length = 0;
  const found = await host.commentsSince(project, since, signal);
  t.deepEqual(
    found.map(({ number, author, body }) => [number, author, body]),
    [
      [2, 'ann', 'first'],
      [1, 'bob', 'second'],
    ],
  );
  t.is(gitlab.requests.length, 3);
});

test('a note that is written while others are read is left to the next look', async (t) => {
  const { host: _, shop, clock, gitlab } = aHost();
  for (const number of [1, 2]) shop.open(number);
  const since = clock.now();
  shop.comment(2, 'ann', 'before');
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await gitlab.fetch(input, init);
    if (String(input).includes('/1/notes')) {
      await clock.advance(5_000);
      shop.comment(1, 'bob', 'not seen yet');
      shop.comment(2, 'bob', 'meanwhile');
    }
    return answer;
  };
  const host = gitLab({ token: account.token, fetch, clock, concurrency: 1 });
  const bodies = async (from: number) => (await host.commentsSince(project, from, signal)).map(({ body }) => body);
  t.deepEqual(await bodies(since), ['before']);
  t.true((await bodies(since)).includes('not seen yet'));
});

test('a status is set and read, also a pending one in place of a pending one', async (t) => {
  const { host, shop } = aHost();
  const { sha } = shop.open(1);
  const commit = { repository: project, sha, context: 'preview' };
  t.is(await host.statusOf(commit, signal), undefined);
  await host.setStatus({ ...commit, context: 'other' }, { state: 'success', description: 'x' }, signal);
  for (const status of [
    { state: 'pending', description: 'one' },
    { state: 'pending', description: 'two' },
    { state: 'success', description: 'there', url: 'https://x.test' },
    { state: 'failure', description: 'gone' },
    { state: 'pending', description: 'again' },
  ] as const) {
    await host.setStatus(commit, status, signal);
    t.deepEqual(await host.statusOf(commit, signal), status);
  }
});

test('people may write from the role Developer on', async (t) => {
  const { host, shop } = aHost();
  shop.members.set('ann', 'write').set('bob', 'read').set('eve', 'admin');
  const may = (login: string) => host.mayWrite(project, login, signal);
  t.deepEqual(await Promise.all(['Ann', 'bob', 'eve', 'mallory', '../../x', ''].map(may)), [
    ...[true, false, true],
    ...[false, false, false],
  ]);
});

test('a refusal is reported in GitLab’s words, and a rate limit is waited for', async (t) => {
  const { host, gitlab, clock } = aHost();
  gitlab.faults.push(Response.json({ message: { base: ['is too much'] } }, { status: 403 }));
  await t.throwsAsync(host.pulls(project, signal), { name: 'DefiniteError', message: /is too much.*role Developer/ });
  const reset = `${Math.floor(clock.now() / 1000) + 30}`;
  const headers = { 'ratelimit-remaining': '0', 'ratelimit-reset': reset };
  gitlab.faults.push(new Response('Retry later', { status: 429, headers }));
  await t.throwsAsync(host.pulls(project, signal), { name: 'ThrottledError', message: /429/ });
  gitlab.requests.length = 0;
  await t.throwsAsync(host.pulls(project, signal), { name: 'ThrottledError', message: /asked to wait/ });
  t.is(gitlab.requests.length, 0);
});

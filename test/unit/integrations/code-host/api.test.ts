import test from 'ava';
import { codeHostApi } from '../../../../integrations/code-host/api.ts';
import { DefiniteError } from '../../../../sdk/index.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';

const { signal } = new AbortController();

/** An API whose answers are those of a function of the path and the query. */
const anApi = (answer: (url: URL) => unknown, asked: string[] = []) =>
  codeHostApi({
    vendor: 'Host',
    url: 'https://git.test/api',
    headers: {},
    sizeParameter: 'limit',
    advice: {},
    clock: createManualClock(),
    deadline: 1000,
    concurrency: 1,
    fetch: async (input) => {
      const url = new URL(String(input));
      asked.push(`${url.pathname}${url.search}`);
      const body = answer(url);
      return body === undefined ? Response.json({ message: 'none' }, { status: 404 }) : Response.json(body);
    },
  });
const pull = (number: number) => ({
  number,
  state: 'open',
  updated_at: '2026-01-01T00:00:00Z',
  head: { sha: 'a'.repeat(40), ref: 'b', repo: { full_name: 'a/b' } },
  base: { repo: { full_name: 'a/b' } },
});

test('a list that is short, or the same on each page, is read to its end', async (t) => {
  const short = anApi(({ searchParams }) =>
    [pull(1), pull(2), pull(3)].slice(Number(searchParams.get('page')) - 1).slice(0, 1),
  );
  t.deepEqual(
    (await short.pulls('a/b', signal)).map(({ number }) => number),
    [1, 2, 3],
  );
  const whole = anApi(() => [pull(1), pull(2)]);
  t.is((await whole.pulls('a/b', signal)).length, 2);
});

test('a list without an end is refused', async (t) => {
  const asked: string[] = [];
  const endless = anApi(({ searchParams }) => [pull(Number(searchParams.get('page')))], asked);
  await t.throwsAsync(endless.pulls('a/b', signal), { name: 'DefiniteError', message: /more than 3000/ });
  t.is(asked.length, 60);
});

test('of too many comments since the last look, the first are read, the others by the next one', async (t) => {
  const comment = (id: number) => ({ id, body: 'x', updated_at: '2026-01-01T00:00:00Z', issue_url: 'https://x/1' });
  const endless = anApi(({ searchParams }) => [comment(Number(searchParams.get('page')))]);
  t.is((await endless.commentsSince('a/b', 0, signal)).length, 60);
});

test('a pull request that cannot be read is not taken as closed', async (t) => {
  await t.throwsAsync(anApi(() => ({ ...pull(1), head: null })).pull('a/b', 1, signal), {
    message: /returned no pull request/,
  });
  t.is(await anApi(() => undefined).pull('a/b', 1, signal), undefined);
});

test('a comment is deleted by 204, or by 404 in a repository that is visible', async (t) => {
  const comment = { repository: 'a/b', number: 1, id: 7 };
  const asked: string[] = [];
  await anApi(({ pathname }) => (pathname.endsWith('/pulls') ? [] : undefined), asked).deleteComment(comment, signal);
  t.deepEqual(asked, ['/api/repos/a/b/issues/comments/7', '/api/repos/a/b/pulls?limit=50&page=1']);
  await t.throwsAsync(anApi(() => undefined).deleteComment(comment, signal), {
    instanceOf: DefiniteError,
    message: 'Host: GET /api/repos/a/b/pulls?limit=50&page=1: HTTP 404: none',
  });
  const error = await t.throwsAsync(anApi(() => ({ message: 'no' })).deleteComment(comment, signal), {
    message: 'Host: DELETE /repos/a/b/issues/comments/7: HTTP 200 instead of 204',
  });
  t.false(error instanceof DefiniteError);
});

test('names in paths are encoded', async (t) => {
  const asked: string[] = [];
  await anApi(() => ({}), asked).mayWrite('a/b', '../x?y', signal);
  t.deepEqual(asked, ['/api/repos/a/b/collaborators/..%2Fx%3Fy/permission']);
});

test('statuses are read to their end, however few a host gives at a time', async (t) => {
  const all = ['a', 'b', 'preview'].map((context) => ({ context, status: 'success', description: context }));
  const short = anApi(({ searchParams }) => {
    const at = Number(searchParams.get('page')) - 1;
    return { statuses: at < all.length ? [all[at]] : null };
  });
  const commit = { repository: 'a/b', sha: 'a'.repeat(40) };
  t.like(await short.statusOf({ ...commit, context: 'preview' }, signal), { description: 'preview' });
  t.is(await short.statusOf({ ...commit, context: 'other' }, signal), undefined);
});

test('where there is no pull request there are no comments; what cannot be read otherwise is reported', async (t) => {
  const place = { repository: 'a/b', number: 1 };
  /** Breaks where it is asked for comments, as Gitea does for those of no pull request. */
  const broken = (others: Readonly<Record<string, unknown>>) =>
    anApi(({ pathname }) => {
      if (pathname.endsWith('/comments')) throw new Error('the connection was cut');
      return { '/api/user': { login: 'me' }, ...others }[pathname];
    });
  t.deepEqual(await broken({ '/api/repos/a/b': {} }).ownComments(place, signal), []);
  for (const others of [{}, { '/api/repos/a/b': {}, '/api/repos/a/b/pulls/1': {} }])
    await t.throwsAsync(broken(others).ownComments(place, signal), { message: /the connection was cut/ });
});

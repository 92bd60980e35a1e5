import test from 'ava';
import fc from 'fast-check';
import {
  commentOf,
  deliveredOf,
  pullRequestOf,
  repositoryOf,
  statusIn,
} from '../../../../integrations/code-host/json.ts';

const sha = 'a'.repeat(40);
const repo = { full_name: 'Acme/Shop' };
const pull = {
  number: 1,
  state: 'open',
  updated_at: '2026-01-01T00:00:00Z',
  head: { sha, ref: 'b', repo },
  base: { repo },
  labels: [{ name: 'x' }, null],
};

test('a pull request is read as far as it is one', (t) => {
  t.like(pullRequestOf(pull), {
    number: 1,
    isOpen: true,
    isFork: false,
    labels: ['x'],
    updatedAt: Date.UTC(2026, 0, 1),
  });
  t.true(pullRequestOf({ ...pull, head: { ...pull.head, repo: null } })?.isFork);
  t.true(pullRequestOf({ ...pull, head: { ...pull.head, repo: { full_name: 'mallory/shop' } } })?.isFork);
  for (const strange of [
    { number: '1' },
    { number: 1.5 },
    { updated_at: 'x' },
    { head: { ...pull.head, sha: '$(x)' } },
    { head: null },
  ])
    t.is(pullRequestOf({ ...pull, ...strange }), undefined);
});

test('a comment of a pull request is read in GitHub’s and in Gitea’s words', (t) => {
  const comment = { id: 5, body: 'x', user: { login: 'ann' }, updated_at: '2026-01-01T00:00:00Z' };
  t.is(commentOf({ ...comment, issue_url: 'https://api.github.com/repos/a/b/issues/12' })?.number, 12);
  t.is(commentOf({ ...comment, issue_url: '', pull_request_url: 'https://git.test/a/b/pulls/12' })?.number, 12);
  t.is(commentOf({ ...comment, issue_url: 'https://x.test/12/x' }), undefined);
});

test('a status is found by its context, in both words', (t) => {
  const statuses = [
    { context: 'a', state: 'error', description: null },
    { context: 'b', status: 'success', target_url: 'https://x.test' },
  ];
  t.deepEqual(statusIn({ statuses }, 'a'), { state: 'failure', description: '' });
  t.deepEqual(statusIn({ statuses }, 'b'), { state: 'success', description: '', url: 'https://x.test' });
  t.is(statusIn({ statuses: null }, 'a'), undefined);
  t.is(statusIn({ statuses: [{ context: 'a', state: 'constructor' }] }, 'a')?.state, 'failure');
});

test('a delivery is about a pull request, or about nothing', (t) => {
  const found = { repository: 'acme/shop', number: 3 };
  t.deepEqual(deliveredOf({ repository: repo, pull_request: { number: 3 } }), found);
  t.deepEqual(deliveredOf({ repository: repo, issue: { number: 3, pull_request: { url: 'x' } } }), found);
  t.is(deliveredOf({ repository: repo, issue: { number: 3, pull_request: null } }), undefined);
  t.is(repositoryOf({ full_name: 'a/b/c' }), undefined);
});

test('no value makes reading fail', (t) => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      for (const read of [pullRequestOf, commentOf, repositoryOf, deliveredOf]) read(value);
      statusIn({ statuses: value }, 'x');
    }),
  );
  t.pass();
});

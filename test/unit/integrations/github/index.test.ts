import test from 'ava';
import { gitHub } from '../../../../integrations/github/index.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { gitHubStandIn } from './stand-in.ts';

const account = { token: 'a-token-that-nobody-sees', secret: 'a-secret-of-the-webhook', login: 'previewer' };
const { signal } = new AbortController();

function aHost() {
  const clock = createManualClock();
  const github = gitHubStandIn({ ...account, now: () => clock.now() });
  const { token, secret } = account;
  return {
    clock,
    github,
    shop: github.repository('Acme/Shop'),
    host: gitHub({ token, secret, fetch: github.fetch, clock }),
  };
}

test('pull requests of all pages are read, with where they come from', async (t) => {
  const { host, shop } = aHost();
  for (let number = 1; number <= 120; number += 1)
    shop.open(number, { from: number === 7 ? 'mallory/shop' : 'Acme/Shop' });
  shop.open(121, { from: null });
  const pulls = await host.pulls('acme/shop', signal);
  t.is(pulls.length, 121);
  t.deepEqual(
    pulls.filter(({ isFork }) => isFork).map(({ number }) => number),
    [121, 7],
  );
  t.is((await host.pull('acme/shop', 7, signal))?.branch, 'branch-7');
  t.is(await host.pull('acme/shop', 999, signal), undefined);
});

test('comments and statuses are made, found again and removed', async (t) => {
  const { host, shop } = aHost();
  const { sha } = shop.open(1);
  const place = { repository: 'acme/shop', number: 1 };
  shop.comment(1, 'mallory', 'mine');
  const id = await host.createComment(place, 'hello', signal);
  t.deepEqual(
    (await host.ownComments(place, signal)).map(({ body }) => body),
    ['hello'],
  );
  await host.editComment({ ...place, id }, 'bye', signal);
  t.is((await host.comment({ ...place, id }, signal))?.body, 'bye');
  t.deepEqual(
    (await host.commentsSince('acme/shop', 0, signal)).map(({ author }) => author),
    ['mallory', 'previewer'],
  );
  await host.deleteComment({ ...place, id }, signal);
  await host.deleteComment({ ...place, id }, signal);
  t.is(await host.comment({ ...place, id }, signal), undefined);
  const commit = { repository: 'acme/shop', sha, context: 'preview' };
  t.is(await host.statusOf(commit, signal), undefined);
  await host.setStatus(commit, { state: 'success', description: 'there', url: 'https://x.test' }, signal);
  t.deepEqual(await host.statusOf(commit, signal), { state: 'success', description: 'there', url: 'https://x.test' });
});

test('write permission is told from read', async (t) => {
  const { host, shop } = aHost();
  shop.members.set('ann', 'write').set('bob', 'read').set('eve', 'admin');
  const may = (login: string) => host.mayWrite('acme/shop', login, signal);
  t.deepEqual(await Promise.all(['ann', 'bob', 'eve', 'mallory', '../../x'].map(may)), [
    true,
    false,
    true,
    false,
    false,
  ]);
});

test('a refusal for other reasons stays one, and says what the token needs', async (t) => {
  const { host, github } = aHost();
  github.faults.push(Response.json({ message: 'Resource not accessible by personal access token' }, { status: 403 }));
  await t.throwsAsync(host.pulls('acme/shop', signal), {
    name: 'DefiniteError',
    message: /not accessible.*check option token/,
  });
});

test('without a secret no delivery is accepted', async (t) => {
  const { github } = aHost();
  const host = gitHub({ token: account.token, fetch: github.fetch });
  const { headers, body } = github.delivery('pull_request', {});
  await t.throwsAsync(host.delivery({ headers, body: Buffer.from(body) }), { name: 'UnsignedDeliveryError' });
});

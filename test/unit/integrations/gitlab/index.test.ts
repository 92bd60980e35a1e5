import test from 'ava';
import { gitLab } from '../../../../integrations/gitlab/index.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { signedHeaders } from './signed-headers.ts';
import { gitLabStandIn } from './stand-in.ts';

const account = { token: 'glpat-that-nobody-sees', login: 'project_1_bot', users: ['ann', 'bob', 'eve', 'mallory'] };
const secret = 'a-secret-of-the-webhook';
const key = Buffer.alloc(32, 7);
const signingToken = `whsec_${key.toString('base64')}`;
const project = 'acme/apps/shop';

function aHost(more: object = {}) {
  const clock = createManualClock();
  const gitlab = gitLabStandIn({ ...account, now: () => clock.now() });
  const host = gitLab({ token: account.token, fetch: gitlab.fetch, clock, ...more });
  return { clock, host };
}

const body = JSON.stringify({
  object_kind: 'merge_request',
  project: { path_with_namespace: 'Acme/Apps/Shop' },
  object_attributes: { iid: 3 },
});
const about = { repository: project, number: 3 };

test('a delivery is trusted if it bears the token', async (t) => {
  const { host } = aHost({ secret });
  const read = (headers: Record<string, string>) => host.delivery({ headers, body: Buffer.from(body) });
  const right = { 'x-gitlab-token': secret, 'x-gitlab-event-uuid': 'one' };
  t.deepEqual(await read(right), { id: 'one', ...about });
  t.deepEqual(await read({ ...right, 'idempotency-key': 'two' }), { id: 'two', ...about });
  for (const wrong of ['', `${secret}x`, secret.slice(1), secret.toUpperCase()])
    await t.throwsAsync(read({ ...right, 'x-gitlab-token': wrong }), { name: 'UnsignedDeliveryError' });
  await t.throwsAsync(aHost().host.delivery({ headers: right, body: Buffer.from(body) }), {
    name: 'UnsignedDeliveryError',
  });
});

test('a delivery is trusted if it was signed lately, and with both options bears both', async (t) => {
  const { host, clock } = aHost({ signingToken });
  const read = (headers: Record<string, string>, content = body, by = host) =>
    by.delivery({ headers, body: Buffer.from(content) });
  const right = signedHeaders(key, body, clock.now());
  t.deepEqual(await read(right), { id: 'one', ...about });
  const { 'webhook-signature': signature = '' } = right;
  t.deepEqual(await read({ ...right, 'webhook-signature': `v1,AAAA v2,x ${signature}` }), { id: 'one', ...about });
  for (const [headers, content] of [
    [{ ...right, 'webhook-signature': signature.replace('v1,', 'v2,') }, body],
    [{ ...right, 'webhook-signature': '' }, body],
    [{ ...right, 'webhook-id': 'two' }, body],
    [{ ...right, 'webhook-timestamp': 'now' }, body],
    [signedHeaders(key, body, clock.now() - 301_000), body],
    [signedHeaders(key, body, clock.now() + 301_000), body],
    [signedHeaders(Buffer.alloc(32), body, clock.now()), body],
    [right, `${body} `],
  ] as const)
    await t.throwsAsync(read(headers, content), { name: 'UnsignedDeliveryError' });
  const both = aHost({ signingToken, secret }).host;
  await t.throwsAsync(read(right, body, both), { name: 'UnsignedDeliveryError', message: /token/ });
  t.deepEqual(await read({ ...right, 'x-gitlab-token': secret }, body, both), { id: 'one', ...about });
});

test('a wrong signing token is refused, and not shown', (t) => {
  for (const wrong of ['whsec_', 'abc', `whsec_${'!'.repeat(44)}`, 7]) {
    const error = t.throws(() => aHost({ signingToken: wrong }), {
      instanceOf: TypeError,
      message: /signingToken must be/,
    });
    t.false(error?.message.includes('!!'));
  }
  t.is(aHost({ url: 'https://git.acme.test/api/v4' }).host.name, 'git.acme.test');
  t.deepEqual(aHost({ signingToken, secret }).host.secrets, [account.token, secret, signingToken]);
});

test('options that are missing are reported by name', (t) => {
  t.throws(() => gitLab(undefined as never), { instanceOf: TypeError, message: /^gitLab: / });
});

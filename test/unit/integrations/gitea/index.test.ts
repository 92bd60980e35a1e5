import { createHmac } from 'node:crypto';
import test from 'ava';
import { gitea } from '../../../../integrations/gitea/index.ts';

const [token, secret] = ['a-token-that-nobody-sees', 'a-secret-of-the-webhook'];
const { signal } = new AbortController();

test('requests are authorized in Gitea’s way, at its address, with its parameters', async (t) => {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    asked.push(`${input} ${new Headers(init?.headers).get('authorization')}`);
    return Response.json([]);
  };
  const host = gitea({ url: 'https://git.acme.test/api/v1', token, fetch });
  t.is(host.name, 'git.acme.test');
  await host.pulls('acme/shop', signal);
  t.deepEqual(asked, [`https://git.acme.test/api/v1/repos/acme/shop/pulls?state=open&limit=50&page=1 token ${token}`]);
});

test('what is not a list says nothing about comments, and is reported', async (t) => {
  const answers = [Response.json({ login: 'me' }), Response.json({ comments: [] })];
  const fetch: typeof globalThis.fetch = async () => answers.shift() ?? Response.json({});
  const host = gitea({ url: 'https://git.acme.test/api/v1', token, fetch });
  await t.throwsAsync(host.ownComments({ repository: 'acme/shop', number: 1 }, signal), {
    message: 'Gitea: GET /repos/acme/shop/issues/1/comments: returned no list',
  });
});

test('an address is needed', (t) => {
  t.throws(() => gitea({ token }), { message: /gitea: url must be an address/ });
});

test('a delivery is trusted if its body bears the signature, in lower case hexadecimal digits', async (t) => {
  const host = gitea({ url: 'https://git.acme.test/api/v1', token, secret });
  const body = Buffer.from(JSON.stringify({ repository: { full_name: 'Acme/Shop' }, pull_request: { number: 3 } }));
  const right = createHmac('sha256', secret).update(body).digest('hex');
  const read = (signature: string, content = body) =>
    host.delivery({ headers: { 'x-gitea-delivery': 'one', 'x-gitea-signature': signature }, body: content });
  t.deepEqual(await read(right), { id: 'one', repository: 'acme/shop', number: 3 });
  for (const wrong of [
    '',
    right.toUpperCase(),
    right.slice(2),
    `${right}00`,
    right.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  ])
    await t.throwsAsync(read(wrong), { name: 'UnsignedDeliveryError' });
  await t.throwsAsync(read(right, Buffer.from(`${body} `)), { name: 'UnsignedDeliveryError' });
  await t.throwsAsync(gitea({ url: 'https://git.acme.test/api/v1', token }).delivery({ headers: {}, body }), {
    name: 'UnsignedDeliveryError',
  });
});

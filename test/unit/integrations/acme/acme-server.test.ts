import test from 'ava';
import { accountKeyOf } from '../../../../integrations/acme/account-key.ts';
import {
  AcmeRefusal,
  type AcmeServerOptions,
  acmeServer,
  problemWords,
} from '../../../../integrations/acme/acme-server.ts';
import { DefiniteError, systemClock, ThrottledError } from '../../../../sdk/index.ts';
import { AcmeServerInMemory, origin } from './fixtures/a-server.ts';
import { accountKey } from './fixtures/subject.ts';

const { signal } = new AbortController();
type Fetch = typeof globalThis.fetch;

/** A server in memory as the protocol sees it, and what is asked of it. */
function aServer(wrap: (fetch: Fetch) => Fetch = (fetch) => fetch, more: Partial<AcmeServerOptions> = {}) {
  const memory = new AcmeServerInMemory({ clock: systemClock, texts: () => [] });
  const asked: string[] = [];
  const fetch: Fetch = async (input, init) => {
    asked.push(`${init?.method} ${String(input).slice(origin.length)}`);
    return memory.fetch(input, init);
  };
  const server = acmeServer({
    ...{
      directory: `${origin}/dir`,
      accountKey: accountKeyOf(accountKey)!,
      email: undefined,
      externalAccount: undefined,
    },
    ...{ fetch: wrap(fetch), clock: systemClock, deadline: 1_000, concurrency: 4 },
    ...more,
  });
  return { memory, asked, server };
}

const order = { url: `${origin}/orders`, payload: { identifiers: [{ type: 'dns', value: 'a.example.test' }] }, signal };
const problem = (status: number, type: string, headers: Record<string, string> = {}) =>
  Response.json({ type: `urn:ietf:params:acme:error:${type}`, detail: 'because' }, { status, headers });

test('directory and account are asked for once, and nonces are used again', async (t) => {
  const { memory, asked, server } = aServer();
  await server.request(order);
  await server.request(order);
  t.deepEqual(asked, ['GET /dir', 'POST /account', 'POST /orders', 'POST /orders']);
  t.is(memory.accounts, 1);
  await acmeServer({
    ...{
      directory: `${origin}/dir`,
      accountKey: accountKeyOf(accountKey)!,
      email: 'a@example.test',
      externalAccount: undefined,
    },
    ...{ fetch: memory.fetch, clock: systemClock, deadline: 1_000, concurrency: 4 },
  }).request(order);
  t.is(memory.accounts, 1);
});

test('a request whose nonce is not taken is signed anew, a few times', async (t) => {
  const refused = { left: 2 };
  const { server } = aServer((fetch) => async (input, init) => {
    if (!String(input).endsWith('/orders') || refused.left === 0) return fetch(input, init);
    refused.left -= 1;
    return problem(400, 'badNonce', { 'replay-nonce': 'unknown' });
  });
  await server.request(order);
  refused.left = Number.POSITIVE_INFINITY;
  await t.throwsAsync(server.request(order), {
    instanceOf: AcmeRefusal,
    message: 'ACME: POST /orders: because (badNonce)',
  });
});

for (const [what, isTold, asks] of [
  ['that of the refusal', true, ['POST /orders', 'POST /orders']],
  ['one that is asked for, where the refusal has none', false, ['POST /orders', 'HEAD /nonce', 'POST /orders']],
] as const)
  test(`when kept nonces have expired, the next one is ${what}`, async (t) => {
    const { memory, asked, server } = aServer((fetch) => async (input, init) => {
      const answer = await fetch(input, init);
      if (answer.status === 400 && !isTold) answer.headers.delete('replay-nonce');
      return init?.method === 'GET' && answer.body === null ? Response.json({}, { headers: answer.headers }) : answer;
    });
    await server.request(order);
    for (let count = 0; count < 30; count += 1) await server.read(`${origin}/nonce`, signal);
    memory.nonces.clear();
    asked.length = 0;
    await server.request(order);
    t.deepEqual(asked, asks);
  });

test('a URL of another server is not asked, and what is signed is not sent there', async (t) => {
  const { asked, server } = aServer();
  await server.request(order);
  const { length } = asked;
  for (const url of ['https://elsewhere.example/order/1', 'http://ca.example.test/order/1', 'no url']) {
    await t.throwsAsync(server.request({ url, signal }), {
      instanceOf: DefiniteError,
      message: /is not a URL of https:\/\/ca.example.test/,
    });
    await t.throwsAsync(server.read(url, signal), { instanceOf: DefiniteError });
  }
  t.is(asked.length, length);
});

test('a refusal has its type and words, and those of the names', async (t) => {
  const { server, memory } = aServer();
  memory.refused.add('a.example.test');
  const error = await t.throwsAsync(server.request(order), { instanceOf: AcmeRefusal });
  t.like(error, { status: 403, problem: 'rejectedIdentifier' });
  t.is(
    problemWords({
      type: 'urn:ietf:params:acme:error:compound',
      detail: 'two\nproblems',
      subproblems: [{ detail: 'no', identifier: { value: 'a' } }],
    }),
    'two problems; a: no (compound)',
  );
  t.is(problemWords({ detail: 'x'.repeat(1_000) })?.length, 301);
  for (const none of [undefined, 'text', {}, { detail: 7 }, []]) t.is(problemWords(none), undefined);
});

test('an authority that asks for patience is left alone for as long', async (t) => {
  const { asked, server } = aServer(
    (fetch) => async (input, init) =>
      String(input).endsWith('/orders') ? problem(429, 'rateLimited', { 'retry-after': '120' }) : fetch(input, init),
  );
  const error = await t.throwsAsync(server.request(order), {
    instanceOf: ThrottledError,
    message: /because \(rateLimited\)/,
  });
  t.is((error as ThrottledError).retryAfter, 120_000);
  const { length } = asked;
  await t.throwsAsync(server.request(order), { instanceOf: ThrottledError, message: /asked to wait/ });
  t.is(asked.length, length);
});

test('the outcome of a request that broke off, or that the server failed at, is not known', async (t) => {
  for (const fail of [() => new Response('', { status: 500 }), () => Promise.reject(new TypeError('fetch failed'))]) {
    const { server } = aServer(
      (fetch) => async (input, init) => (String(input).endsWith('/orders') ? fail() : fetch(input, init)),
    );
    const error = await t.throwsAsync(server.request(order));
    t.false(error instanceof DefiniteError || error instanceof ThrottledError);
  }
});

test('an account that the server has forgotten is made again', async (t) => {
  const forgets = { next: false };
  const { asked, server } = aServer((fetch) => async (input, init) => {
    if (!forgets.next) return fetch(input, init);
    forgets.next = false;
    return problem(400, 'accountDoesNotExist');
  });
  await server.request(order);
  forgets.next = true;
  await t.throwsAsync(server.request(order), { message: /accountDoesNotExist/ });
  await server.request(order);
  t.is(asked.filter((one) => one === 'POST /account').length, 2);
});

test('what is not a directory is reported, and asked for again', async (t) => {
  const answers = [Response.json({ hello: 'world' }), new Response('', { status: 404 })];
  const { server } = aServer((fetch) => async (input, init) => answers.shift() ?? fetch(input, init));
  for (let count = 0; count < 2; count += 1)
    await t.throwsAsync(server.request(order), {
      instanceOf: DefiniteError,
      message: /is not a directory of an ACME server: check option directory/,
    });
  await server.request(order);
  t.is(await server.resource('keyChange', signal), undefined);
});

test('the account is made with address and external account', async (t) => {
  const bodies: string[] = [];
  const externalAccount = { kid: 'kid-1', hmacKey: 'a2V5LW9mLXRoZS1hdXRob3JpdHk' };
  const { server } = aServer(
    (fetch) => async (input, init) => {
      if (String(input).endsWith('/account')) bodies.push(String(init?.body));
      return fetch(input, init);
    },
    { email: 'ops@example.test', externalAccount },
  );
  await server.request(order);
  const { payload } = JSON.parse(bodies[0]!) as { payload: string };
  const account = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
    externalAccountBinding: { protected: string };
  };
  t.like(account, { termsOfServiceAgreed: true, contact: ['mailto:ops@example.test'] });
  const header = JSON.parse(Buffer.from(account.externalAccountBinding.protected, 'base64url').toString()) as object;
  t.deepEqual(header, { alg: 'HS256', kid: 'kid-1', url: `${origin}/account` });
});

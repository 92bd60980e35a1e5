import { request as send } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { gitHub } from '../../../../integrations/github/index.ts';
import { createWebhookServer } from '../../../../integrations/previews/webhook-server.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { gitHubStandIn } from '../github/stand-in.ts';
import { account } from './a-preview-world.ts';

const payload = { repository: { full_name: 'Acme/Shop' }, pull_request: { number: 7 } };

async function aServer(t: ExecutionContext) {
  const clock = createManualClock();
  const github = gitHubStandIn({ ...account, now: () => clock.now() });
  const { token, secret } = account;
  const delivered: string[] = [];
  const logged: string[] = [];
  const stop = new AbortController();
  const logger = { info: () => {}, warn: (about: object) => void logged.push(JSON.stringify(about)) };
  const server = createWebhookServer({
    host: gitHub({ token, secret, fetch: github.fetch, clock }),
    port: 0,
    address: '127.0.0.1',
    clock,
    logger,
    onDelivery: ({ repository, number }) => {
      delivered.push(`${repository}#${number}`);
      return repository === 'acme/shop';
    },
  });
  const running = server.run(stop.signal);
  t.teardown(async () => {
    stop.abort();
    await running;
  });
  const url = `http://127.0.0.1:${await server.listening}`;
  const post = async (headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>, path = '/webhook') =>
    (await fetch(`${url}${path}`, { method: 'POST', headers, body })).status;
  return { github, delivered, logged, url, post };
}

test('a signed delivery is handed on once; its replay and those of other repositories and events are not', async (t) => {
  const { github, delivered, post } = await aServer(t);
  const first = github.delivery('pull_request', payload, 'one');
  t.is(await post(first.headers, first.body), 202);
  t.is(await post(first.headers, first.body), 200);
  const foreign = github.delivery('pull_request', { ...payload, repository: { full_name: 'mallory/x' } }, 'two');
  t.is(await post(foreign.headers, foreign.body), 200);
  const ping = github.delivery('ping', { zen: 'Keep it logically awesome.', repository: payload.repository }, 'three');
  t.is(await post(ping.headers, ping.body), 200);
  t.deepEqual(delivered, ['acme/shop#7', 'mallory/x#7']);
});

test('what is not signed is refused, and fills no log', async (t) => {
  const { github, delivered, logged, post } = await aServer(t);
  const { headers, body } = github.delivery('pull_request', payload);
  const { 'x-hub-signature-256': signature = '', ...unsigned } = headers;
  for (const bad of ['', 'sha256=', `${signature}0`, signature.replace('sha256', 'sha1'), signature.toUpperCase()])
    t.is(await post({ ...unsigned, 'x-hub-signature-256': bad }, body), 401, bad);
  t.is(await post(unsigned, body), 401);
  t.is(await post(headers, `${body} `), 401);
  t.is(await post(headers, ''), 401);
  t.is(await post(headers, new Uint8Array([0xff, 0xfe])), 401);
  t.deepEqual([delivered, logged.length], [[], 1]);
});

test('a signed body that is not a delivery is refused', async (t) => {
  const { github, delivered, post } = await aServer(t);
  const { headers } = github.delivery('pull_request', payload);
  const signed = (text: string) => {
    const { createHmac } = process.getBuiltinModule('node:crypto');
    const signature = `sha256=${createHmac('sha256', account.secret).update(text).digest('hex')}`;
    return post({ ...headers, 'x-hub-signature-256': signature, 'x-github-delivery': text.slice(0, 9) }, text);
  };
  t.is(await signed('payload=%7B%7D'), 401);
  for (const text of [
    'null',
    '[]',
    '{"repository":{"full_name":"a/b"},"pull_request":{"number":"7"}}',
    '{"pull_request":{"number":7}}',
  ])
    t.is(await signed(text), 200, text);
  t.deepEqual(delivered, []);
});

test('ten megabytes are refused, announced or not', async (t) => {
  const { github, delivered, url, post } = await aServer(t);
  const { headers } = github.delivery('pull_request', payload);
  t.is(await post(headers, Buffer.alloc(10 * 2 ** 20, 'x')).catch(() => 413), 413);
  const status = await new Promise<number | undefined>((resolve) => {
    const request = send(`${url}/webhook`, { method: 'POST', headers: { ...headers, 'transfer-encoding': 'chunked' } });
    request.on('response', ({ statusCode }) => resolve(statusCode));
    request.on('error', () => resolve(413));
    for (let chunk = 0; chunk < 160; chunk += 1) request.write(Buffer.alloc(2 ** 16, 'x'));
    request.end();
  });
  t.is(status, 413);
  t.deepEqual(delivered, []);
  const small = github.delivery('pull_request', payload, 'after');
  t.is(await post(small.headers, small.body), 202);
});

test('other paths and methods are not there', async (t) => {
  const { url, post } = await aServer(t);
  t.is(await post({}, 'x', '/'), 404);
  t.is((await fetch(`${url}/webhook`)).status, 405);
});

import { request } from 'node:http';
import test from 'ava';
import { accessByToken } from '../../../../sequencer/page/page-access.ts';
import { createPageServer } from '../../../../sequencer/page/page-server.ts';
import { aPage, aStored, messagesOf, token, told } from './a-page.ts';

test('the page comes with a strict policy, and is not sent twice', async (t) => {
  const { ask } = await aPage(t);
  const first = await ask('/');
  t.is(first.status, 200);
  t.regex(first.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  t.is(first.headers.get('x-content-type-options'), 'nosniff');
  const again = await ask('/', { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
  t.is(again.status, 304);
  t.is((await ask('/page.js')).headers.get('content-type'), 'text/javascript; charset=utf-8');
  t.is((await ask('/other.js')).status, 404);
  t.is((await ask('/../package.json')).status, 404);
});

test('workspaces are reported live, with their events, and without secrets', async (t) => {
  const { ask, client } = await aPage(t);
  await aStored(client, 'shop', {
    phase: 'Error',
    conditions: [
      { type: 'DNS', status: 'Error', reason: 'refused: hunter2', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ],
  });
  const answer = await ask('/api/live?workspace=default%2Fshop');
  t.is(answer.headers.get('content-type'), 'text/event-stream');
  const messages = messagesOf(answer);
  t.like(await told(messages, 'session'), { viewer: 'you', mode: 'dev', controls: [], plans: false });
  const view = await told(messages, 'workspace', (value) => value?.conditions[0]?.status === 'Error');
  t.is(view?.conditions[0]?.reason, 'refused: ***');
  await aStored(client, 'blog');
  const rows = await told(messages, 'rows', ({ changed }) => changed.some(({ key }) => key === 'default/blog'));
  t.notRegex(JSON.stringify(rows), /hunter2/);
  await messages.return(undefined);
});

test('a token that is wrong, and a foreign Host, get nothing', async (t) => {
  const { ask, address } = await aPage(t);
  const wrong = await ask('/api/live', { headers: { authorization: 'Bearer wrong-wrong-wrong' } });
  t.deepEqual([wrong.status, wrong.headers.get('www-authenticate')], [401, 'Bearer']);
  const status = await new Promise((resolve, reject) => {
    const asking = request(address, { headers: { host: 'evil.example' } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asking.once('error', reject).end();
  });
  t.is(status, 421);
});

test('a page whose client may not list workspaces says so instead of waiting', async (t) => {
  const refused = { ...(await aPage(t)).source, firstResult: async () => 'may not list: hunter2' };
  const { ask } = await aPage(t, { source: refused });
  const answer = await ask('/api/live');
  t.deepEqual([answer.status, (await answer.text()).trim()], [503, 'may not list: ***']);
});

test('actions are done, and their errors told without secrets', async (t) => {
  const asked: (string | undefined)[] = [];
  const { ask } = await aPage(t, {
    actions: {
      'control/kill': async (workspace) => {
        asked.push(workspace);
        return { message: 'killed' };
      },
      plan: async () => {
        throw new Error('hunter2 is wrong');
      },
    },
  });
  const done = await ask('/api/control/kill?workspace=a%2Fb', { method: 'POST' });
  t.deepEqual([done.status, await done.json(), asked], [200, { message: 'killed' }, ['a/b']]);
  const failed = await ask('/api/plan', { method: 'POST' });
  t.deepEqual([failed.status, await failed.text()], [503, '*** is wrong\n']);
  const foreign = await ask('/api/control/kill', { method: 'POST', headers: { origin: 'https://evil.example' } });
  t.deepEqual([foreign.status, asked.length], [403, 1]);
});

test('a page that takes no more streams says so, and takes one when another has ended', async (t) => {
  const { ask } = await aPage(t);
  const open = await Promise.all(Array.from({ length: 16 }, () => ask('/api/live')));
  t.true(open.every(({ status }) => status === 200));
  t.is((await ask('/api/live')).status, 503);
  await open[0]?.body?.cancel();
  let status = 503;
  while (status === 503) ({ status } = await ask('/api/live'));
  t.is(status, 200);
});

test('the end of the page ends its streams', async (t) => {
  const { ask, stop, running } = await aPage(t);
  const messages = messagesOf(await ask('/api/live'));
  await told(messages, 'rows');
  stop.abort();
  await running;
  await t.throwsAsync(told(messages, 'rows'));
});

test('a port that is taken is reported', async (t) => {
  const { address, source, client } = await aPage(t);
  const server = createPageServer({
    port: Number(new URL(address).port),
    mode: 'dev',
    access: { admit: async () => undefined },
    source: { ...source, run: async () => undefined },
    client,
    integrations: () => [],
    process: () => {
      throw new Error('not asked');
    },
    redact: (text) => text,
  });
  await t.throwsAsync(server.run(new AbortController().signal), { code: 'EADDRINUSE' });
});

test('pages that are closed while the workspaces are not known yet leave room for others', async (t) => {
  const never = Promise.withResolvers<void>();
  const { source, client } = await aPage(t);
  const server = createPageServer({
    port: 0,
    mode: 'dev',
    access: accessByToken(token),
    source: { ...source, run: async () => undefined, firstResult: () => never.promise.then(() => undefined) },
    client,
    integrations: () => [],
    process: () => {
      throw new Error('not asked');
    },
    redact: (text) => text,
  });
  const stop = new AbortController();
  const running = server.run(stop.signal);
  const address = `http://127.0.0.1:${await server.listening}/api/live`;
  const headers = { authorization: `Bearer ${token}` };
  const closed = new AbortController();
  const open = Array.from({ length: 16 }, () => fetch(address, { headers, signal: closed.signal }));
  let refused = await Promise.race([fetch(address, { headers }), ...open]);
  t.is(refused.status, 503);
  closed.abort();
  await Promise.allSettled(open);
  for (let isTaken = false; !isTaken; ) {
    const next = fetch(address, { headers }).then((answer) => {
      refused = answer;
      isTaken = answer.status === 200;
      return answer;
    });
    const root = new URL('/', address);
    const other = fetch(root).then(() => fetch(root));
    if ((await Promise.race([next, other.then(() => undefined)])) === undefined) {
      never.resolve();
      await next;
    }
  }
  t.is(refused.status, 200);
  stop.abort();
  await running;
});

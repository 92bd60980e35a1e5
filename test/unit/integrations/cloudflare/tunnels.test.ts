import test from 'ava';
import { cloudflareTunnels } from '../../../../integrations/cloudflare/tunnels.ts';
import { DefiniteError, ExternalAlreadyExistsError, systemClock } from '../../../../sdk/index.ts';
import { cloudflareStandIn } from './fixtures/stand-in.ts';
import { account, accountId } from './fixtures/subject.ts';

const { signal } = new AbortController();
const id = '00000000-0000-4000-8000-000000000001';
const clientOf = (fetch: typeof globalThis.fetch, token = account.token) =>
  cloudflareTunnels({
    ...{ url: 'https://cf.test/client/v4', token, accountId, fetch },
    ...{ clock: systemClock, deadline: 5_000, concurrency: 1 },
  });
const answering = (body: unknown, status = 200) => clientOf(async () => Response.json(body, { status }));

/** A client with its third party. */
function anAccount() {
  const { fetch, tunnels } = cloudflareStandIn({ ...account, accountId });
  return { tunnels, client: clientOf(fetch) };
}

test('a tunnel is created once, found by its name, configured, renamed and deleted', async (t) => {
  const { tunnels, client } = anAccount();
  t.is(await client.find('ws-1', signal), undefined);
  const made = await client.create('ws-1', signal);
  t.deepEqual(await client.find('ws-1', signal), made);
  await t.throwsAsync(client.create('ws-1', signal), {
    instanceOf: ExternalAlreadyExistsError,
    message: /1013 You already have a tunnel with this name/,
  });
  t.is(await client.tokenOf(made.id, signal), tunnels.tokenOf(tunnels.all[0]!));
  t.deepEqual(await client.rulesOf(made.id, signal), []);
  const rules = [{ hostname: 'a.test', service: 'http://web.team.svc:80' }, { service: 'http_status:404' }];
  await client.configure(made.id, rules, signal);
  t.deepEqual(await client.rulesOf(made.id, signal), rules);
  await client.rename(made.id, 'ws-2', signal);
  t.deepEqual(await client.read(made.id, signal), { id: made.id, name: 'ws-2' });
  t.is(await client.delete(made.id, signal), 'gone');
  t.is(await client.read(made.id, signal), undefined);
  t.is(await client.find('ws-2', signal), undefined);
  t.is(await client.delete(made.id, signal), 'gone');
  t.is((await client.create('ws-2', signal)).name, 'ws-2');
});

test('connections are closed before a tunnel is deleted; one that comes back is waited for', async (t) => {
  const { fetch, tunnels } = cloudflareStandIn({ ...account, accountId });
  const { id: connected } = await clientOf(fetch).create('ws-1', signal);
  tunnels.edit(connected, { connections: 2 });
  const reconnecting: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (String(input).endsWith('/connections')) tunnels.edit(connected, { connections: 1 });
    return answer;
  };
  t.is(await clientOf(reconnecting).delete(connected, signal), 'deleting');
  t.is(tunnels.all.length, 1);
  t.is(await clientOf(fetch).delete(connected, signal), 'gone');
  t.is(tunnels.all.length, 0);
});

test('a refusal is reported with codes and what to check', async (t) => {
  const { fetch } = cloudflareStandIn({ ...account, accountId });
  await t.throwsAsync(clientOf(fetch, 'a-wrong-token').create('ws-1', signal), {
    instanceOf: DefiniteError,
    message: /HTTP 403: 10000 Authentication error: check options token and accountId: .*Cloudflare Tunnel: Edit/,
  });
  const errors = [{ code: 1000, message: 'no' }];
  const locked = clientOf(async (_, init) =>
    init?.method === 'DELETE' && String(_).endsWith(id)
      ? Response.json({ success: false, errors }, { status: 409 })
      : Response.json({ success: true, result: null }),
  );
  await t.throwsAsync(locked.delete(id, signal), { instanceOf: DefiniteError, message: /HTTP 409: 1000 no/ });
});

test('an account that is not there is refused, and its tunnels are not taken for deleted', async (t) => {
  const errors = [{ code: 7003, message: 'Could not route to /accounts/x' }];
  const client = answering({ success: false, errors }, 404);
  for (const act of [client.read(id, signal), client.rulesOf(id, signal), client.delete(id, signal)])
    await t.throwsAsync(act, { instanceOf: DefiniteError, message: /7003 Could not route.*check options accountId/ });
});

for (const [what, answer] of [
  ['an empty success', () => new Response('')],
  ['a success of another server', () => Response.json({ id })],
  ['an error with status 200', () => Response.json({ success: false, errors: [{ code: 10000, message: 'no' }] })],
  ['a 404 of another server', () => new Response('<html>', { status: 404 })],
  ['a 404 without an error', () => Response.json({ message: 'Not Found' }, { status: 404 })],
] as const)
  test(`a tunnel is not taken for deleted by ${what}`, async (t) => {
    const error = { instanceOf: Error, message: /^Cloudflare: .*(returned no success|check options accountId)/ };
    await t.throwsAsync(clientOf(async () => answer()).delete(id, signal), error);
    const atLast = clientOf(async (url) =>
      String(url).endsWith('/connections') ? Response.json({ success: true, result: null }) : answer(),
    );
    await t.throwsAsync(atLast.delete(id, signal), error);
  });

for (const [what, act] of [
  ['no tunnel', (body: unknown) => answering(body).read(id, signal)],
  ['no list', (body: unknown) => answering(body).find('ws-1', signal)],
  ['no token', (body: unknown) => answering(body).tokenOf(id, signal)],
  ['no created tunnel', (body: unknown) => answering(body).create('ws-1', signal)],
] as const)
  test(`an answer that is ${what} is an error, and no statement`, async (t) => {
    for (const result of [null, 7, { id: '../x', name: 'ws-1' }, { id }, [{ id: 7 }]]) {
      const error = await t.throwsAsync(act({ success: true, result }), {
        message: /^Cloudflare: returned no|without id/,
      });
      t.false(error instanceof DefiniteError);
    }
  });

test('a name for which more is listed than can be read is an error; other names are not taken for it', async (t) => {
  const result = Array.from({ length: 100 }, () => ({ id, name: 'ws-10' }));
  await t.throwsAsync(answering({ success: true, result }).find('ws-1', signal), { message: /more than 1000 tunnels/ });
  t.is(await answering({ success: true, result: result.slice(1) }).find('ws-1', signal), undefined);
});

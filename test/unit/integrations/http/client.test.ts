import test from 'ava';
import { clientOf, HookMissingError, hooksClient } from '../../../../integrations/http/client.ts';
import { checkedClientOptions } from '../../../../integrations/http/options.ts';
import { ContractError, DefiniteError, ExternalAlreadyExistsError, ThrottledError } from '../../../../sdk/index.ts';
import { createManualClock } from '../../../cluster/index.ts';
import { hooksStandIn } from './stand-in.ts';
import { boxOptions, secret } from './subject.ts';

const { name, url } = boxOptions;
const { signal } = new AbortController();
const owner = { uid: 'u', namespace: 'n', workspace: 'w', condition: 'Box', mark: 'u/Box/' };

const clientThat = (answer: (init: RequestInit) => Response | Promise<Response>, options: object = {}) =>
  clientOf(checkedClientOptions({ name, url, secret, fetch: async (_, init = {}) => answer(init), ...options }));

test('a request is a signed POST that says its protocol and function, which a strict server takes', async (t) => {
  const clock = createManualClock();
  const server = hooksStandIn({ secret, identity: 'name', clock });
  const client = hooksClient({ name, url, secret, clock, fetch: server.fetch });
  const { id } = await client.call('create', { owner, key: 'k', wanted: { size: 1 } }, signal);
  t.deepEqual(id, { id: 'box-of-u/Box/' });
  t.deepEqual(await client.call('observe', { owner, id }, signal), { state: { size: 1 }, mark: owner.mark });
  t.deepEqual(await client.call('delete', { owner, id }, signal), { gone: true });
});

test('a server that knows one of two secrets takes what is signed with both; with another one it is a refusal', async (t) => {
  const clock = createManualClock();
  const server = hooksStandIn({ secret, identity: 'name', clock });
  const other = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  const both = hooksClient({ name, url, secret: [other, secret], clock, fetch: server.fetch });
  t.deepEqual(await both.call('find', { owner }, signal), { id: null });
  const wrong = hooksClient({ name, url, secret: other, clock, fetch: server.fetch });
  await t.throwsAsync(wrong.call('find', { owner }, signal), {
    instanceOf: DefiniteError,
    message: 'acme-box: find: HTTP 401: wrong signature',
  });
});

const refusal = (effect: string, more = {}) => ({ error: { effect, message: 'the box is locked\nfor now', ...more } });

for (const [what, answer, expected, message] of [
  [
    'a refusal without effect',
    () => Response.json(refusal('none'), { status: 422 }),
    DefiniteError,
    'acme-box: create: HTTP 422: the box is locked for now',
  ],
  [
    'a thing that exists',
    () => Response.json(refusal('none', { reason: 'exists' }), { status: 409 }),
    ExternalAlreadyExistsError,
    'acme-box: create: HTTP 409: the box is locked for now',
  ],
  [
    'an unknown function',
    () => Response.json(refusal('none', { reason: 'unknown-function' }), { status: 404 }),
    HookMissingError,
    'acme-box: create: HTTP 404: the box is locked for now',
  ],
  ['patience', () => Response.json({}, { status: 429, headers: { 'retry-after': '7' } }), ThrottledError, /HTTP 429/],
] as const)
  test(`${what}: nothing has happened`, async (t) => {
    const client = clientThat(answer);
    const error = await t.throwsAsync(client.call('create', { owner }, signal));
    t.true(error instanceof expected);
    if (typeof message === 'string') t.is(error?.message, message);
    else t.regex(error?.message ?? '', message);
  });

for (const [what, answer, message] of [
  [
    'a refusal that has had an effect',
    () => Response.json(refusal('unknown'), { status: 409 }),
    /HTTP 409: the box is locked/,
  ],
  [
    'a page of a proxy',
    () => new Response('<h1>Forbidden</h1>', { status: 403 }),
    /HTTP 403 without \{ error: .* not known what has happened/,
  ],
  [
    'another body',
    () => Response.json({ error: 'no' }, { status: 400 }),
    /HTTP 400 without .*error: .*expected object/,
  ],
  ['500, whatever its body says', () => Response.json(refusal('none'), { status: 500 }), /HTTP 500: the box is locked/],
  ['503 without a time', () => new Response(null, { status: 503 }), /HTTP 503/],
  ['a text', () => new Response('done'), /not JSON/],
  ['two megabytes', () => Response.json({ id: 'x'.repeat(2 ** 21) }), /more than 1048576 bytes/],
  [
    'a broken connection',
    () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })),
    /ECONNRESET/,
  ],
] as const)
  test(`${what}: it is not known what has happened`, async (t) => {
    const error = await t.throwsAsync(clientThat(answer).call('create', { owner }, signal), { message });
    t.false(error instanceof DefiniteError || error instanceof ThrottledError);
  });

test('an answer that breaks the protocol is reported, and the id of a creation in it is kept', async (t) => {
  const client = clientThat(() => Response.json({ id: { id: 'b' }, secrets: { a: 'hush' } }));
  const error = await t.throwsAsync(client.call('create', { owner }, signal), {
    instanceOf: ContractError,
    message: /^acme-box: create: an answer that is not as hooks\/v1 says: .*"secrets"/,
  });
  t.deepEqual(error?.refs, [{ slot: '', id: { id: 'b' } }]);
  t.false(error?.message.includes('hush'));
  const other = await t.throwsAsync(client.call('delete', { owner }, signal), { instanceOf: ContractError });
  t.deepEqual(other?.refs, []);
});

test('that something exists is an answer to a creation only', async (t) => {
  const client = clientThat(() => Response.json(refusal('none', { reason: 'exists' }), { status: 409 }));
  await t.throwsAsync(client.call('update', { owner }, signal), { instanceOf: DefiniteError });
});

test('an empty answer is one without members', async (t) => {
  t.deepEqual(await clientThat(() => new Response(null, { status: 204 })).call('update', { owner }, signal), {});
});

test('a function that takes too long, and one that is given up, end', async (t) => {
  const clock = createManualClock();
  const client = clientThat(
    ({ signal: given }) => new Promise((_, reject) => given?.addEventListener('abort', () => reject(given.reason))),
    { clock },
  );
  const late = t.throwsAsync(client.call('find', { owner }, signal), { message: /no answer within 10000 ms/ });
  await clock.advance(10_001);
  await late;
  const stop = new AbortController();
  const stopped = t.throwsAsync(client.call('find', { owner }, stop.signal));
  stop.abort(new Error('stopped'));
  t.false((await stopped) instanceof DefiniteError);
});

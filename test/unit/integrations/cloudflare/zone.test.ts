import test from 'ava';
import { cloudflareZone } from '../../../../integrations/cloudflare/zone.ts';
import { DefiniteError, systemClock } from '../../../../sdk/index.ts';

const { signal } = new AbortController();
const zoneOf = (fetch: typeof globalThis.fetch) =>
  cloudflareZone({
    url: 'https://cf.test/client/v4',
    token: 'the-token',
    zoneId: 'z',
    fetch,
    clock: systemClock,
    deadline: 5_000,
    concurrency: 1,
  });
const record = { id: 'a1', name: 'WEB.example.test', type: 'A', content: '192.0.2.1', ttl: 60 };
const answering = (body: unknown, status = 200) => zoneOf(async () => Response.json(body, { status }));

test('a name is read page by page, and other names are not taken for it', async (t) => {
  const asked: string[] = [];
  const created = { created_on: '2026-01-01T00:00:00.5Z', comment: null, proxied: true };
  const zone = zoneOf(async (input) => {
    const { pathname, searchParams } = new URL(String(input));
    asked.push(`${pathname} ${searchParams}`);
    const isFirst = searchParams.get('page') === '1';
    const result = isFirst
      ? Array.from({ length: 100 }, () => ({ ...record, name: 'other' }))
      : [{ ...record, ...created }];
    return Response.json({ success: true, result });
  });
  const createdOn = Date.UTC(2026, 0, 1) + 500;
  t.deepEqual(await zone.recordsAt('web.example.test', signal), [
    { ...record, name: 'web.example.test', comment: '', proxied: true, createdOn },
  ]);
  t.deepEqual(asked, [
    '/client/v4/zones/z/dns_records name.exact=web.example.test&per_page=100&page=1',
    '/client/v4/zones/z/dns_records name.exact=web.example.test&per_page=100&page=2',
  ]);
});

test('a name with more records than can be read is an error', async (t) => {
  const zone = answering({ success: true, result: Array.from({ length: 100 }, () => record) });
  await t.throwsAsync(zone.recordsAt('web.example.test', signal), { message: /has more than 1000 records/ });
});

for (const body of [
  null,
  { success: false, errors: [{ code: 1000, message: 'no' }] },
  { success: true, result: {} },
  { success: true, result: [null] },
  { success: true, result: [{ ...record, ttl: '60' }] },
  { success: true, result: [{ ...record, id: '../x' }] },
])
  test(`an answer that is not a list of records is an error, and no statement: ${JSON.stringify(body).slice(0, 50)}`, async (t) => {
    const error = await t.throwsAsync(answering(body).recordsAt('web.example.test', signal), {
      message: /^Cloudflare: .*returned /,
    });
    t.false(error instanceof DefiniteError);
  });

test('a batch is one request, and its refusal is reported with codes', async (t) => {
  const sent: unknown[] = [];
  const zone = zoneOf(async (input, init) => {
    sent.push(
      init?.method,
      String(input),
      JSON.parse(String(init?.body)),
      new Headers(init?.headers).get('authorization'),
    );
    const errors = [{ code: 81053, message: 'An A, AAAA, or CNAME record with that host already exists.' }];
    return sent.length > 4
      ? Response.json({ success: false, errors }, { status: 400 })
      : Response.json({ success: true });
  });
  const batch = { deletes: [{ id: 'a1' }], puts: [], posts: [] };
  await zone.change(batch, signal);
  t.deepEqual(sent, ['POST', 'https://cf.test/client/v4/zones/z/dns_records/batch', batch, 'Bearer the-token']);
  await t.throwsAsync(zone.change(batch, signal), {
    instanceOf: DefiniteError,
    message: /^Cloudflare: POST \/client\/v4\/zones\/z\/dns_records\/batch: HTTP 400: 81053 An A, AAAA, or CNAME/,
  });
});

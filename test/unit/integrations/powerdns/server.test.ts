import test from 'ava';
import { powerdnsServer } from '../../../../integrations/powerdns/server.ts';
import { DefiniteError, systemClock } from '../../../../sdk/index.ts';

const { signal } = new AbortController();
const serverOf = (fetch: typeof globalThis.fetch) =>
  powerdnsServer({
    url: 'http://pdns.test',
    apiKey: 'the-key',
    serverId: 'localhost',
    fetch,
    clock: systemClock,
    deadline: 5_000,
    concurrency: 1,
  });
const answering = (body: unknown) => serverOf(async () => Response.json(body));
const records = [{ content: '192.0.2.1', disabled: false }];

test('a read asks for one name, and takes no other from a server that answers the whole zone', async (t) => {
  const asked: string[] = [];
  const rrsets = [
    { name: 'WEB.example.test.', type: 'A', ttl: 60, records: [...records, { content: '192.0.2.2', disabled: true }] },
    { name: 'web.example.test.', type: 'TXT', ttl: 60, records: [{ content: '"x"', disabled: true }] },
    { name: 'api.example.test.', type: 'A', ttl: 60, records },
  ];
  const server = serverOf(async (input) => {
    asked.push(String(input));
    return Response.json({ rrsets });
  });
  t.deepEqual(await server.rrsetsAt('example.test', 'web.example.test', signal), [
    { name: 'web.example.test', type: 'A', ttl: 60, contents: ['192.0.2.1'] },
  ]);
  t.deepEqual(asked, ['http://pdns.test/api/v1/servers/localhost/zones/example.test.?rrset_name=web.example.test.']);
});

for (const body of [
  null,
  [],
  { rrsets: {} },
  { rrsets: [null] },
  { rrsets: [{ name: 7, type: 'A', ttl: 1, records }] },
  { rrsets: [{ name: 'web.example.test.', type: 'A', ttl: '1', records }] },
  { rrsets: [{ name: 'web.example.test.', type: 'A', ttl: 1, records: [{}] }] },
])
  test(`an answer that is not a zone is an error, and no statement: ${JSON.stringify(body).slice(0, 60)}`, async (t) => {
    const error = await t.throwsAsync(answering(body).rrsetsAt('example.test', 'web.example.test', signal), {
      message: /^PowerDNS: returned /,
    });
    t.false(error instanceof DefiniteError);
  });

test('changes go out in one request', async (t) => {
  const sent: unknown[] = [];
  const server = serverOf(async (input, init) => {
    sent.push(init?.method, String(input), JSON.parse(String(init?.body)), new Headers(init?.headers).get('x-api-key'));
    return new Response(null, { status: 204 });
  });
  const changes = [{ name: 'web.example.test.', type: 'A', changetype: 'DELETE' }] as const;
  await server.change('example.test', changes, signal);
  const url = 'http://pdns.test/api/v1/servers/localhost/zones/example.test.';
  t.deepEqual(sent, ['PATCH', url, { rrsets: changes }, 'the-key']);
});

test('a success of another server is not a change that was made', async (t) => {
  for (const answer of [new Response(''), Response.json({}), Response.json({ error: 'no' })]) {
    const error = await t.throwsAsync(serverOf(async () => answer).change('example.test', [], signal), {
      message: 'PowerDNS: HTTP 200 is not an answer to a change: check option url',
    });
    t.false(error instanceof DefiniteError);
  }
});

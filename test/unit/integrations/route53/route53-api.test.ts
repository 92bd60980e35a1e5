import test, { type ExecutionContext } from 'ava';
import { ownerMark } from '../../../../integrations/dns/owners.ts';
import { replacementChanges } from '../../../../integrations/route53/record-sets.ts';
import { BatchRefusedError, type Route53ApiOptions, route53Api } from '../../../../integrations/route53/route53-api.ts';
import { DefiniteError, systemClock, ThrottledError } from '../../../../sdk/index.ts';
import { zone } from '../fixtures/a-dns-spec.ts';
import { aListener } from './a-listener.ts';
import { answerOf, refusalAnswer } from './messages.ts';
import { route53StandIn } from './stand-in.ts';
import { credential, zones } from './subject.ts';
import { xml } from './xml.ts';
import { Refusal } from './zone-rules.ts';

const { signal } = new AbortController();
const name = `web.${zone}`;

const apiOf = (options: Partial<Route53ApiOptions> = {}) =>
  route53Api({
    address: { region: 'us-east-1', ...credential },
    fetch: undefined,
    clock: systemClock,
    deadline: 5_000,
    requestsPerSecond: 1_000,
    ...options,
  });

/** An API whose requests go over HTTP to a `fetch`, by the transport of the AWS SDK. */
async function overHttp(t: ExecutionContext, fetch: typeof globalThis.fetch, deadline = 5_000) {
  const { url, close } = await aListener(fetch);
  t.teardown(close);
  return apiOf({ address: { region: 'us-east-1', endpoint: url, ...credential }, deadline });
}

const published = (target: string) => {
  const records = [{ zone, name, type: 'A' as const, target }];
  return replacementChanges({ name, owner: 'me', ttl: 60, records, present: [], marks: [] });
};

test('over HTTP, zones are found, and names are created, read, changed and refused', async (t) => {
  const server = route53StandIn({ zones, ...credential });
  const api = await overHttp(t, server.fetch);
  t.deepEqual(await api.publicZones(signal), [
    { id: 'ZOTHER', name: 'other.test' },
    { id: 'ZPUBLIC', name: zone },
  ]);
  await api.change('ZPUBLIC', published('192.0.2.1'), signal);
  const [set] = await api.recordSetsAt('ZPUBLIC', name, signal);
  t.like(set, { name, type: 'A', ttl: 60, values: ['192.0.2.1'], alias: undefined });
  const [mark] = await api.recordSetsAt('ZPUBLIC', `_op-owner.${name}`, signal);
  t.deepEqual(mark?.values, [`"${ownerMark('me')}"`]);
  await t.throwsAsync(api.change('ZPUBLIC', published('192.0.2.2'), signal), {
    instanceOf: BatchRefusedError,
    message: /^Route 53 says \[Tried to create .* but it already exists\] \(InvalidChangeBatch\)$/,
  });
  await t.throwsAsync(api.recordSetsAt('ZABSENT', name, signal), {
    instanceOf: DefiniteError,
    message: /NoSuchHostedZone\); check option hostedZoneId$/,
  });
});

test('a request is sent once, whatever is answered', async (t) => {
  let requests = 0;
  const answering = (code: string, status: number) => async () => {
    requests += 1;
    return refusalAnswer(new Refusal(code, 'try later', status));
  };
  const throttled = await overHttp(t, answering('Throttling', 400));
  await t.throwsAsync(throttled.publicZones(signal), { instanceOf: ThrottledError });
  t.is(requests, 1);
  const failing = await overHttp(t, answering('InternalFailure', 500));
  const error = await t.throwsAsync(failing.change('Z', published('192.0.2.1'), signal));
  t.false(error instanceof DefiniteError);
  t.is(requests, 2);
});

test('a server to which no connection can be made was asked nothing', async (t) => {
  const api = apiOf({ address: { region: 'us-east-1', endpoint: 'http://127.0.0.1:1', ...credential } });
  await t.throwsAsync(api.publicZones(signal), { instanceOf: DefiniteError, message: /^Route 53 does not answer/ });
});

test('a server that does not answer is given up, with an open outcome', async (t) => {
  const api = await overHttp(t, () => new Promise(() => {}), 50);
  const error = await t.throwsAsync(api.change('Z', published('192.0.2.1'), signal));
  t.false(error instanceof DefiniteError || error instanceof ThrottledError);
});

test('a signal that aborts ends a request', async (t) => {
  const over = new AbortController();
  const api = await overHttp(t, () => {
    over.abort(new Error('no time'));
    return new Promise(() => {});
  });
  await t.throwsAsync(api.publicZones(over.signal), { message: 'Route 53 does not answer: no time' });
});

test('a name is read page by page, and no further', async (t) => {
  const asked: string[] = [];
  const page = (names: readonly string[], next?: string) =>
    answerOf(
      xml('ListResourceRecordSetsResponse', [
        xml(
          'ResourceRecordSets',
          names.map((one) => xml('ResourceRecordSet', [xml('Name', one), xml('Type', 'A'), xml('TTL', 1)])),
        ),
        xml('IsTruncated', next !== undefined),
        xml('NextRecordName', next),
        xml('MaxItems', 100),
      ]),
    );
  const answers = [page([`${name}.`, `${name}.`], `${name}.`), page([`${name}.`, `x.${name}.`], `y.${name}.`)];
  const api = apiOf({
    fetch: async (url) => {
      asked.push(new URL(String(url)).search);
      return answers.shift()!;
    },
  });
  t.is((await api.recordSetsAt('Z1', name, signal)).length, 3);
  t.deepEqual(asked, [`?name=${name}.&maxitems=100`, `?name=${name}.&maxitems=100`]);
  const endless = apiOf({ fetch: async () => page([`${name}.`], `${name}.`) });
  await t.throwsAsync(endless.recordSetsAt('Z1', name, signal), { message: /has more than 1000 record sets/ });
});

test('an answer of another server is not an empty list, and no change that was taken', async (t) => {
  for (const body of ['', '<html><body>log in</body></html>', '<Error><Code>AccessDenied</Code></Error>']) {
    const api = await overHttp(t, async () => new Response(body));
    for (const [act, what] of [
      [() => api.publicZones(signal), 'list of hosted zones'],
      [() => api.recordSetsAt('Z1', name, signal), `list of record sets of ${name}`],
      [() => api.change('Z1', published('192.0.2.1'), signal), 'change'],
    ] as const) {
      const error = await t.throwsAsync(act, { message: `Route 53 returned no ${what}: check option endpoint` });
      t.false(error instanceof DefiniteError);
    }
  }
});

test('an account without zones, and a name without record sets, are not errors', async (t) => {
  const api = await overHttp(t, route53StandIn({ zones: [], ...credential }).fetch);
  t.deepEqual(await api.publicZones(signal), []);
  const empty = await overHttp(t, route53StandIn({ zones, ...credential }).fetch);
  t.deepEqual(await empty.recordSetsAt('ZPUBLIC', name, signal), []);
});

test('an account with too many zones is told what to set', async (t) => {
  const many = Array.from({ length: 2_001 }, (_, index) => ({ id: `Z${index}`, name: `z${index}.test` }));
  const of = (count: number) => apiOf(route53StandIn({ zones: many.slice(0, count), ...credential }));
  t.is((await of(250).publicZones(signal)).length, 250);
  await t.throwsAsync(of(2_001).publicZones(signal), {
    instanceOf: DefiniteError,
    message: /set options hostedZoneId/,
  });
});

test('requests are evenly spaced', async (t) => {
  let now = 0;
  const slept: number[] = [];
  const sleep = async (ms: number) => {
    slept.push(ms);
    now += ms;
  };
  const clock = { ...systemClock, monotonic: () => now, sleep };
  const api = apiOf({ ...route53StandIn({ zones, ...credential }), clock, requestsPerSecond: 4 });
  for (let count = 0; count < 3; count += 1) await api.publicZones(signal);
  now += 1_000;
  await api.publicZones(signal);
  t.deepEqual(slept, [250, 250]);
});

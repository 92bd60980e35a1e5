import test from 'ava';
import { silencesAt } from '../../../../integrations/notify/silences.ts';
import { DefiniteError, systemClock } from '../../../../sdk/index.ts';
import { alertmanagerStandIn } from './fixtures/alertmanager-stand-in.ts';

const { signal } = new AbortController();
const labels = [{ name: 'team', value: 'red' }];
const wantedNow = () => ({ labels, comment: 'hush', createdBy: 'test', endsAt: Date.now() + 60_000 });

const at = (fetch: typeof globalThis.fetch, authorization?: string) =>
  silencesAt({ url: 'https://alerts.example.test', authorization, fetch, clock: systemClock, deadline: 5_000 });

const answering = (body: unknown, status = 200) => at(async () => Response.json(body, { status }));

test('a silence is created, read, commented and ended', async (t) => {
  const silences = at(alertmanagerStandIn(systemClock, 'Bearer x').fetch, 'Bearer x');
  const wanted = wantedNow();
  const id = await silences.create(wanted, signal);
  const seen = (await silences.read(id, signal))!;
  t.like(seen, { ...wanted, id, isActive: true });
  await silences.comment(seen, 'still', signal);
  t.like((await silences.list(signal))[0], { ...wanted, id, comment: 'still' });
  await silences.expire(id, signal);
  const ended = (await silences.read(id, signal))!;
  t.false(ended.isActive);
  await t.throwsAsync(silences.comment(ended, 'again', signal), { instanceOf: DefiniteError, message: /has ended/ });
});

test('a label that others compare otherwise than by equality is another one', async (t) => {
  const matchers = [
    { name: 'a', value: 'x|y', isRegex: true, isEqual: true },
    { name: 'b', value: 'x', isRegex: false, isEqual: false },
    { name: 'c', value: 'x', isRegex: false },
  ];
  const silences = answering([{ id: '1', comment: '', endsAt: '2026-01-01T00:00:00Z', matchers }]);
  t.deepEqual(
    (await silences.list(signal))[0]!.labels.map(({ name }) => name),
    ['~a', '~b', 'c'],
  );
});

test('the words of a refusal are reported, with what to check', async (t) => {
  const refused = { instanceOf: DefiniteError, message: /HTTP 401.*check options token and basic/ };
  await t.throwsAsync(at(alertmanagerStandIn(systemClock, 'Bearer x').fetch).list(signal), refused);
});

test('one that is not there is told from an address that is not an Alertmanager', async (t) => {
  const nothing = at(async () => new Response(null, { status: 404 }));
  await t.throwsAsync(nothing.read('1', signal), { instanceOf: DefiniteError, message: /HTTP 404: check option url/ });
  t.is(await at(alertmanagerStandIn(systemClock).fetch).read('1', signal), undefined);
});

for (const body of [undefined, 'x', {}, [{}], [{ id: 1 }], [{ id: '1', comment: '', endsAt: 'x', matchers: [] }]])
  test(`an answer that is not a list of silences is not an empty list: ${JSON.stringify(body)}`, async (t) => {
    const silences = at(async () => new Response(JSON.stringify(body) ?? null));
    await t.throwsAsync(silences.list(signal), { message: /^Alertmanager: / });
  });

test('a creation without an id is of unknown outcome', async (t) => {
  const error = await t.throwsAsync(answering({}).create(wantedNow(), signal));
  t.false(error instanceof DefiniteError);
});

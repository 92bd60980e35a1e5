import test from 'ava';
import { checkedSilenceOptions } from '../../../../integrations/notify/silence-options.ts';

const url = 'https://alerts.example.com';

test('what is left out has its default', (t) => {
  const { operations, labels, during, handles, clock, ...checked } = checkedSilenceOptions({ url });
  t.is(typeof operations.list, 'function');
  t.is(typeof clock.now, 'function');
  t.deepEqual(checked, {
    condition: 'Silenced',
    name: 'silenced',
    deadline: 10_000,
    limits: { rate: 5, burst: 20 },
    secrets: [],
    maxDuration: 3_600_000,
    listLag: 0,
    driftInterval: 60_000,
    createdBy: 'workspace-sequencer',
  });
});

test('what is secret of a credential is said', (t) => {
  t.deepEqual(checkedSilenceOptions({ url, token: 'a-token' }).secrets, ['a-token']);
  t.deepEqual(checkedSilenceOptions({ url, basic: { user: 'me', password: 'secret' } }).secrets, [
    'secret',
    'bWU6c2VjcmV0',
  ]);
});

for (const [options, message] of [
  [undefined, /options must be an object \{ url, /],
  [{}, /url must be an address/],
  [{ url, urls: 1 }, /^alertmanagerSilences: options: urls is not an option; known are url, /],
  [{ url, token: 'x' }, /token must be a text of 6 to 4096/],
  [
    { url, basic: { user: 'a:b', password: 'secret' } },
    /basic\.user must be a text of 1 to 255 characters without a colon/,
  ],
  [
    { url, basic: { user: 'me', password: 'secret' }, token: 'a-token' },
    /basic must be left out where there is a token/,
  ],
  [{ url, basic: { name: 'me' } }, /basic: name is not an option/],
  [
    { url, condition: 'Announced' },
    /condition must be words that begin with Silenced, such as Silenced, not "Announced"/,
  ],
  [{ url, labels: {} }, /labels must be a function/],
  [{ url, during: true }, /during must be a function/],
  [{ url, maxDuration: 1 }, /maxDuration must be a whole number from 1000/],
  [{ url, listLag: -1 }, /listLag must be a whole number from 0/],
  [{ url, driftInterval: 0 }, /driftInterval must be a whole number from 1/],
  [{ url, createdBy: 'a\nb' }, /createdBy must be a text of 1 to 100 characters/],
  [{ url, fetch: 1 }, /fetch must be a function/],
] as const)
  test(`refused: ${message.source}`, (t) => {
    t.throws(() => checkedSilenceOptions(options as never), { instanceOf: TypeError, message });
  });

import test from 'ava';
import { hostedZones, longestSuffix } from '../../../../integrations/route53/hosted-zones.ts';
import { DefiniteError, systemClock } from '../../../../sdk/index.ts';

const zones = [
  { id: 'Z1', name: 'example.test' },
  { id: 'Z2', name: 'apps.example.test' },
  { id: 'Z3', name: 'ample.test' },
];
const { signal } = new AbortController();

/** A search with a clock that a test sets, and the number of lists. */
function aSearch(options: { readonly hostedZoneId?: string; readonly zone?: string } = {}) {
  const seen = { lists: 0, now: 0 };
  const api = {
    publicZones: async () => {
      seen.lists += 1;
      return zones;
    },
  };
  const clock = { ...systemClock, monotonic: () => seen.now };
  const search = hostedZones({ api, clock, hostedZoneId: undefined, zone: undefined, ...options });
  return { ...search, seen };
}

test('the longest suffix counts, by whole labels', (t) => {
  t.is(longestSuffix(zones, 'shop.apps.example.test')?.id, 'Z2');
  t.is(longestSuffix(zones, 'shop.example.test')?.id, 'Z1');
  t.is(longestSuffix(zones, 'apps.example.test')?.id, 'Z2');
  t.is(longestSuffix(zones, 'other.test'), undefined);
});

test('of several zones of one name none is guessed', (t) => {
  const twice = [...zones, { id: 'Z9', name: 'example.test' }];
  t.throws(() => longestSuffix(twice, 'shop.example.test'), {
    instanceOf: DefiniteError,
    message: /several public hosted zones example\.test, Z1 and Z9 among them: set options hostedZoneId and zone/,
  });
  t.is(longestSuffix(twice, 'shop.apps.example.test')?.id, 'Z2');
});

test('a list is used for five minutes by all, or until it is forgotten', async (t) => {
  const { seen, zoneOf, forget } = aSearch();
  await Promise.all([zoneOf('a.example.test', signal), zoneOf('b.example.test', signal)]);
  t.is(seen.lists, 1);
  seen.now = 299_999;
  await zoneOf('a.example.test', signal);
  t.is(seen.lists, 1);
  seen.now = 300_000;
  await zoneOf('a.example.test', signal);
  forget();
  t.is((await zoneOf('a.example.test', signal))?.id, 'Z1');
  t.is(seen.lists, 3);
});

test('option zone leaves one zone, and with its id nothing is asked', async (t) => {
  t.is((await aSearch({ zone: 'example.test' }).zoneOf('shop.apps.example.test', signal))?.id, 'Z1');
  const { seen, zoneOf } = aSearch({ zone: 'example.test', hostedZoneId: 'ZX' });
  t.deepEqual(await zoneOf('shop.example.test', signal), { id: 'ZX', name: 'example.test' });
  t.is(seen.lists, 0);
});

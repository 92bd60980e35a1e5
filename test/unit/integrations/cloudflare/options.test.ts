import test from 'ava';
import { type CloudflareDnsOptions, checkedCloudflareOptions } from '../../../../integrations/cloudflare/options.ts';

const zoneId = '0123456789abcdef'.repeat(2);
const plain: CloudflareDnsOptions = { token: 'a-good-token', zoneId, zone: 'Example.Test.' };
const checked = (options: unknown) => checkedCloudflareOptions(options as CloudflareDnsOptions);

test('what is left out gets its default', (t) => {
  t.like(checked(plain), {
    token: 'a-good-token',
    zoneId,
    zone: 'example.test',
    url: 'https://api.cloudflare.com/client/v4',
    concurrency: 4,
    fetch: globalThis.fetch,
    ttl: 60,
    deadline: 5000,
  });
  t.is(checked({ ...plain, ttl: 1 }).ttl, 1);
});

for (const [why, options, message] of [
  ['nothing', undefined, /options must be an object/],
  ['an unknown option', { ...plain, proxied: true }, /options: proxied is not an option; known are token, zoneId/],
  ['no token', { ...plain, token: undefined }, /token must be a text of 6 to 4096 printable/],
  ['no zone id', { ...plain, zoneId: undefined }, /zoneId must be 32 hexadecimal digits, not "nothing"/],
  ['a zone id that is a path', { ...plain, zoneId: '../accounts' }, /zoneId must be 32 hexadecimal digits/],
  ['no zone', { ...plain, zone: undefined }, /zone must be a DNS name, not "nothing"/],
  ['a TTL that no plan allows', { ...plain, ttl: 5 }, /ttl must be a whole number from 30 to 86400, not 5/],
  ['an address that is none', { ...plain, baseUrl: 'cloudflare' }, /baseUrl must be an address/],
  ['no requests at a time', { ...plain, concurrency: 0 }, /concurrency must be a whole number from 1 to 1000/],
  ['a fetch that is none', { ...plain, fetch: 1 }, /fetch must be a function/],
] as const)
  test(`${why} is refused by name`, (t) => {
    t.throws(() => checked(options), { instanceOf: TypeError, message });
  });

import test from 'ava';
import { checkedPowerdnsOptions, type PowerdnsDnsOptions } from '../../../../integrations/powerdns/options.ts';

const plain: PowerdnsDnsOptions = { url: 'https://ns1.example.test:8081/', apiKey: 'a-good-key' };
const checked = (options: unknown) => checkedPowerdnsOptions(options as PowerdnsDnsOptions);

test('what is left out gets its default', (t) => {
  t.like(checked(plain), {
    url: 'https://ns1.example.test:8081',
    apiKey: 'a-good-key',
    serverId: 'localhost',
    comments: false,
    concurrency: 4,
    fetch: globalThis.fetch,
    ttl: 60,
    deadline: 5000,
    zone: undefined,
  });
});

for (const [why, options, message] of [
  ['nothing', undefined, /options must be an object/],
  ['an unknown option', { ...plain, apikey: 'x' }, /options: apikey is not an option; known are url, apiKey/],
  ['no address', { apiKey: 'a-good-key' }, /url must be an address/],
  ['no key', { url: plain.url }, /apiKey must be a text of 6 to 4096 printable/],
  ['a server id that is a path', { ...plain, serverId: '../zones' }, /serverId must be an id of letters/],
  ['comments that are texts', { ...plain, comments: 'yes' }, /comments must be true or false, not "yes"/],
  ['no requests at a time', { ...plain, concurrency: 0 }, /concurrency must be a whole number from 1 to 1000/],
  ['a fetch that is none', { ...plain, fetch: 1 }, /fetch must be a function/],
  ['a zone that is none', { ...plain, zone: 'a..b' }, /zone must be a DNS name/],
] as const)
  test(`${why} is refused by name`, (t) => {
    t.throws(() => checked(options), { instanceOf: TypeError, message });
  });

import test from 'ava';
import {
  type CloudflareTunnelOptions,
  checkedTunnelOptions,
} from '../../../../integrations/cloudflare/tunnel-options.ts';
import { accountId } from './fixtures/subject.ts';

const plain: CloudflareTunnelOptions = { token: 'a-good-token', accountId, connector: { image: 'cloudflared:1' } };
const checked = (options: unknown) => checkedTunnelOptions(options as CloudflareTunnelOptions);

test('what is left out gets its default', (t) => {
  t.like(checked(plain), {
    ...{ token: 'a-good-token', accountId, prefix: 'ws', url: 'https://api.cloudflare.com/client/v4' },
    ...{ concurrency: 4, deadline: 10_000, driftInterval: 300_000, fetch: globalThis.fetch },
    limits: { rate: 1, burst: 20 },
    connector: { image: 'cloudflared:1', replicas: 1, resources: { requests: { cpu: '10m', memory: '64Mi' } } },
  });
  t.is(checked({ ...plain, connector: false }).connector, undefined);
});

const connector = (more: object) => ({ ...plain, connector: { image: 'cloudflared:1', ...more } });

for (const [why, options, message] of [
  ['nothing', undefined, /options must be an object/],
  ['an unknown option', { ...plain, zone: 'x' }, /options: zone is not an option; known are token, accountId/],
  ['no token', { ...plain, token: undefined }, /token must be a text of 6 to 4096 printable/],
  ['an account that is a path', { ...plain, accountId: '../zones' }, /accountId must be 32 hexadecimal digits/],
  ['no connector', { ...plain, connector: undefined }, /connector must be an object/],
  ['no image', connector({ image: undefined }), /connector\.image must be an image of cloudflared/],
  ['an unknown member', connector({ args: [] }), /connector: args is not an option/],
  ['no replicas', connector({ replicas: 0 }), /connector\.replicas must be a whole number from 1 to 100/],
  ['amounts that are none', connector({ resources: { limits: { cpu: 1 } } }), /resources\.limits must be an object of/],
  ['a prefix with a dot', { ...plain, prefix: 'a.b' }, /prefix must be up to 16 characters/],
  ['an address that is none', { ...plain, baseUrl: 'cloudflare' }, /baseUrl must be an address/],
  ['a template that is none', { ...plain, host: '{name}' }, /host must be a DNS name with \{name\}/],
  ['a fetch that is none', { ...plain, fetch: 1 }, /fetch must be a function/],
] as const)
  test(`${why} is refused by name`, (t) => {
    t.throws(() => checked(options), { instanceOf: TypeError, message });
  });

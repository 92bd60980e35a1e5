import test from 'ava';
import { exchange } from '../../../../integrations/rfc2136/exchange.ts';
import { checkedOptions, type Rfc2136DnsOptions } from '../../../../integrations/rfc2136/options.ts';
import { systemClock } from '../../../../sdk/index.ts';
import { aWorkspace } from '../../a-workspace.ts';

const secret = Buffer.from('0123456789abcdef').toString('base64');
const plain: Rfc2136DnsOptions = { server: { host: '192.0.2.53' }, key: { name: 'Op-Key.', secret } };
const checked = (options: unknown) => checkedOptions(options as Rfc2136DnsOptions);

test('what is left out gets its default', (t) => {
  const { allows, driftSchedule, ...rest } = checked(plain);
  t.is(driftSchedule.size, 0);
  t.is(allows(aWorkspace(), 'shop.example.test'), undefined);
  t.deepEqual(rest, {
    server: { host: '192.0.2.53', port: 53 },
    key: { name: 'op-key', algorithm: 'hmac-sha256', secret: Buffer.from('0123456789abcdef') },
    zone: undefined,
    target: undefined,
    ttl: 60,
    fudge: 15,
    deadline: 5000,
    clock: systemClock,
    exchange,
  });
});

test('names lose their trailing dot, addresses stay as they are', (t) => {
  t.is(checked({ ...plain, zone: 'Example.Test.' }).zone, 'example.test');
  t.is(checked({ ...plain, target: '2001:db8::1' }).target, '2001:db8::1');
  t.is(checked({ ...plain, target: 'lb.example.test.' }).target, 'lb.example.test');
});

for (const [why, options, message] of [
  ['nothing', undefined, /options must be an object/],
  ['an unknown option', { ...plain, tll: 5 }, /options: tll is not an option; known are server, key/],
  ['no server', { key: plain.key }, /server must be an object \{ host, port \}, not "nothing"/],
  ['an unknown member of the server', { ...plain, server: { host: 'a', prot: 5 } }, /server: prot is not an option/],
  ['an empty host', { ...plain, server: { host: '' } }, /server.host must be a name or an address, not ""/],
  [
    'a port out of range',
    { ...plain, server: { host: 'a', port: 70_000 } },
    /server.port must be a whole number from 1 to 65535, not 70000/,
  ],
  ['no key', { server: plain.server }, /key must be an object/],
  ['a key without a name', { ...plain, key: { secret } }, /key.name must be a DNS name, not "nothing"/],
  ['a key name that is none', { ...plain, key: { name: 'a..b', secret } }, /key.name must be a DNS name/],
  [
    'an unknown algorithm',
    { ...plain, key: { ...plain.key, algorithm: 'hmac-md5' } },
    /key.algorithm must be one of hmac-sha1, .*, not "hmac-md5"/,
  ],
  ['a time to live that is not a number', { ...plain, ttl: '60' }, /ttl must be a whole number .*, not "60"/],
  ['a fudge of 0', { ...plain, fudge: 0 }, /fudge must be a whole number from 1 to 300, not 0/],
  ['a deadline of half a ms', { ...plain, deadline: 0.5 }, /deadline must be a whole number/],
  ['a list of names that are none', { ...plain, names: ['a..b'] }, /names must be a list of DNS names, or a function/],
  ['an empty target', { ...plain, target: '' }, /target must be a DNS name/],
] as const)
  test(`${why} is refused by name`, (t) => {
    t.throws(() => checked(options), { instanceOf: TypeError, message });
  });

for (const wrong of ['', 'not base64!', 'abc', 42])
  test(`a secret that is not base64 is refused, and not shown: ${JSON.stringify(wrong)}`, (t) => {
    const error = t.throws(() => checked({ ...plain, key: { ...plain.key, secret: wrong } }), {
      instanceOf: TypeError,
    });
    t.is(error?.message, "rfc2136Dns: key.secret must be base64, as in the server's key statement");
  });

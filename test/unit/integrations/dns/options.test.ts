import test from 'ava';
import { checkedDnsServerOptions, dnsServerOptionNames } from '../../../../integrations/dns/options.ts';
import { systemClock } from '../../../../sdk/index.ts';
import { aWorkspace } from '../../a-workspace.ts';

const checked = (options: unknown) => checkedDnsServerOptions('acmeDns', options as object);

test('what is left out gets its default', (t) => {
  const { allows, driftSchedule, ...rest } = checked({});
  t.is(allows(aWorkspace(), 'shop.example.test'), undefined);
  t.is(driftSchedule.size, 0);
  t.deepEqual(rest, { zone: undefined, target: undefined, ttl: 60, deadline: 5000, clock: systemClock });
});

test('names lose their trailing dot, addresses stay as they are', (t) => {
  t.is(checked({ zone: 'Example.Test.' }).zone, 'example.test');
  t.is(checked({ target: '2001:db8::1' }).target, '2001:db8::1');
  t.is(checked({ target: 'lb.example.test.' }).target, 'lb.example.test');
});

for (const [options, message] of [
  [{ zone: '' }, /^acmeDns: zone must be a DNS name, not ""/],
  [{ target: 'a..b' }, /^acmeDns: target must be a DNS name, not "a..b"/],
  [{ ttl: '60' }, /^acmeDns: ttl must be a whole number .*, not "60"/],
  [{ deadline: 0 }, /^acmeDns: deadline must be a whole number from 1/],
  [{ names: ['a..b'] }, /^acmeDns: names must be a list/],
  [{ driftInterval: -1 }, /^acmeDns: driftInterval must be a positive number/],
] as const)
  test(`${JSON.stringify(options)} is refused by name`, (t) => {
    t.throws(() => checked(options), { instanceOf: TypeError, message });
  });

test('each common option is listed once', (t) => {
  t.is(new Set(dnsServerOptionNames).size, dnsServerOptionNames.length);
});

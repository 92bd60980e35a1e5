import test from 'ava';
import { checkedRoute53Options } from '../../../../integrations/route53/options.ts';

const checked = (options: unknown) => checkedRoute53Options(options as object);
const key = { accessKeyId: 'AKIATEST', secretAccessKey: 'quite-secret' };

test('what is left out gets its default', (t) => {
  t.like(checked({}), {
    hostedZoneId: undefined,
    zone: undefined,
    address: { region: 'us-east-1' },
    alias: undefined,
    requestsPerSecond: 4,
    fetch: undefined,
    ttl: 60,
    deadline: 5000,
  });
});

test('what is given is taken', (t) => {
  const alias = { hostedZoneId: 'ZELB', ipv6: true, evaluateTargetHealth: true };
  const given = {
    ...key,
    region: 'cn-north-1',
    endpoint: 'https://route53.test/',
    hostedZoneId: 'Z1',
    zone: 'A.test.',
  };
  t.like(checked({ ...given, target: 'LB.aws.test.', alias }), {
    hostedZoneId: 'Z1',
    zone: 'a.test',
    address: { ...key, region: 'cn-north-1', endpoint: 'https://route53.test' },
    alias: { hostedZoneId: 'ZELB', target: 'lb.aws.test', evaluateTargetHealth: true, types: ['A', 'AAAA'] },
  });
});

for (const [why, options, message] of [
  ['nothing', undefined, /options must be an object/],
  ['an unknown option', { zoneId: 'Z1' }, /options: zoneId is not an option; known are hostedZoneId/],
  ['an id that is a path', { hostedZoneId: '/hostedzone/Z1' }, /hostedZoneId must be an id of a hosted zone/],
  ['an id without a name', { hostedZoneId: 'Z1' }, /zone must be the name of the hosted zone, since there is a/],
  ['half of a key', { secretAccessKey: 'quite-secret' }, /accessKeyId must be 3 to 128 printable/],
  ['the other half', { accessKeyId: 'AKIATEST' }, /secretAccessKey must be a text of 6 to 4096/],
  ['a region that is none', { region: 'Frankfurt!' }, /region must be the name of a region/],
  ['an address that is none', { endpoint: 'aws' }, /endpoint must be an address/],
  ['an alias without a target', { alias: { hostedZoneId: 'ZELB' } }, /target must be the name of a load balancer/],
  ['an alias of an address', { target: '192.0.2.1', alias: { hostedZoneId: 'ZELB' } }, /target must be the name of a/],
  ['an alias without a zone', { target: 'lb.test', alias: {} }, /alias\.hostedZoneId must be an id/],
  ['an unknown member', { target: 'lb.test', alias: { zone: 'Z' } }, /alias: zone is not an option/],
  ['a flag that is none', { target: 'lb.test', alias: { ipv6: 1 } }, /alias\.ipv6 must be true or false, not 1/],
  ['no requests', { requestsPerSecond: 0 }, /requestsPerSecond must be a whole number from 1 to 1000/],
  ['a fetch that is none', { fetch: 1 }, /fetch must be a function/],
] as const)
  test(`${why} is refused by name`, (t) => {
    t.throws(() => checked(options), { instanceOf: TypeError, message });
  });

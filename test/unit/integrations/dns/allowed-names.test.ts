import test from 'ava';
import { dnsNameRule, mistakeInNames, zoneRefusal } from '../../../../integrations/dns/allowed-names.ts';
import { aWorkspace } from '../../a-workspace.ts';

const workspace = aWorkspace();

test('without options every name but wildcards and marks of owners is allowed', (t) => {
  const allows = dnsNameRule('dns', {});
  t.is(allows(workspace, 'a.b.example.test'), undefined);
  t.is(allows(workspace, '*.example.test'), '*.example.test: wildcards are not allowed (option wildcards of dns)');
  t.regex(allows(workspace, '_op-owner.example.test') ?? '', /is kept for the marks of owners$/);
});

test('a suffix allows itself and what is below it, not what only ends alike', (t) => {
  const allows = dnsNameRule('dns', { names: ['Apps.Example.Test.', 'other.test'] });
  t.is(allows(workspace, 'apps.example.test'), undefined);
  t.is(allows(workspace, 'x.y.apps.example.test'), undefined);
  t.is(
    allows(workspace, 'evilapps.example.test'),
    'evilapps.example.test: only names within apps.example.test, other.test are allowed (option names of dns)',
  );
  t.truthy(allows(workspace, 'example.test'));
});

test('a function decides by workspace; anything but true is a no', (t) => {
  const names = ({ metadata }: { readonly metadata: { readonly namespace?: string | undefined } }, name: string) =>
    name.endsWith(`.${metadata.namespace}.example.test`);
  t.is(dnsNameRule('dns', { names })(workspace, 'shop.default.example.test'), undefined);
  t.is(
    dnsNameRule('dns', { names })(workspace, 'shop.other.example.test'),
    'shop.other.example.test: is not allowed in namespace default (option names of dns)',
  );
  t.truthy(dnsNameRule('dns', { names: () => 'yes' as never })(workspace, 'a.test'));
});

test('wildcards are allowed on demand, within the names', (t) => {
  const allows = dnsNameRule('dns', { names: ['apps.test'], wildcards: true });
  t.is(allows(workspace, '*.apps.test'), undefined);
  t.truthy(allows(workspace, '*.test'));
});

for (const options of [{ names: 'apps.test' }, { names: ['a..b'] }, { names: [7] }, { wildcards: 'yes' }])
  test(`${JSON.stringify(options)} is refused by name`, (t) => {
    t.throws(() => dnsNameRule('dns', options as never), {
      instanceOf: TypeError,
      message: /^dns: (names|wildcards) must be /,
    });
  });

test('a server stores what is within its zone, and not the zone itself', (t) => {
  const place = { zone: 'dev.example.test', name: 'shop.dev.example.test' };
  t.is(zoneRefusal(place), undefined);
  t.is(zoneRefusal(place, 'example.test'), undefined);
  t.is(zoneRefusal(place, 'other.test'), 'shop.dev.example.test is not within the zone other.test of option zone');
  t.regex(zoneRefusal({ zone: 'example.test', name: 'example.test' }) ?? '', /^example.test is a zone itself/);
  t.is(zoneRefusal({ zone: '..', name: 'a...' }), '"a..." is not a DNS name');
  t.is(zoneRefusal({ zone: '../x', name: 'a.test' }), '"../x" is not a DNS name');
  const long = (length: number) => ({ zone: 'a', name: 'a.'.repeat(130).slice(0, length) });
  t.is(zoneRefusal(long(243)), undefined);
  t.regex(zoneRefusal(long(245)) ?? '', /^[a.]+ is too long: with _op-owner. before it/);
});

for (const [what, zone, subdomain, expected] of [
  [
    'a name outside of those allowed',
    'other.test',
    'pr-1',
    ['spec.networking.ingress.rules', /^pr-1\.other\.test: only names within apps\.test/],
  ],
  [
    'a zone that is none',
    'no zone',
    'pr-1',
    ['spec.networking.dns.zone', /is not the name of a zone: it must have labels of a-z/],
  ],
  [
    'a name that the server never stores',
    'apps.test',
    '@',
    ['spec.networking.ingress.rules', /^apps\.test is a zone itself/],
  ],
  [
    'a name that is none',
    'apps.test',
    'a b',
    ['spec.networking.ingress.rules', /"a b\.apps\.test" is not the name of a record: it must have labels of a-z/],
  ],
] as const)
  test(`${what} is reported with its field before anything is published`, (t) => {
    const setup = { allows: dnsNameRule('dns', { names: ['apps.test'] }), backend: { refuses: zoneRefusal } };
    const rules = [{ name: 'web', component: 'web', network: 'http', path: '/', subdomain }];
    const of = (one: string) =>
      mistakeInNames(
        setup,
        aWorkspace({ spec: { networking: { dns: { zone: one }, ingress: { className: 'x', rules } } } }),
      );
    const found = of(zone);
    t.is(found?.field, expected[0]);
    t.regex(found?.message ?? '', expected[1]);
    if (subdomain === 'pr-1') t.is(of('apps.test'), undefined);
  });

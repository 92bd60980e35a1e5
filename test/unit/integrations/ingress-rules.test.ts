import test from 'ava';
import { type RoutedHostOptions, routedHosts, validateHosts } from '../../../integrations/ingress-rules.ts';
import type { WorkspaceSpec } from '../../../sdk/index.ts';
import { aWorkspace } from '../a-workspace.ts';
import { component, rule } from './fixtures/an-ingress-spec.ts';

type Rules = NonNullable<NonNullable<WorkspaceSpec['networking']>['ingress']>['rules'];

const components = [component('web', 80), component('api', 8080)];
const specOf = (rules: Rules, zone: string | undefined = 'example.test'): WorkspaceSpec => ({
  components,
  networking: { ingress: { className: 'nginx', rules }, ...(zone !== '' && { dns: { zone } }) },
});
const read = (rules: Rules, options: RoutedHostOptions = {}, zone?: string) =>
  routedHosts('ingress', options)(aWorkspace({ spec: specOf(rules, zone) }));

test('rules of one name are paths of one host, in the order of the rules', (t) => {
  t.deepEqual(read([rule('web'), rule('api', { name: 'admin', subdomain: 'Admin' }), rule('api', { path: '/api' })]), [
    {
      host: 'shop.example.test',
      paths: [
        { path: '/', service: 'shop-web-http', port: 80 },
        { path: '/api', service: 'shop-api-http', port: 8080 },
      ],
    },
    { host: 'admin.example.test', paths: [{ path: '/', service: 'shop-api-http', port: 8080 }] },
  ]);
});

test('without a zone, hosts are made of the option', (t) => {
  const options = { host: '{name}.{namespace}.apps.test' };
  const hosts = read([rule('web'), rule('api', { subdomain: 'api' })], options, '');
  t.deepEqual(typeof hosts === 'string' ? hosts : hosts.map(({ host }) => host), [
    'shop.default.apps.test',
    'api.default.apps.test',
  ]);
  t.regex(
    String(read([rule('web')], {}, '')),
    /rules\[web\] has no host: set spec\.networking\.dns\.zone, or option host/,
  );
});

test('paths that integrations ask for are those of their host too, unless they are none', (t) => {
  const asked = { host: 'shop.example.test', path: '/.well-known/acme-challenge/a', service: 'responder', port: 8089 };
  const routes = [
    asked,
    { ...asked, path: '/api' },
    { ...asked, path: '/a/../b' },
    { ...asked, host: 'other.example.test' },
  ];
  const workspace = aWorkspace({ spec: specOf([rule('web'), rule('api', { path: '/api' })]), status: { routes } });
  const at = { service: 'responder', port: 8089 };
  t.deepEqual(routedHosts('ingress', {})(workspace), [
    {
      host: 'shop.example.test',
      paths: [
        { path: '/', service: 'shop-web-http', port: 80 },
        { path: asked.path, ...at },
        { path: '/api', ...at },
      ],
    },
  ]);
});

for (const [why, rules, message] of [
  ['an unknown component', [rule('nope')], /rules\[nope\]\.component: there is no component nope; known are web, api/],
  [
    'an unknown network',
    [rule('web', { network: 'sql' })],
    /network: component web has no network sql; known are http/,
  ],
  ['the same path twice', [rule('web'), rule('api')], /rules\[api\]: shop\.example\.test\/ is routed by another rule/],
  ['a name that is none', [rule('web', { subdomain: 'a_b' })], /"a_b\.example\.test" is not a host name/],
  ['a wildcard', [rule('web', { subdomain: '*' })], /wildcards are not allowed \(option wildcards of ingress\)/],
  ['a path with a brace', [rule('web', { path: '/a{b}' })], /path: must be \/, or segments of letters/],
  ['a path with a line', [rule('web', { path: '/a\nb' })], /path: must be/],
  ['a path that climbs', [rule('web', { path: '/a/../b' })], /path: must be/],
  ['a path with an escaped slash', [rule('web', { path: '/a%2Fb' })], /path: must be/],
] as const)
  test(`${why} is a mistake of its rule`, (t) => {
    t.regex(String(read(rules)), message);
  });

test('a network that is not TCP cannot be routed to', (t) => {
  const udp = {
    ...component('dns', 53),
    networks: [{ name: 'http', port: 53, targetPort: 53, protocol: 'UDP' as const }],
  };
  const spec = { ...specOf([rule('dns')]), components: [udp] };
  t.regex(String(routedHosts('ingress', {})(aWorkspace({ spec }))), /must be one of protocol TCP; http is UDP/);
});

test('names are restricted as those of DNS are', (t) => {
  t.regex(String(read([rule('web')], { names: ['apps.test'] })), /only names within apps\.test are allowed/);
  t.true(Array.isArray(read([rule('web', { subdomain: '*' })], { wildcards: true })));
});

for (const host of ['apps.test', '{name}', 'x.{name}', '{name}.{zone}.test', '{name}.apps..test', 1])
  test(`the option host is refused when it is ${host}`, (t) => {
    t.throws(() => routedHosts('ingress', { host: host as string }), {
      instanceOf: TypeError,
      message: /^ingress: host must be a DNS name with \{name\}/,
    });
  });

test('validate tells the first mistake with its field, and nothing of rules that are right', (t) => {
  const of = (rules: Rules) =>
    validateHosts(routedHosts('ingress', { names: ['example.test'] }))(aWorkspace({ spec: specOf(rules) }));
  t.deepEqual(of([rule('web')]), []);
  t.is(of([rule('none')])[0]?.field, 'spec.networking.ingress.rules[none].component');
});

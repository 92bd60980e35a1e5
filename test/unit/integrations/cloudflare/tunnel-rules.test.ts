import test from 'ava';
import { ruleIn, tunnelRules } from '../../../../integrations/cloudflare/tunnel-rules.ts';

const path = (at: string, service = 'web') => ({ path: at, service, port: 80 });

test('longer paths come first, wildcards after other hosts, and what fits nothing is not found', (t) => {
  const hosts = [
    { host: '*.example.test', paths: [path('/')] },
    { host: 'shop.example.test', paths: [path('/'), path('/api/v1.0', 'api')] },
  ];
  t.deepEqual(tunnelRules(hosts, 'team'), [
    { hostname: 'shop.example.test', path: '^/api/v1\\.0(/|$)', service: 'http://api.team.svc:80' },
    { hostname: 'shop.example.test', service: 'http://web.team.svc:80' },
    { hostname: '*.example.test', service: 'http://web.team.svc:80' },
    { service: 'http_status:404' },
  ]);
});

test('a path means itself and all below it, by whole segments', (t) => {
  const [rule] = tunnelRules([{ host: 'a.test', paths: [path('/a+b/c.d/')] }], 'team');
  const pattern = new RegExp(rule?.path ?? '');
  for (const fits of ['/a+b/c.d', '/a+b/c.d/', '/a+b/c.d/e']) t.true(pattern.test(fits), fits);
  for (const other of ['/a+b/c.de', '/aab/c.d', '/a+b/cxd', '/x/a+b/c.d', '/']) t.false(pattern.test(other), other);
});

test('a rule is read without empty members, and settings of others are a difference', (t) => {
  const service = 'http://web.team.svc:80';
  t.deepEqual(ruleIn({ hostname: 'a.test', path: '', service, originRequest: {} }), { hostname: 'a.test', service });
  t.deepEqual(ruleIn({ service, id: '7', originRequest: null }), { service });
  t.notDeepEqual(ruleIn({ service, originRequest: { noTLSVerify: true } }), { service });
  t.deepEqual(ruleIn(null), { service: 'undefined' });
});

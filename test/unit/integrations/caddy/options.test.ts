import test from 'ava';
import { type CaddyRoutesOptions, checkedCaddyOptions } from '../../../../integrations/caddy/options.ts';
import { aWorkspace } from '../../a-workspace.ts';

const checked = (options: unknown) => checkedCaddyOptions(options as CaddyRoutesOptions);

test('what is left out gets its default', (t) => {
  const options = checked({ server: 'edge' });
  t.like(options, { deadline: 5000, driftInterval: 60_000, limits: { rate: 20, burst: 20 } });
  t.is(options.upstream(aWorkspace(), { service: 'shop-web-http', port: 80 }), 'shop-web-http.default.svc:80');
});

for (const [why, options, message] of [
  ['nothing', undefined, /options must be an object/],
  ['an unknown option', { server: 'edge', uri: 'x' }, /options: uri is not an option; known are url, server/],
  ['no server', {}, /server must be a name of letters, digits, _ and -, not "nothing"/],
  ['a server that is a path', { server: '../admin' }, /server must be a name of letters/],
  ['an address that is none', { server: 'edge', url: 'localhost:2019' }, /url must be an address https:\/\/HOST/],
  ['TLS that is none', { server: 'edge', tls: true }, /tls must be options of tls\.connect/],
  ['an upstream that is none', { server: 'edge', upstream: 'web:80' }, /upstream must be a function/],
  ['a deadline that is none', { server: 'edge', deadline: 0 }, /deadline must be a whole number from 1/],
  ['an interval that is none', { server: 'edge', driftInterval: 'x' }, /driftInterval must be a whole number/],
  ['a host that is none', { server: 'edge', host: 'x' }, /caddyRoutes: host must be a DNS name with \{name\}/],
] as const)
  test(`${why} is refused by name`, (t) => {
    t.throws(() => checked(options), { instanceOf: TypeError, message });
  });

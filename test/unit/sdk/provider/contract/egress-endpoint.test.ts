import test from 'ava';
import { endpointOf } from '../../../../../sdk/provider/contract/egress-endpoint.ts';

for (const [text, expected] of [
  ['https://api.example.com/v4', { host: 'api.example.com', port: 443, protocol: 'TCP' }],
  ['http://[2001:db8::1]:8081', { host: '2001:db8::1', port: 8081, protocol: 'TCP' }],
  ['tcp://db.team-a.svc:5432', { host: 'db.team-a.svc', port: 5432, protocol: 'TCP' }],
  ['udp://192.0.2.53:53', { host: '192.0.2.53', port: 53, protocol: 'UDP' }],
  ['tcp://db.example.com', undefined],
  ['db.example.com:5432', undefined],
  ['/var/run/db', undefined],
  [5432, undefined],
] as const)
  test(`${text} is ${expected ? `port ${expected.port} of ${expected.host}` : 'no endpoint'}`, (t) =>
    t.deepEqual(endpointOf(text), expected));

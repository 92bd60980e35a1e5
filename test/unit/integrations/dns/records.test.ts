import test from 'ava';
import fc from 'fast-check';
import { type DnsRecord, dnsChanges, fullNameOf, wantedDns } from '../../../../integrations/dns/records.ts';
import type { WorkspaceSpec, WorkspaceStatus } from '../../../../sdk/index.ts';
import { aWorkspace } from '../../a-workspace.ts';

const zone = 'example.test';
type Asked = NonNullable<WorkspaceStatus['dns']>;
type Rules = NonNullable<NonNullable<WorkspaceSpec['networking']>['ingress']>['rules'];

const rule = (name: string, subdomain?: string): Rules[number] => ({
  name,
  path: '/',
  component: 'web',
  network: 'http',
  ...(subdomain !== undefined && { subdomain }),
});
const wanted = (rules: Rules, asked: Asked = [], target?: string) =>
  wantedDns(
    aWorkspace({
      spec: { networking: { dns: { zone }, ingress: { rules, className: 'nginx' } } },
      status: { dns: asked },
    }),
    target,
  );
const asked = (recordType: string, name: string, target: string): Asked[number] => ({ recordType, name, target });
const kept = (ttl: string, record: Asked[number]): Asked[number] => ({ ...record, properties: { ttl } });
const a = (name: string, target = '192.0.2.1'): DnsRecord => ({ zone, name, type: 'A', target });

test('a rule gets its subdomain, one without gets the workspace’s name; the first is the host', (t) => {
  t.deepEqual(wanted([rule('one'), rule('two', 'api'), rule('three', 'API')], [], '192.0.2.1'), {
    kind: 'records',
    host: 'shop.example.test',
    records: [a('shop.example.test'), a('api.example.test')],
  });
});

for (const [target, type] of [
  ['192.0.2.1', 'A'],
  ['2001:db8::1', 'AAAA'],
  ['lb.other.test', 'CNAME'],
] as const)
  test(`a target like ${target} makes a record of type ${type}`, (t) => {
    const found = wanted([rule('one')], [], target);
    t.like(found, { records: [{ type, target }] });
  });

test('what an integration asks for in status.dns is published, and wins over the target of a rule', (t) => {
  const records = [asked('CNAME', 'shop', 'tunnel.other.test.'), kept('300', asked('txt', '@', 'hello'))];
  t.deepEqual(wanted([rule('one')], records, '192.0.2.1'), {
    kind: 'records',
    host: 'shop.example.test',
    records: [
      { zone, name: 'shop.example.test', type: 'CNAME', target: 'tunnel.other.test' },
      { zone, name: 'example.test', type: 'TXT', target: 'hello', ttl: 300 },
    ],
  });
});

test('a rule whose name has no target yet waits for one', (t) => {
  t.deepEqual(wanted([rule('one'), rule('two', 'api')], [asked('A', 'shop', '192.0.2.1')]), {
    kind: 'problem',
    status: 'Waiting',
    reason: 'waiting for a target of api.example.test in status.dns',
  });
});

test('nothing asked for is nothing to publish', (t) => {
  t.deepEqual(wanted([]), { kind: 'records', host: undefined, records: [] });
});

test('the same record asked for twice is published once', (t) => {
  t.like(wanted([], [asked('A', 'x', '192.0.2.1'), asked('a', 'X.example.test.', '192.0.2.1')]), {
    records: { length: 1 },
  });
});

for (const [name, full] of [
  ['www', 'www.example.test'],
  ['a.b', 'a.b.example.test'],
  ['@', 'example.test'],
  ['', 'example.test'],
  ['www.example.test', 'www.example.test'],
  ['WWW.Example.Test.', 'www.example.test'],
  ['other.test.', 'other.test'],
  ['*', '*.example.test'],
] as const)
  test(`the name ${JSON.stringify(name)} means ${full}`, (t) => {
    t.is(fullNameOf(name, zone), full);
  });

for (const [why, record, reason] of [
  [
    'a type that cannot be published',
    asked('MX', 'x', 'mail'),
    'status.dns[0]: recordType "MX" cannot be published, only A, AAAA, CNAME, TXT',
  ],
  [
    'a name elsewhere',
    asked('A', 'x.other.test.', '192.0.2.1'),
    'status.dns[0]: x.other.test is not within the zone example.test',
  ],
  [
    'a name that is none',
    asked('A', 'a b', '192.0.2.1'),
    'status.dns[0]: "a b" is not the name of a record: it must have labels of a-z, 0-9, - and _, 63 characters each and 253 in all; others in their form xn--…',
  ],
  ['a wrong address', asked('A', 'x', '192.0.2'), 'status.dns[0]: A x.example.test cannot point to "192.0.2"'],
  [
    'a wrong time to live',
    kept('soon', asked('A', 'x', '192.0.2.1')),
    'status.dns[0]: properties.ttl must be whole seconds, not "soon"',
  ],
] as const)
  test(`${why} in status.dns is an Error that says where`, (t) => {
    t.deepEqual(wanted([], [record]), { kind: 'problem', status: 'Error', reason });
  });

test('an alias beside another record of its name is refused: servers would ignore it and say yes', (t) => {
  t.like(wanted([], [asked('TXT', 'x', 'hello'), asked('CNAME', 'x', 'y.test')]), {
    status: 'Error',
    reason: 'x.example.test: a CNAME (y.test) cannot stand beside other records of that name',
  });
});

test('a subdomain that is not a name is an Error', (t) => {
  t.like(wanted([rule('one', 'not ok')], [], '192.0.2.1'), { status: 'Error' });
});

const none = { records: [], doubtful: [] };

test('what is published as wanted needs no change', (t) => {
  t.deepEqual(dnsChanges([a('x')], { records: [a('x')], doubtful: [] }), []);
});

test('what is gone goes first, then what is new or different', (t) => {
  const known = { records: [a('old'), a('same'), a('moved')], doubtful: [] };
  const changes = dnsChanges([a('new'), a('same'), a('moved', '192.0.2.2')], known);
  t.deepEqual(
    changes.map(({ op, name }) => `${op} ${name}`),
    ['delete old', 'update moved', 'create new'],
  );
});

test('another time to live is a change', (t) => {
  t.like(dnsChanges([{ ...a('x'), ttl: 5 }], { records: [a('x')], doubtful: [] }), [{ op: 'update' }]);
});

test('names in doubt are made so again, or removed, whatever is known of them', (t) => {
  const doubtful = [
    { zone, name: 'x' },
    { zone, name: 'y' },
  ];
  t.deepEqual(
    dnsChanges([a('x')], { records: [a('x')], doubtful }).map(({ op, name }) => `${op} ${name}`),
    ['delete y', 'update x'],
  );
  t.like(dnsChanges([a('x')], { ...none, doubtful }), [
    { op: 'delete', name: 'y' },
    { op: 'create', name: 'x' },
  ]);
});

test('carrying out the changes leads from anything known to exactly what is wanted', (t) => {
  const anyRecords = fc.uniqueArray(
    fc
      .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('192.0.2.1', '192.0.2.2'))
      .map(([name, target]) => a(name, target)),
    { selector: (record) => JSON.stringify(record) },
  );
  const text = (records: readonly DnsRecord[]) => records.map((record) => JSON.stringify(record)).sort();
  fc.assert(
    fc.property(anyRecords, anyRecords, (known, goal) => {
      const names = new Map(Map.groupBy(known, ({ name }) => name));
      for (const { name, records } of dnsChanges(goal, { records: known, doubtful: [] })) names.set(name, [...records]);
      return text([...names.values()].flat()).join() === text(goal).join();
    }),
  );
  t.pass();
});

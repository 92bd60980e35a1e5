import test from 'ava';
import { dnsOf, mistakeInEntries, otherEntries } from '../../../integrations/dns-entries.ts';
import { aWorkspace } from '../a-workspace.ts';

test('status.dns gets the hosts within the zone, and keeps what others ask for', (t) => {
  const dns = [
    { recordType: 'TXT', name: 'other', target: 'x' },
    { recordType: 'A', name: 'old.example.test', target: '192.0.2.9' },
  ];
  const workspace = aWorkspace({ spec: { networking: { dns: { zone: 'example.test' } } }, status: { dns } });
  const hosts = ['shop.example.test', 'shop.elsewhere.test'];
  t.deepEqual(dnsOf(workspace, { former: ['old.example.test'], hosts, addresses: ['192.0.2.1', '2001:db8::1'] }), [
    dns[0]!,
    { recordType: 'A', name: 'shop.example.test', target: '192.0.2.1' },
    { recordType: 'AAAA', name: 'shop.example.test', target: '2001:db8::1' },
  ]);
  t.like(dnsOf(workspace, { former: [], hosts, addresses: ['lb.test'] }), {
    2: { recordType: 'CNAME', target: 'lb.test' },
  });
  t.is(dnsOf(aWorkspace(), { former: [], hosts: [], addresses: [] }), undefined);
});

test('what another integration says of a host is reported; its texts, other names and what is ours are not', (t) => {
  const dns = [
    { recordType: 'TXT', name: 'shop.example.test', target: 'x' },
    { recordType: 'CNAME', name: 'Shop.example.test.', target: 'tunnel.test' },
    { recordType: 'A', name: 'api.example.test', target: '192.0.2.9' },
  ];
  const workspace = aWorkspace({ status: { dns } });
  const hosts = ['shop.example.test', 'api.example.test'];
  t.deepEqual(otherEntries(workspace, { former: ['api.example.test'], hosts }), [dns[1]!]);
  t.regex(mistakeInEntries(workspace, { former: [], hosts }, 'spec.x') ?? '', /^spec\.x: status\.dns has CNAME Shop/);
  t.is(mistakeInEntries(workspace, { former: hosts, hosts }, 'spec.x'), undefined);
});

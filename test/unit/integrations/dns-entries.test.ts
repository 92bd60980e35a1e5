import test from 'ava';
import { dnsOf } from '../../../integrations/dns-entries.ts';
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

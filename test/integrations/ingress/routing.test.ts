import test from 'ava';
import type { RouteObject } from '../../../integrations/ingress/kinds.ts';
import {
  dnsOf,
  gatewayAddresses,
  ingressAddresses,
  isAccepted,
  unacceptedReason,
} from '../../../integrations/ingress/routing.ts';
import { aWorkspace } from '../../a-workspace.ts';

const route = (status: RouteObject['status']): RouteObject => ({
  apiVersion: 'a/v1',
  kind: 'HTTPRoute',
  metadata: { name: 'shop' },
  ...(status && { status }),
});
const accepted = (status: string, message?: string) =>
  route({ parents: [{ conditions: [{ type: 'Accepted', status, ...(message && { message }) }] }] });

test('addresses come before names, and of names there is one', (t) => {
  t.deepEqual(ingressAddresses(route(undefined)), []);
  const mixed = [{ hostname: 'LB.example.test.' }, { ip: '192.0.2.1' }, { ip: '2001:db8::1' }];
  t.deepEqual(ingressAddresses(route({ loadBalancer: { ingress: mixed } })), ['192.0.2.1', '2001:db8::1']);
  const names = [{ hostname: 'LB.example.test.' }, { hostname: 'b.test' }, { hostname: 'not a name' }];
  t.deepEqual(ingressAddresses(route({ loadBalancer: { ingress: names } })), ['lb.example.test']);
  const gateway = { ...route(undefined), status: { addresses: [{ value: '192.0.2.7' }, {}] } };
  t.deepEqual(gatewayAddresses(gateway), ['192.0.2.7']);
});

test('an HTTPRoute is accepted, refused with the words of its Gateway, or neither', (t) => {
  t.deepEqual([route(undefined), accepted('False'), accepted('True')].map(isAccepted), [false, false, true]);
  t.is(unacceptedReason(route(undefined)), undefined);
  t.is(unacceptedReason(accepted('True')), undefined);
  t.is(unacceptedReason(accepted('False', 'no such listener')), 'HTTPRoute shop is not accepted: no such listener');
  t.is(unacceptedReason(accepted('False', 'x'.repeat(5000)))?.length, 332);
});

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

import test from 'ava';
import type { RouteObject } from '../../../../integrations/ingress/kinds.ts';
import {
  gatewayAddresses,
  ingressAddresses,
  isAccepted,
  unacceptedReason,
} from '../../../../integrations/ingress/routing.ts';

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

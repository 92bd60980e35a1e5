import test from 'ava';
import { defineIntegration } from '../../../../../sdk/provider/contract/define-integration.ts';
import type { Integration } from '../../../../../sdk/provider/contract/integration.ts';

const integration: Integration = {
  name: 'acme-dns',
  condition: 'DNS',
  handles: () => true,
  connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
};

test('a sound integration is given back as it is', (t) => t.is(defineIntegration(integration), integration));

const bad: readonly (readonly [change: object, message: RegExp])[] = [
  [{ name: 'Acme DNS' }, /name must be a DNS label/],
  [{ name: 'x'.repeat(64) }, /name must be a DNS label/],
  [{ condition: '' }, /condition must be a condition type/],
  [{ name: 'constructor' }, /name must not be the name of a member of every object, .*; found "constructor"/],
  [{ condition: '__proto__' }, /condition must not be the name of a member of every object, .*; found "__proto__"/],
  [{ condition: 'toString' }, /condition must not be .*: choose another; found "toString"/],
  [{ condition: 'Ready' }, /which is the sequencer’s/],
  [{ after: ['DNS'] }, /after must not hold its own condition/],
  [{ after: 'DNS' }, /after must be an array of condition types; found "DNS"/],
  [{ after: [1] }, /after must be an array of condition types; found an array of 1/],
  [{ name: 7 }, /integration 7: name must be a DNS label/],
  [{ condition: 'x'.repeat(317) }, /condition must be a condition type .*; found a text of 317 characters/],
  [{ owns: 'Pod' }, /owns must be an array of kinds; found "Pod"/],
  [{ owns: [{ kind: 'Pod' }] }, /owns must be an array of kinds; found an array of 1/],
  [{ settings: { host: 'string' } }, /settings must be a schema of zod 4; found \{"host":"string"\}/],
  [{ outputs: { 'a-b': { description: 'x' } } }, /outputs must be named by a letter/],
  [{ outputs: { host: 'its host' } }, /outputs \.host must be \{ description, secret\?, each\? \}; found "its host"/],
  [{ references: ['Database.host'] }, /references must be a function/],
  [{ uniqueNames: ['shop.example.com'] }, /uniqueNames must be a function/],
  [{ limits: 5 }, /limits must be an object; found 5/],
  [{ handles: true }, /handles must be a function/],
  [{ connect: undefined }, /connect must be a function/],
  [{ endpoints: ['db.example.com'] }, /endpoints must be URLs with a host and a port, .*; found an array of 1/],
  [{ policy: 'observe' }, /policy must be one of manage, orphan, plan, observeOnly; found "observe"/],
  [{ limits: { rate: 0 } }, /limits: rate must be a number of calls per second above 0, found 0/],
  [
    { retry: 3 },
    /retry is not an option; known are name, condition, after, settings, outputs, references, reads, uniqueNames, validate, owns, permissions, endpoints, policy, secrets, limits, handles, connect/,
  ],
];
test('what is not an object is not an integration', (t) => {
  for (const value of [undefined, 'dns', []])
    t.throws(() => defineIntegration(value as unknown as Integration), { message: /an integration must be an object/ });
});

for (const [change, message] of bad)
  test(`refuses ${JSON.stringify(change)}`, (t) =>
    void t.throws(() => defineIntegration({ ...integration, ...change } as Integration), {
      instanceOf: TypeError,
      message,
    }));

test('refuses functions of a class, which are lost where the integration is copied', (t) => {
  class Acme {
    readonly name = 'acme';
    readonly condition = 'Acme';
    handles(): boolean {
      return true;
    }
    connect = integration.connect;
  }
  t.throws(() => defineIntegration(new Acme()), {
    instanceOf: TypeError,
    message: /handles must be a member of the object itself; found one of its class/,
  });
});

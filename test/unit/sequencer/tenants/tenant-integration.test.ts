import test from 'ava';
import * as z from 'zod';
import { Pod } from '../../../../sdk/index.ts';
import { configKinds, representativesOf, servedKinds } from '../../../../sequencer/tenants/tenant-integration.ts';
import { aWorkspace } from '../../a-workspace.ts';
import { acmeType } from './fixtures/a-config.ts';

test('a type stands in as an integration of its name, with what rights and order are derived from', (t) => {
  const [one] = representativesOf({ acme: { ...acmeType, after: ['Components'], owns: [Pod] } });
  t.like(one, { name: 'acme', condition: 'DNS', after: ['Components'], owns: [Pod] });
  t.true(one?.handles(aWorkspace({ spec: { networking: { dns: { zone: 'example.com' } } } })));
  t.false(one?.handles(aWorkspace()));
});

test('names that one workspace alone should have are those of the type, whatever config is used', (t) => {
  const uniqueNames = () => ['www.example.com'];
  t.deepEqual(representativesOf({ acme: { ...acmeType, uniqueNames } })[0]?.uniqueNames?.(aWorkspace()), [
    'www.example.com',
  ]);
  t.is(representativesOf({ acme: acmeType })[0]?.uniqueNames, undefined);
});

const mistakes: readonly (readonly [object, RegExp])[] = [
  [{ create: undefined }, /tenantIntegrations\["acme"\]: create must be a function/],
  [{ handles: true }, /handles must be a function/],
  [{ uniqueNames: ['www'] }, /uniqueNames must be a function/],
  [{ validate: [] }, /validate must be a function \(options, mutableOptions\)/],
  [{ secrets: ['token', '__proto__'] }, /secrets must not name "__proto__", a member of every object: choose another/],
  [{ secrets: 'token' }, /secrets must be a list of names/],
  [{ condition: 'Ready' }, /condition must be a condition type other than Ready/],
  [{ mutableOptions: z.object({ a: z.string() }) }, /mutableOptions drops misspelt members: z\.strictObject/],
  [{ options: z.object({ a: z.string() }) }, /options drops misspelt members: z\.strictObject/],
  [{ option: {} }, /option/],
];
for (const [field, message] of mistakes)
  test(`${JSON.stringify(field)} is refused as ${message}`, (t) => {
    t.throws(() => representativesOf({ acme: { ...acmeType, ...field } as never }), { instanceOf: TypeError, message });
  });

test('two types whose claims would look alike are refused', (t) => {
  const [a, b] = ['a', 'b'].map((end) => `${'acme-'.repeat(5)}${end}`) as [string, string];
  const types = { [a]: acmeType, [b]: acmeType };
  t.throws(() => representativesOf(types), {
    instanceOf: TypeError,
    message: /differ from other types in its first 24/,
  });
});

test('configs are served where a type is opened, cluster-wide ones only for all namespaces', (t) => {
  const tenantIntegrations = { acme: acmeType };
  const kinds = (all: ReturnType<typeof configKinds>) => all.map(({ kind }) => kind);
  t.deepEqual(kinds(servedKinds({})), ['Workspace']);
  t.deepEqual(kinds(configKinds({ tenantIntegrations: {} })), []);
  t.deepEqual(kinds(servedKinds({ tenantIntegrations, namespace: 'a' })), ['Workspace', 'IntegrationConfig']);
  t.deepEqual(kinds(configKinds({ tenantIntegrations })), ['IntegrationConfig', 'ClusterIntegrationConfig']);
});

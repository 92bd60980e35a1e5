import test from 'ava';
import { tenantsBy } from '../../../../../sdk/operator/engine/tenants.ts';

const widget = { apiVersion: 'example.com/v1', kind: 'Widget' };
const labelled = (team: string) => ({ ...widget, metadata: { name: 'shop', namespace: 'a', labels: { team } } });
const none = () => undefined;

test('without a choice there is one tenant', (t) => {
  t.is(tenantsBy(undefined, none), undefined);
});

test('the namespace of a key counts, with and without a resource kind before it', (t) => {
  const tenantOf = tenantsBy('namespace', none)!;
  t.is(tenantOf('team-a/shop'), 'team-a');
  t.is(tenantOf('node-1'), '');
  t.is(tenantOf('apps/v1 things team-a/shop'), 'team-a');
  t.is(tenantOf('apps/v1 node-1'), '');
});

test('a function of the object decides, and where it cannot the namespace does', (t) => {
  const by = ({ metadata }: { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } }) =>
    metadata.labels!.team!;
  t.is(tenantsBy(by, () => labelled('blue'))!('a/shop'), 'blue');
  t.is(tenantsBy(by, none)!('a/shop'), 'a', 'a deleted object');
  t.is(tenantsBy(by, () => ({ ...widget, metadata: { name: 'shop' } }))!('a/shop'), 'a', 'a function that throws');
  t.is(tenantsBy((() => 7) as never, () => labelled('blue'))!('a/shop'), 'a', 'no string');
});

import test from 'ava';
import { changedTable } from '../../../cluster/resources/table-changes.ts';
import type { Facts, GoResource, GoStruct } from './facts.ts';
import { changesFile, versionChanges } from './version-changes.ts';

const nothing: Facts = {
  types: [],
  resources: [],
  forms: [],
  roles: {
    clusterRoles: [],
    controllerRoles: [],
    roles: {},
    clusterBindings: [],
    controllerBindings: [],
    bindings: {},
  },
  seeds: { flowSchemas: [], priorityLevels: [], priorityClasses: [], apiServices: {} },
};
const struct = (name: string, ...fields: readonly string[]): GoStruct => ({
  package: 'k8s.io/api/shop/v1',
  name,
  fields: fields.map((field) => ({ name: field, type: { is: 'string' }, omitEmpty: true })),
});
const orders = (...columns: readonly (readonly [string, string])[]): GoResource => ({
  group: 'shop.k8s.io',
  version: 'v1',
  path: 'orders',
  kindGroup: 'shop.k8s.io',
  kindVersion: 'v1',
  kind: 'Order',
  verbs: ['get'],
  columns: columns.map(([name, description]) => ({ name, description })),
});

test('only what differs is kept: types by section, columns one by one, other tables by their names', (t) => {
  const facts: Facts = {
    ...nothing,
    types: [struct('Box', 'size'), struct('Order', 'note'), struct('Till', 'sum')],
    resources: [orders(['Name', ''], ['Size', 'in cm'], ['Sum', 'in cents'])],
  };
  const other: Facts = {
    ...nothing,
    types: [struct('Box', 'size'), struct('Order', 'note', 'paid'), struct('Sale', 'id')],
    resources: [{ ...orders(['Name', ''], ['Size', 'in mm']), shortNames: ['o'] }],
    seeds: { ...nothing.seeds, apiServices: { 'v1.shop.k8s.io': { versionPriority: 15 } } },
  };
  const changes = versionChanges(facts, other);
  t.deepEqual(changes, {
    types: { shop: { Order: 'Order note:s paid:s', Sale: 'Sale id:s', Till: null } },
    columns: { 'orders Size': 'in mm', 'orders Sum': null },
    tables: {
      builtinTable: { 'shop.k8s.io/v1': 'shop.k8s.io/v1\n  Order orders -o =get' },
      apiServiceTable: { 'v1.shop.k8s.io': 'v1.shop.k8s.io {"versionPriority":15}' },
    },
  });
  t.is(
    changedTable('\nBox size:s\nTill sum:s\n', changes.types.shop),
    '\nBox size:s\nOrder note:s paid:s\nSale id:s\n',
  );
  t.true(changesFile(changes, 'v1.36.0').includes('between Kubernetes v1.36.0 and the tables'));
  t.deepEqual(versionChanges(facts, facts), { types: {}, columns: {}, tables: {} });
});

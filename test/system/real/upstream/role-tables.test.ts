import test from 'ava';
import type { GoRoles } from './facts.ts';
import { roleTables } from './role-tables.ts';

const nothing: GoRoles = {
  clusterRoles: [],
  controllerRoles: [],
  roles: {},
  clusterBindings: [],
  controllerBindings: [],
  bindings: {},
};

test('rules are written in short, roles in the order of their names, and an aggregated one is left out', (t) => {
  const { clusterRoleTable, controllerRoleTable, roleTable } = roleTables({
    ...nothing,
    clusterRoles: [
      {
        metadata: { name: 'shop:reader' },
        rules: [
          { verbs: ['get', 'list', 'watch'], apiGroups: ['', 'shop.k8s.io'], resources: ['orders', 'orders/status'] },
          { verbs: ['create', 'patch', 'update'], apiGroups: ['', 'events.k8s.io'], resources: ['events'] },
        ],
      },
      { metadata: { name: 'edit' }, rules: null, aggregationRule: {} },
      { metadata: { name: 'shop:prober' }, rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/livez'] }] },
    ],
    controllerRoles: [
      {
        metadata: { name: 'system:controller:till' },
        rules: [{ verbs: ['update'], apiGroups: ['shop.k8s.io'], resources: ['tills'], resourceNames: ['first'] }],
      },
    ],
    roles: {
      'kube-public': [
        { metadata: { name: 'shop' }, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] },
      ],
    },
  });
  t.is(
    clusterRoleTable,
    '\nshop:prober\n  get - /healthz,/livez\nshop:reader\n  read core,shop.k8s.io orders,orders/status; events\n',
  );
  t.is(controllerRoleTable, '\ntill\n  update shop.k8s.io tills first\n');
  t.is(roleTable, '\nkube-public/shop\n  get core pods\n');
});

test('a binding is written with its role and subjects; an account of another namespace has no notation', (t) => {
  const bound = (...subjects: { kind: string; name: string; namespace?: string }[]) =>
    roleTables({ ...nothing, clusterBindings: [{ metadata: { name: 'a' }, roleRef: { name: 'b' }, subjects }] });
  const group = { kind: 'Group', name: 'system:nodes' };
  const user = { kind: 'User', name: 'ann' };
  const account = { kind: 'ServiceAccount', name: 'till', namespace: 'kube-system' };
  t.is(bound(group, user, account).clusterBindingTable, '\na b system:nodes user=ann account=till\n');
  t.throws(() => bound({ ...account, namespace: 'shop' }), { message: /shop\/till/ });
});

import test from 'ava';
import { recordedHash, selectorOf, wantedOf } from '../../../../integrations/components/objects.ts';
import type { Component, NewObject, Pod, WorkspaceSpec } from '../../../../sdk/index.ts';
import { aWorkspace } from '../../a-workspace.ts';

const rules = {
  workload: 'Pod',
  versions: new Map(),
  podSecurity: 'restricted',
  serviceAccounts: ['default'],
} as const;
const db: Component = {
  name: 'db',
  networks: [{ name: 'sql', port: 5432, targetPort: 15432, protocol: 'TCP' }],
  template: { containers: [{ name: 'db', image: 'postgres' }] },
};
const web: Component = {
  name: 'web',
  template: { containers: [{ name: 'web', image: 'shop', args: ['${components::db.networks.sql}'] }] },
  dependsOn: [{ componentName: 'db', conditionType: 'Ready', conditionStatus: 'True' }],
};
const wanted = (components: WorkspaceSpec['components']) => {
  const made = wantedOf(aWorkspace({ spec: { components } }), rules);
  if (made.kind === 'mistake') throw new Error(made.reason);
  return made.components;
};
const mistakeOf = (...components: readonly Component[]): string => {
  const made = wantedOf(aWorkspace({ spec: { components } }), rules);
  return made.kind === 'mistake' ? made.reason : 'no mistake';
};

test('a component is a pod and a service for each of its networks, named and labelled after it', (t) => {
  const [made] = wanted([db]);
  t.is(made!.workload.object.metadata.name, 'shop-db');
  t.deepEqual(made!.workload.object.metadata.labels, {
    'components.sequencer.io/name': 'db',
    'components.sequencer.io/instance': 'shop',
  });
  t.is(made!.services.length, 1);
  t.is(made!.services[0]!.metadata.name, 'shop-db-sql');
  t.is(made!.services[0]!.metadata.labels?.['components.sequencer.io/network'], 'sql');
  t.deepEqual(made!.services[0]!.spec, {
    selector: selectorOf(aWorkspace(), 'db'),
    ports: [{ name: 'sql', port: 5432, targetPort: 15432, protocol: 'TCP' }],
  });
});

test('the labels of a workspace whose name is longer than a label may be are shorter, and its own', (t) => {
  const [one, other] = ['x', 'y'].map((end) => selectorOf(aWorkspace({ name: `${'x'.repeat(70)}${end}` })));
  t.regex(one!['components.sequencer.io/instance']!, /^x{46}-[0-9a-f]{16}$/);
  t.notDeepEqual(one, other);
});

test('a reference stands for the name and port of the service', (t) => {
  const made = wanted([db, web])[1]!;
  t.deepEqual((made.workload.object as NewObject<Pod>).spec?.containers[0]?.args, ['shop-db-sql.default.svc:5432']);
  t.deepEqual(made.dependencies, [{ component: 'db', type: 'Ready', status: 'True' }]);
});

test('the order of members makes no difference to the hash, a value does', (t) => {
  const [one] = wanted([db]);
  const [same] = wanted([
    { template: { containers: [{ image: 'postgres', name: 'db' }] }, networks: db.networks, name: 'db' },
  ]);
  const [other] = wanted([{ ...db, template: { containers: [{ name: 'db', image: 'postgres:18' }] } }]);
  t.is(recordedHash(one!.workload.object), recordedHash(same!.workload.object));
  t.not(recordedHash(one!.workload.object), recordedHash(other!.workload.object));
  t.is(recordedHash(one!.services[0]!), recordedHash(other!.services[0]!));
});

test('another port of one component changes the pods that refer to it', (t) => {
  const moved = { ...db, networks: [{ ...db.networks![0]!, port: 5433 }] };
  const [before, after] = [wanted([db, web]), wanted([moved, web])];
  t.is(recordedHash(before[0]!.workload.object), recordedHash(after[0]!.workload.object));
  t.not(recordedHash(before[1]!.workload.object), recordedHash(after[1]!.workload.object));
});

test('an unknown reference is a mistake that names component and path', (t) => {
  t.is(
    mistakeOf({ ...web, dependsOn: [] }),
    'component web: template.containers[0].args[0]: ${components::db.networks.sql} stands for nothing; no component has a network',
  );
});

test('two services of one name are a mistake that names both components', (t) => {
  const network = { name: 'c', port: 1, targetPort: 1, protocol: 'TCP' } as const;
  t.is(
    mistakeOf(
      { name: 'a', template: {}, networks: [{ ...network, name: 'b-c' }] },
      { name: 'a-b', template: {}, networks: [network] },
    ),
    'components a and a-b both make a service shop-a-b-c: rename one',
  );
});

test('a circle is a mistake', (t) => {
  t.is(
    mistakeOf(db, { ...web, dependsOn: [{ ...web.dependsOn![0]!, componentName: 'web' }] }),
    'dependsOn goes in a circle: web -> web',
  );
});

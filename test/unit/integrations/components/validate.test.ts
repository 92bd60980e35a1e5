import test from 'ava';
import { components } from '../../../../integrations/components/index.ts';
import type { Component } from '../../../../sdk/index.ts';
import { aWorkspace } from '../../a-workspace.ts';

const of = (list: readonly Component[], options = {}) =>
  components(options).validate?.(aWorkspace({ spec: { components: list } }));
const one = (template: Component['template'], more = {}): readonly Component[] => [
  { name: 'db', template: { containers: [] } },
  { name: 'web', template, ...more },
];
const container = (more: object) => ({ containers: [{ name: 'web', image: 'web', ...more }] });

for (const [what, list, field, message] of [
  [
    'a template that breaks the Pod Security Standard',
    one({ hostNetwork: true }),
    'spec.components[1].template.hostNetwork',
    /^component web: template\.hostNetwork: must be unset or false, not true/,
  ],
  [
    'a field of a container',
    one(container({ securityContext: { privileged: true } })),
    'spec.components[1].template.containers[0].securityContext.privileged',
    /Privileged Containers/,
  ],
  [
    'a service account that is not allowed',
    one({ serviceAccountName: 'admin' }),
    'spec.components[1].template.serviceAccountName',
    /"admin" is not allowed here/,
  ],
  [
    'a reference to a network that there is not',
    one(container({ env: [{ name: 'a', value: '${components::db.networks.sql}' }] })),
    'spec.components[1].template.containers[0].env[0].value',
    /stands for nothing/,
  ],
  [
    'components that wait for each other',
    one({}, { dependsOn: [{ componentName: 'web' }] }),
    'spec.components',
    /^dependsOn goes in a circle: web -> web$/,
  ],
] as const)
  test(`${what} is reported with its field`, (t) => {
    const [found, ...others] = of(list) ?? [];
    t.deepEqual(others, []);
    t.is(found?.field, field);
    t.regex(found?.message ?? '', message);
  });

test('a template with members named like those of every object is judged, not thrown at', (t) => {
  for (const member of ['constructor', '__proto__', 'toString'])
    t.deepEqual(of(one(JSON.parse(`{"containers":[{"name":"web","image":"web","${member}":{}}]}`))), [], member);
});

test('a template that may run is not a mistake', (t) => {
  t.deepEqual(of(one(container({}))), []);
  t.deepEqual(of(one({ hostNetwork: true }), { podSecurity: 'privileged' }), []);
});

test('what is made of outputs that are not there yet is not judged, and all else is', (t) => {
  const pending = '${outputs::Database.url}';
  const env = {
    env: [
      { name: 'a', valueFrom: { secretKeyRef: pending } },
      { name: 'b', value: `x${pending}` },
    ],
  };
  t.deepEqual(of(one({ ...container(env), serviceAccountName: pending })), []);
  t.deepEqual(of(one({ ...container(env), securityContext: { seccompProfile: { type: pending } } })), []);
  const [found] = of(one({ ...container(env), hostPID: true })) ?? [];
  t.is(found?.field, 'spec.components[1].template.hostPID');
});

import test from 'ava';
import { configDigestOf, configVersionsOf } from '../../../../integrations/components/config-versions.ts';
import type { ConfigMap, Secret } from '../../../../sdk/index.ts';
import { excessiveGrowth, items, workOn } from '../../growth.ts';

const versioned = (name: string, resourceVersion: string, data: object = {}) =>
  ({ metadata: { name, uid: `uid-${name}`, resourceVersion }, data }) as unknown as Secret & ConfigMap;

const references = {
  'an env of a Secret': { containers: [{ env: [{ valueFrom: { secretKeyRef: { name: 'a', key: 'k' } } }] }] },
  'an envFrom of a Secret': { initContainers: [{ envFrom: [{ secretRef: { name: 'a' } }] }] },
  'a volume of a Secret': { volumes: [{ name: 'v', secret: { secretName: 'a' } }] },
  'a projected Secret': { volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 'a' } }] } }] },
  'an env of a ConfigMap': { containers: [{ env: [{ valueFrom: { configMapKeyRef: { name: 'b', key: 'k' } } }] }] },
  'an envFrom of a ConfigMap': { containers: [{ envFrom: [{ configMapRef: { name: 'b' } }] }] },
  'a volume of a ConfigMap': { volumes: [{ name: 'v', configMap: { name: 'b' } }] },
} as const;

for (const [what, spec] of Object.entries(references))
  test(`${what} has a digest that changes with its version, and with no other`, (t) => {
    const digest = (a: string, b: string, c: string) =>
      configDigestOf(spec, configVersionsOf([versioned('a', a), versioned('c', c)], [versioned('b', b)]));
    const before = digest('1', '1', '1');
    t.regex(before ?? '', /^[0-9a-f]{16}$/);
    t.not(digest('2', '2', '1'), before);
    t.is(digest('1', '1', '2'), before);
  });

test('a pod that names none of them, or none with a known version, has no digest', (t) => {
  t.is(
    configDigestOf({ containers: [{ name: 'a', image: 'a' }] }, configVersionsOf([versioned('a', '1')], [])),
    undefined,
  );
  t.is(configDigestOf(references['a volume of a Secret'], new Map()), undefined);
});

test('nothing of the data is in a version', (t) => {
  const [one] = configVersionsOf([versioned('a', '1', { password: 'hunter2' })], []);
  t.deepEqual(one, ['Secret/a', 'uid-a/1']);
});

test('a template is searched in proportion to its size, however wide or deep', async (t) => {
  const volumes = (size: number) => ({
    volumes: items(size, 40, () => ({ secret: { secretName: 'a' } })),
  });
  const deep = (size: number) => items(size, 8, () => 0).reduce<object>((inner) => ({ a: inner }), {});
  for (const make of [volumes, deep])
    t.is(await excessiveGrowth(workOn(make, (spec: object) => configDigestOf(spec, new Map()))), undefined);
});

test('members that are named like those of every object are none', (t) => {
  for (const member of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    const spec = JSON.parse(`{"containers":[{"name":"a","${member}":{"name":"a"}}]}`) as object;
    t.is(configDigestOf(spec, configVersionsOf([versioned('a', '1')], [])), undefined, member);
  }
});

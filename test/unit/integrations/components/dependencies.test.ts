import test from 'ava';
import fc from 'fast-check';
import { cycleOf, dependenciesOf, removable } from '../../../../integrations/components/dependencies.ts';
import type { Component } from '../../../../sdk/index.ts';

const component = (name: string, ...needs: readonly string[]): Component => ({
  name,
  template: {},
  dependsOn: needs.map((componentName) => ({ componentName, conditionType: 'Ready', conditionStatus: 'True' })),
});

test('components that wait for each other in a circle are named in its order', (t) => {
  const all = [component('entry', 'a'), component('a', 'b'), component('b', 'c'), component('c', 'a')];
  t.is(cycleOf(all), 'dependsOn goes in a circle: a -> b -> c -> a');
});

test('a component that waits for itself is the smallest circle', (t) => {
  t.is(cycleOf([component('a', 'a')]), 'dependsOn goes in a circle: a -> a');
});

test('many ways to the same component are no circle', (t) => {
  t.is(cycleOf([component('a', 'b', 'c'), component('b', 'd'), component('c', 'd'), component('d')]), undefined);
});

test('a dependency on a component that is not there says where it is and what is known', (t) => {
  const all = [component('db'), component('web', 'db', 'cache')];
  t.deepEqual(dependenciesOf(all[1]!, new Set(['db', 'web'])), {
    kind: 'mistake',
    reason: 'component web: dependsOn[1].componentName: there is no component cache; known are db, web',
  });
});

test('removing what none waits for, again and again, ends with nothing, in any order', (t) => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const anyComponents = fc
    .tuple(...names.map(() => fc.subarray(names)))
    .map((needs) => names.map((name, index) => component(name, ...needs[index]!)));
  fc.assert(
    fc.property(anyComponents, (all) => {
      let present: ReadonlySet<string> = new Set(names);
      for (let round = 0; round < names.length; round += 1) {
        const gone = removable(present, all);
        present = new Set([...present].filter((name) => !gone.has(name)));
      }
      return present.size === 0;
    }),
  );
  t.pass();
});

test('what others wait for goes after them', (t) => {
  const all = [component('db'), component('api', 'db'), component('web', 'api')];
  t.deepEqual([...removable(new Set(['db', 'api', 'web']), all)], ['web']);
  t.deepEqual([...removable(new Set(['db', 'api']), all)], ['api']);
  t.deepEqual([...removable(new Set(['db', 'gone']), all)], ['db', 'gone']);
});

import test from 'ava';
import { jsonPath } from '../../../../cluster/encoding/table/json-path.ts';
import { excessiveGrowth, repeated, workOn } from '../../../growth.ts';

const object = {
  spec: {
    ports: [
      { name: 'a b', port: 80 },
      { name: 'c', port: 443, tls: true },
    ],
    'x.y': 1,
  },
};

/** Values found by path. */
const found: readonly (readonly [path: string, values: readonly unknown[]])[] = [
  ['.spec.ports[0].port', [80]],
  ['.spec.ports[-1].port', [443]],
  ['.spec.ports[*].port', [80, 443]],
  ['.spec.ports[:1].name', ['a b']],
  ['.spec.x\\.y', [1]],
  ["['spec']['x.y']", [1]],
  ['.spec.ports[?(@.port>100)].name', ['c']],
  ['.spec.ports[?(@.name == "a b")].port', [80]],
  ['.spec.ports[?(@.tls)].port', [443]],
  ['.spec.ports[?( @.port != 80 )].port', [443]],
];

for (const [path, values] of found) {
  test(`the path ${path} finds ${JSON.stringify(values)}`, (t) => t.deepEqual(jsonPath(path)(object), values));
}

for (const [what, make] of [
  ['open brackets', (size: number) => `.${repeated('[', size)}`],
  ['spaces in a filter', (size: number) => `.a[?(@${repeated(' ', size)}x)]`],
] as const) {
  test(`a path of ${what} is parsed in time linear in its length`, async (t) => {
    t.is(await excessiveGrowth(workOn(make, jsonPath), { size: 1 << 17 }), undefined);
  });
}

/** `testSteps` against a server that is in memory or real: an operator is tested on either. */

import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { testSteps } from '../../../../cluster/index.ts';
import { aServer } from '../../a-server.ts';

test('TestCase: each step acts, and the next one begins when its check holds', async (t) => {
  const { client, key } = await aServer();
  const seen: unknown[] = [];
  await testSteps({
    client,
    kind: ConfigMap,
    key: key('a'),
    steps: [
      { name: 'absent', check: (object) => object === undefined },
      {
        name: 'made',
        act: () => client.create(ConfigMap, { metadata: key('a'), data: { n: '1' } }),
        check: (object) => seen.push(object?.data?.n) > 0 && object !== undefined,
      },
      {
        name: 'changed',
        act: () => client.patch(ConfigMap, key('a'), { type: 'merge', value: { data: { n: '2' } } }),
        check: (object) => seen.push(object?.data?.n) > 0 && object?.data?.n === '2',
      },
      { name: 'gone', act: () => client.delete(ConfigMap, key('a')), check: (object) => object === undefined },
    ],
  });
  t.deepEqual([...new Set(seen.filter((n) => n !== undefined))], ['1', '2']);
});

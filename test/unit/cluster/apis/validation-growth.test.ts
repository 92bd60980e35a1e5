import test from 'ava';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { overlapOf } from '../../../cluster/apis/batch/job-indexes.ts';
import { endpointSlice } from '../../../cluster/apis/core/endpoint-validation.ts';
import { storageClass } from '../../../cluster/apis/storage/storage-validation.ts';
import { excessiveGrowth, items, workOn } from '../../growth.ts';

const cases: readonly (readonly [what: string, make: (size: number) => unknown, work: (input: never) => unknown])[] = [
  [
    'ports of an EndpointSlice',
    (size) => ({ addressType: 'IPv4', ports: items(size, 16, (index) => ({ name: `p${index}`, protocol: 'TCP' })) }),
    (object: Fields) => [...endpointSlice(object, undefined)],
  ],
  [
    'topologies of a StorageClass',
    (size) => {
      const values = items(size, 16, (index) => `zone-${index}`);
      const allowedTopologies = [{ matchLabelExpressions: [{ key: 'zone', values }] }];
      return { provisioner: 'example.test/disks', reclaimPolicy: 'Delete', allowedTopologies };
    },
    (object: Fields) => [...storageClass(object, undefined)],
  ],
  [
    'completed and failed indexes of a Job',
    (size) => [0, 1].map((first) => items(size, 16, (index) => 4 * index + 2 * first).join()),
    ([completed, failed]: readonly [string, string]) => overlapOf(completed, failed, 2 ** 31),
  ],
];

for (const [what, make, work] of cases) {
  test(`the work of validation grows with the ${what}, not with their square`, async (t) => {
    t.is(await excessiveGrowth(workOn(make as (size: number) => never, work)), undefined);
  });
}

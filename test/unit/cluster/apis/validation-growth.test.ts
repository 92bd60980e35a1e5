import test from 'ava';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { overlapOf } from '../../../cluster/apis/batch/job-indexes.ts';
import { warningsOf } from '../../../cluster/apis/builtin-warnings.ts';
import { endpointSlice } from '../../../cluster/apis/core/endpoint-validation.ts';
import { sourceErrors } from '../../../cluster/apis/core/volumes/persistent-volume-sources.ts';
import { storageClass } from '../../../cluster/apis/storage/storage-validation.ts';
import { excessiveGrowth, items, repeated, workOn } from '../../growth.ts';

const created = { former: undefined, subresource: undefined };
const tls = (certificate: string, key = ''): Fields => {
  const [crt, pem] = [certificate, key].map((text) => Buffer.from(text).toString('base64'));
  return { type: 'kubernetes.io/tls', data: { 'tls.crt': crt, 'tls.key': pem } };
};
const warningsOfSecret = (secret: Fields) => warningsOf('core.Secret', secret, created);

const files = (size: number, path: (index: number) => string): Fields => ({
  spec: {
    volumes: [
      { name: 'v', configMap: { name: 'c', items: items(size, 16, (index) => ({ key: 'k', path: path(index) })) } },
    ],
  },
});
const warningsOfFiles = (pod: Fields) => warningsOf('core.Pod', pod, created);

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
  [
    'begins of certificates in a Secret',
    (size) => tls(repeated('-----BEGIN CERTIFICATE-----', size)),
    warningsOfSecret,
  ],
  [
    'begins of keys in a Secret',
    (size) =>
      tls('-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----', repeated('-----BEGIN A PRIVATE KEY-----', size)),
    warningsOfSecret,
  ],
  [
    'begins of names in the name of an iSCSI target',
    (size) => ({ iscsi: { targetPortal: '192.0.2.1:3260', lun: 0, iqn: repeated('iqn.2001-01.', size) } }),
    (source: Fields) => [...sourceErrors(source, 'spec', 'v')],
  ],
  ['files of a volume', (size) => files(size, (index) => `f${index}`), warningsOfFiles],
  ['files of one path in a volume', (size) => files(size, () => 'same'), warningsOfFiles],
  [
    'folders in paths of a volume',
    (size) => files(size, (index) => (index === 0 ? repeated('a/', size) : 'a')),
    warningsOfFiles,
  ],
];

for (const [what, make, work] of cases) {
  test(`the work of validation grows with the ${what}, not with their square`, async (t) => {
    t.is(await excessiveGrowth(workOn(make as (size: number) => never, work)), undefined);
  });
}

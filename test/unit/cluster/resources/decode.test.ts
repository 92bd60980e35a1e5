import test from 'ava';
import fc from 'fast-check';
import { freeze } from '../../../cluster/apimachinery/object.ts';
import { builtinTypes } from '../../../cluster/apis/builtin-types.ts';
import { decodeAs } from '../../../cluster/resources/decode.ts';
import { DecodeError } from '../../../cluster/resources/decode-result.ts';

const types = builtinTypes();

const faults: readonly (readonly [type: string, body: object, message: string])[] = [
  [
    'core.ConfigMap',
    { data: { a: 1 } },
    'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
  ],
  [
    'core.ConfigMap',
    { data: ['x'] },
    'json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string',
  ],
  [
    'core.ConfigMap',
    { metadata: { labels: { a: 1 } } },
    'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
  ],
  [
    'core.ConfigMap',
    { metadata: [] },
    'json: cannot unmarshal array into Go struct field ConfigMap.metadata of type v1.ObjectMeta',
  ],
  [
    'core.ConfigMap',
    { metadata: { ownerReferences: [{ controller: 'x' }] } },
    'json: cannot unmarshal string into Go struct field OwnerReference.metadata.ownerReferences.controller of type bool',
  ],
  ['core.ConfigMap', { binaryData: { a: '!!' } }, 'illegal base64 data at input byte 0'],
  [
    'core.ConfigMap',
    { metadata: { creationTimestamp: 'x' } },
    'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
  ],
  [
    'apps.Deployment',
    { spec: { replicas: 'x' } },
    'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [
    'apps.Deployment',
    { spec: { replicas: 1.5 } },
    'json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [
    'apps.Deployment',
    { spec: { template: { spec: { containers: ['x'] } } } },
    'json: cannot unmarshal string into Go struct field PodSpec.spec.template.spec.containers of type v1.Container',
  ],
  [
    'apps.Deployment',
    { spec: { strategy: { rollingUpdate: { maxSurge: {} } } } },
    'json: cannot unmarshal object into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32',
  ],
  [
    'core.Pod',
    { spec: { containers: [{ resources: { limits: { cpu: 'x' } } }] } },
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  [
    'core.PersistentVolumeClaim',
    { spec: { accessModes: {} } },
    'json: cannot unmarshal object into Go struct field PersistentVolumeClaimSpec.spec.accessModes of type []v1.PersistentVolumeAccessMode',
  ],
  [
    'core.PersistentVolumeClaim',
    { status: { allocatedResourceStatuses: [] } },
    'json: cannot unmarshal array into Go struct field PersistentVolumeClaimStatus.status.allocatedResourceStatuses of type map[v1.ResourceName]v1.ClaimResourceStatus',
  ],
  [
    'flowcontrol.FlowSchema',
    { spec: { distinguisherMethod: { type: 1 } } },
    'json: cannot unmarshal number into Go struct field FlowDistinguisherMethod.spec.distinguisherMethod.type of type v1.FlowDistinguisherMethodType',
  ],
  [
    'certificates.CertificateSigningRequest',
    { spec: { extra: { a: 'x' } } },
    'json: cannot unmarshal string into Go struct field CertificateSigningRequestSpec.spec.extra of type v1.ExtraValue',
  ],
  [
    'core.Pod',
    { metadata: { uid: 1 } },
    'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.uid of type types.UID',
  ],
  [
    'coordination.Lease',
    { spec: { renewTime: '2020-01-01T00:00:00Z' } },
    'parsing time "2020-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
  ],
];

for (const [type, body, message] of faults) {
  test(`${type} of ${JSON.stringify(body)} cannot be decoded, in Go's words`, (t) => {
    t.throws(() => decodeAs(types, type, body), { instanceOf: DecodeError, message });
  });
}

test('unknown fields are named in the order of the document and dropped', (t) => {
  const { object, unknown } = decodeAs(types, 'core.Pod', {
    metadata: { name: 'p', zz: 1 },
    spec: { zoo: 1, containers: [{ bar: 1, name: 'x', env: [{ q: 1 }] }] },
    aaa: 1,
  });
  t.deepEqual(unknown, ['metadata.zz', 'spec.zoo', 'spec.containers[0].bar', 'spec.containers[0].env[0].q', 'aaa']);
  t.deepEqual(object, {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'x', env: [{ name: '' }], resources: {} }] },
    status: {},
  });
});

test('empty values are kept, dropped or made up as Go does', (t) => {
  const { object } = decodeAs(types, 'core.Event', { metadata: { name: 'e', labels: {} }, count: 0, type: '' });
  t.deepEqual(freeze(object), {
    metadata: { name: 'e' },
    involvedObject: {},
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  });
  const claim = decodeAs(types, 'core.PersistentVolumeClaim', { spec: { storageClassName: '', volumeName: '' } });
  t.deepEqual(claim.object.spec, { storageClassName: '', resources: {} });
});

test('quantities and times are written in one way', (t) => {
  const { object } = decodeAs(types, 'core.Pod', {
    metadata: { deletionTimestamp: '2020-01-01T02:00:00.5+02:00' },
    spec: { containers: [{ name: 'a', resources: { limits: { cpu: '1000m', memory: '1024Mi' } } }] },
  });
  t.is((object.metadata as { deletionTimestamp: string }).deletionTimestamp, '2020-01-01T00:00:00Z');
  t.like(object.spec, { containers: [{ resources: { limits: { cpu: '1', memory: '1Gi' } } }] });
});

test('bytes may be broken into lines, and are kept in one', (t) => {
  const { object } = decodeAs(types, 'core.Secret', { data: { 'tls.crt': 'LS0t\nQQ==\n' } });
  t.deepEqual(object.data, { 'tls.crt': 'LS0tQQ==' });
});

test('what was decoded once decodes to itself', (t) => {
  const body = fc.record(
    {
      metadata: fc.record({ name: fc.string(), labels: fc.dictionary(fc.string(), fc.string()) }, { requiredKeys: [] }),
      data: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.constant(null))),
      immutable: fc.boolean(),
      extra: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(body, (value) => {
      const once = decodeAs(types, 'core.ConfigMap', value).object;
      const twice = decodeAs(types, 'core.ConfigMap', once);
      t.deepEqual(freeze(twice.object), freeze(once));
      t.deepEqual(twice.unknown, []);
    }),
  );
});

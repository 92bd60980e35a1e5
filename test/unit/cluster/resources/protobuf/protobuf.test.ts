import test from 'ava';
import type { Fields } from '../../../../cluster/apimachinery/object.ts';
import { builtinTypes } from '../../../../cluster/apis/builtin-types.ts';
import { decodeAs } from '../../../../cluster/resources/decode.ts';
import { decodeProtobuf, openEnvelope } from '../../../../cluster/resources/protobuf/protobuf.ts';
import { createMessageEncoder } from '../../../../cluster/resources/protobuf/protobuf-encode.ts';
import { messageOf, numberOf, textOf } from '../../../../cluster/resources/protobuf/protobuf-wire.ts';

const types = builtinTypes();

/** Pod as kube-apiserver 1.34.1 sent it. */
const aPod = [
  'azhzAAoJCgJ2MRIDUG9kEvgPCu0LCgRyaWNoEgAaB2RlZmF1bHQiACokNDI5M2M5MGMtNGUwNC00OWQ1LTlmNjItZGJkMDVmNDg2NjU5MgQxMz',
  'M3OAFCCAiXuIbYBhAAWgYKAWESATFaBgoBYhIBMooBjgsKBG5vZGUSBlVwZGF0ZRoCdjEiCAiXuIbYBhAAMghGaWVsZHNWMTrjCgrgCnsiZjpt',
  'ZXRhZGF0YSI6eyJmOmxhYmVscyI6eyIuIjp7fSwiZjphIjp7fSwiZjpiIjp7fX19LCJmOnNwZWMiOnsiZjphdXRvbW91bnRTZXJ2aWNlQWNjb3',
  'VudFRva2VuIjp7fSwiZjpjb250YWluZXJzIjp7Ims6e1wibmFtZVwiOlwiY1wifSI6eyIuIjp7fSwiZjplbnYiOnsiLiI6e30sIms6e1wibmFt',
  'ZVwiOlwiTlwifSI6eyIuIjp7fSwiZjpuYW1lIjp7fSwiZjp2YWx1ZUZyb20iOnsiLiI6e30sImY6ZmllbGRSZWYiOnt9fX19LCJmOmltYWdlIj',
  'p7fSwiZjppbWFnZVB1bGxQb2xpY3kiOnt9LCJmOmxpdmVuZXNzUHJvYmUiOnsiLiI6e30sImY6ZmFpbHVyZVRocmVzaG9sZCI6e30sImY6aHR0',
  'cEdldCI6eyIuIjp7fSwiZjpwYXRoIjp7fSwiZjpwb3J0Ijp7fSwiZjpzY2hlbWUiOnt9fSwiZjppbml0aWFsRGVsYXlTZWNvbmRzIjp7fSwiZj',
  'pwZXJpb2RTZWNvbmRzIjp7fSwiZjpzdWNjZXNzVGhyZXNob2xkIjp7fSwiZjp0aW1lb3V0U2Vjb25kcyI6e319LCJmOm5hbWUiOnt9LCJmOnBv',
  'cnRzIjp7Ii4iOnt9LCJrOntcImNvbnRhaW5lclBvcnRcIjo4MCxcInByb3RvY29sXCI6XCJUQ1BcIn0iOnsiLiI6e30sImY6Y29udGFpbmVyUG',
  '9ydCI6e30sImY6bmFtZSI6e30sImY6cHJvdG9jb2wiOnt9fX0sImY6cmVhZGluZXNzUHJvYmUiOnsiLiI6e30sImY6ZmFpbHVyZVRocmVzaG9s',
  'ZCI6e30sImY6cGVyaW9kU2Vjb25kcyI6e30sImY6c3VjY2Vzc1RocmVzaG9sZCI6e30sImY6dGNwU29ja2V0Ijp7Ii4iOnt9LCJmOnBvcnQiOn',
  't9fSwiZjp0aW1lb3V0U2Vjb25kcyI6e319LCJmOnJlc291cmNlcyI6eyIuIjp7fSwiZjpsaW1pdHMiOnsiLiI6e30sImY6Y3B1Ijp7fX0sImY6',
  'cmVxdWVzdHMiOnsiLiI6e30sImY6Y3B1Ijp7fX19LCJmOnRlcm1pbmF0aW9uTWVzc2FnZVBhdGgiOnt9LCJmOnRlcm1pbmF0aW9uTWVzc2FnZV',
  'BvbGljeSI6e30sImY6dm9sdW1lTW91bnRzIjp7Ii4iOnt9LCJrOntcIm1vdW50UGF0aFwiOlwiL3ZcIn0iOnsiLiI6e30sImY6bW91bnRQYXRo',
  'Ijp7fSwiZjpuYW1lIjp7fSwiZjpyZWFkT25seSI6e319fX19LCJmOmRuc1BvbGljeSI6e30sImY6ZW5hYmxlU2VydmljZUxpbmtzIjp7fSwiZj',
  'pyZXN0YXJ0UG9saWN5Ijp7fSwiZjpzY2hlZHVsZXJOYW1lIjp7fSwiZjpzZWN1cml0eUNvbnRleHQiOnt9LCJmOnRlcm1pbmF0aW9uR3JhY2VQ',
  'ZXJpb2RTZWNvbmRzIjp7fSwiZjp2b2x1bWVzIjp7Ii4iOnt9LCJrOntcIm5hbWVcIjpcImVcIn0iOnsiLiI6e30sImY6ZW1wdHlEaXIiOnsiLi',
  'I6e30sImY6c2l6ZUxpbWl0Ijp7fX0sImY6bmFtZSI6e319LCJrOntcIm5hbWVcIjpcInZcIn0iOnsiLiI6e30sImY6Y29uZmlnTWFwIjp7Ii4i',
  'Ont9LCJmOmRlZmF1bHRNb2RlIjp7fSwiZjpuYW1lIjp7fX0sImY6bmFtZSI6e319fX19QgAS4AMKEAoBdhILmgEICgMKAWMYpAMKEwoBZRIOEg',
  'wKABIICgYxNTM2TWkS3wEKAWMSA2k6MSoAMhAKA3dlYhAAGFAiA1RDUCoAOhwKAU4SABoVChMKAnYxEg1tZXRhZGF0YS5uYW1lQiAKDgoDY3B1',
  'EgcKBTE1MDBtEg4KA2NwdRIHCgUxNTAwbUoNCgF2EAEaAi92IgAyAFIkChgSFgoBLxIJCAEQABoDd2ViGgAiBEhUVFAQBRgBIAooATADWhgKDB',
  'oKCgYIABBRGgASABAAGAEgCigBMANqFC9kZXYvdGVybWluYXRpb24tbG9ncgxJZk5vdFByZXNlbnSAAQCIAQCQAQCiAQRGaWxlGgZBbHdheXMg',
  'HjIMQ2x1c3RlckZpcnN0QgBKAFIAWABgAGgAcgCCAQCKAQCaARFkZWZhdWx0LXNjaGVkdWxlcqgBALIBNgocbm9kZS5rdWJlcm5ldGVzLmlvL2',
  '5vdC1yZWFkeRIGRXhpc3RzGgAiCU5vRXhlY3V0ZSisArIBOAoebm9kZS5rdWJlcm5ldGVzLmlvL3VucmVhY2hhYmxlEgZFeGlzdHMaACIJTm9F',
  'eGVjdXRlKKwCwgEAyAEA8AEB+gEUUHJlZW1wdExvd2VyUHJpb3JpdHkaIwoHUGVuZGluZxoAIgAqADIASglCdXJzdGFibGVaAHIAiAEAGgAiAA',
  '==',
].join('');

const bytes = Buffer.from(aPod, 'base64');

test('an envelope says what it holds', (t) => {
  const envelope = openEnvelope(bytes);
  t.like(envelope, { apiVersion: 'v1', kind: 'Pod', contentType: '' });
  t.is(openEnvelope(Buffer.from('{"kind":"Pod"}')), undefined);
});

test('a message says the same as its JSON', (t) => {
  const { raw } = openEnvelope(bytes)!;
  const { object, unknown } = decodeAs(types, 'core.Pod', decodeProtobuf(types, 'core.Pod', raw));
  t.deepEqual(unknown, []);
  t.deepEqual((object.metadata as Fields).labels, { a: '1', b: '2' });
  t.is((object.metadata as Fields).creationTimestamp, '2026-11-21T13:26:47Z');
  t.deepEqual(object.spec, {
    volumes: [
      { name: 'v', configMap: { name: 'c', defaultMode: 420 } },
      { name: 'e', emptyDir: { sizeLimit: '1536Mi' } },
    ],
    containers: [
      {
        name: 'c',
        image: 'i:1',
        ports: [{ name: 'web', containerPort: 80, protocol: 'TCP' }],
        env: [{ name: 'N', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }],
        resources: { limits: { cpu: '1500m' }, requests: { cpu: '1500m' } },
        volumeMounts: [{ name: 'v', readOnly: true, mountPath: '/v' }],
        livenessProbe: {
          httpGet: { path: '/', port: 'web', scheme: 'HTTP' },
          initialDelaySeconds: 5,
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
        readinessProbe: {
          tcpSocket: { port: 81 },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'IfNotPresent',
      },
    ],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    automountServiceAccountToken: false,
    securityContext: {},
    schedulerName: 'default-scheduler',
    tolerations: [
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ],
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
  });
  t.deepEqual(object.status, { phase: 'Pending', qosClass: 'Burstable' });
});

test('what was read is written as it came, byte for byte', (t) => {
  const { raw } = openEnvelope(bytes)!;
  const { object } = decodeAs(types, 'core.Pod', decodeProtobuf(types, 'core.Pod', raw));
  t.deepEqual(createMessageEncoder(types)('core.Pod', object), Buffer.from(raw));
});

test('texts of any length, large and negative numbers, empty and absent fields are written as Go does', (t) => {
  const encode = createMessageEncoder(types);
  const written = (type: string, value: Fields) => encode(type, value).toString('latin1');
  t.is(written('core.SessionAffinityConfig', {}), '');
  t.is(written('core.SessionAffinityConfig', { clientIP: {} }), '\x0a\x00');
  t.is(written('core.EndpointPort', { port: -1 }), `\x0a\x00\x10${'\xff'.repeat(9)}\x01\x1a\x00`);
  t.is(
    written('meta.ListMeta', { remainingItemCount: 2 ** 40 }),
    '\x0a\x00\x12\x00\x1a\x00\x20\x80\x80\x80\x80\x80\x20',
  );
  const names = ['x'.repeat(5000), 'ä', 'ä'.repeat(49), ''];
  for (const name of names) {
    t.is((decodeProtobuf(types, 'meta.ObjectMeta', encode('meta.ObjectMeta', { name })) as Fields).name, name);
  }
  t.is(
    written('core.ConfigMap', { data: { b: '1', a: '' } }).slice(-15),
    '\x12\x05\x0a\x01a\x12\x00\x12\x06\x0a\x01b\x12\x011',
  );
});

test('bytes that end early are refused', (t) => {
  const { raw } = openEnvelope(bytes)!;
  t.throws(() => decodeProtobuf(types, 'core.Pod', raw.subarray(0, raw.length - 1)), { instanceOf: RangeError });
  t.throws(() => messageOf(Uint8Array.of(0x08, 0xff)), { message: 'a protobuf number does not end' });
  t.throws(() => messageOf(Uint8Array.of(0x0b)), { message: /unknown kind 3/ });
});

test('varints are signed, later values stand beside earlier ones', (t) => {
  const message = messageOf(
    Uint8Array.of(0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x12, 1, 0x61, 0x12, 1, 0x62),
  );
  t.is(numberOf(message.get(1)![0]!), -1);
  t.deepEqual(message.get(2)!.map(textOf), ['a', 'b']);
});

test('schemas of definitions are read with their alternatives', (t) => {
  const text = (number: number, value: string): number[] => [(number << 3) | 2, value.length, ...Buffer.from(value)];
  const nested = (number: number, value: readonly number[]): number[] => [(number << 3) | 2, value.length, ...value];
  const wide = (number: number, value: readonly number[]): number[] => [
    (((number << 3) | 2) & 0x7f) | 0x80,
    number >> 4,
    value.length,
    ...value,
  ];
  const bytesOf = [
    ...text(5, 'object'),
    ...wide(30, [0x08, 0x01]),
    ...wide(24, nested(1, text(5, 'string'))),
    ...nested(8, text(1, '{"a":1}')),
  ];
  const schema = {
    type: 'object',
    additionalProperties: true,
    items: { type: 'string' },
    default: { a: 1 },
  };
  const type = 'apiextensions.JSONSchemaProps';
  t.deepEqual(decodeProtobuf(types, type, Uint8Array.from(bytesOf)), schema);
  const nestedSchemas = {
    ...schema,
    additionalProperties: { type: 'string' },
    dependencies: { a: ['b'], c: { type: 'x' } },
  };
  const again = decodeProtobuf(types, type, createMessageEncoder(types)(type, nestedSchemas));
  t.deepEqual(decodeAs(types, type, again).object, decodeAs(types, type, nestedSchemas).object);
});

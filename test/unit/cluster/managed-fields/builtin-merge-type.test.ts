import test from 'ava';
import { builtinTypes } from '../../../cluster/apis/builtin-types.ts';
import { builtinMergeTypes } from '../../../cluster/managed-fields/builtin-merge-type.ts';
import { fieldSetOf } from '../../../cluster/managed-fields/field-set-of-object.ts';
import type { Members } from '../../../cluster/managed-fields/ownership-updater.ts';
import { inOrder } from '../../../cluster/managed-fields/path-element.ts';
import { checkFits } from '../../../cluster/managed-fields/typed-validation.ts';

const types = builtinMergeTypes(builtinTypes());

const sets: readonly (readonly [type: string, object: Members, set: string])[] = [
  ['core.ConfigMap', { data: { a: '1', b: null } }, '{"f:data":{"f:a":{},"f:b":{}}}'],
  ['core.ConfigMap', { data: {}, binaryData: null }, '{"f:binaryData":{},"f:data":{}}'],
  [
    'core.PodSpec',
    { containers: [{ name: 'm', ports: [{ containerPort: 80 }], args: ['a'], env: [{ name: 'A', value: 'b' }] }] },
    '{"f:containers":{"k:{\\"name\\":\\"m\\"}":{".":{},"f:args":{},"f:env":{"k:{\\"name\\":\\"A\\"}":{".":{},"f:name":{},"f:value":{}}},"f:name":{},"f:ports":{"k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:containerPort":{}}}}}}',
  ],
  [
    'core.PodSpec',
    { tolerations: [{ key: 'a' }], nodeSelector: { a: 'b' } },
    '{"f:nodeSelector":{},"f:tolerations":{}}',
  ],
  ['core.PodSpec', { imagePullSecrets: [{}] }, '{"f:imagePullSecrets":{"k:{\\"name\\":\\"\\"}":{}}}'],
  ['apps.DeploymentSpec', { selector: { matchLabels: { a: 'b' } } }, '{"f:selector":{}}'],
  ['core.PersistentVolumeSpec', { claimRef: { name: 'a' } }, '{"f:claimRef":{"f:name":{}}}'],
  [
    'core.Endpoints',
    { metadata: { finalizers: ['b', 'a'] } },
    '{"f:metadata":{"f:finalizers":{"v:\\"a\\"":{},"v:\\"b\\"":{}}}}',
  ],
];

for (const [type, object, set] of sets) {
  test(`${JSON.stringify(object)} of ${type} has the fields ${set}`, (t) => {
    t.is(JSON.stringify(inOrder(fieldSetOf(types(type), object))), set);
  });
}

for (const [type, object, message] of [
  ['core.ConfigMap', { data: { a: true } }, '.data.a: expected string, got &value.valueUnstructured{Value:true}'],
  ['core.ConfigMap', { immutable: 'x' }, '.immutable: expected boolean, got &{x}'],
  ['core.PodSpec', { containers: [{}, {}] }, '.containers: duplicate entries for key [name=""]'],
  ['core.PodSpec', { priority: [1] }, '.priority: expected numeric (int or float), got []interface {}'],
  [
    'core.Container',
    { resources: { limits: { cpu: {} } } },
    '.resources.limits.cpu: expected any scalar, got &{map[]}',
  ],
] as const) {
  test(`${JSON.stringify(object)} is no ${type}: ${message}`, (t) => {
    t.throws(() => checkFits(types(type), object), { message });
  });
}

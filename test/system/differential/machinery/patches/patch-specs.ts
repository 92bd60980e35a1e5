import { type Subject, subjects } from '../subjects.ts';
import { add, remove, test, type types } from './patch-bodies.ts';

/** Patches of kind-specific fields. */
export const specs: readonly (readonly [Subject, keyof typeof types, readonly unknown[]])[] = [
  [
    subjects.configMap,
    'json',
    [
      [test('/data/a', 1)],
      [add('/data', { n: '1.0' }), test('/data/n', '1.0')],
      [{ op: 'test', path: '/data/n' }],
      [add('/data/n', 1)],
      [add('/binaryData', { b: 'not base64!' })],
      [add('/data/deep/er', '1')],
    ],
  ],
  [
    subjects.workspace,
    'json',
    [
      [test('/spec/replicas', 1), test('/spec/replicas', 1.5)],
      [test('/spec/tags', { a: 'b' })],
      [add('/spec/members', [{ name: 'a' }]), test('/spec/members/0', { name: 'a' })],
      [test('/spec/members/0', { role: 'viewer', name: 'a' })],
      [add('/spec/members/-', { name: 'a' })],
      [add('/spec/ratio', 1.0), test('/spec/ratio', 1)],
      [add('/spec/ratio', 2.5), test('/spec/ratio', 2.5)],
      [add('/spec/quota', '10%'), test('/spec/quota', '10%'), add('/spec/quota', 7)],
      [remove('/spec/owner')],
      [remove('/spec/replicas')],
      [add('/spec/nope', 1), add('/spec/replicas', '3')],
      [add('/spec/nope', 1)],
      [remove('/spec')],
      [add('/spec', null)],
      [add('/status', { phase: 'Ready' })],
    ],
  ],
  [
    subjects.workspace,
    'merge',
    [
      { spec: { replicas: null } },
      { spec: { replicas: 5, suspend: null } },
      { spec: { owner: null } },
      { spec: { members: [{ name: 'a' }, { name: 'a' }] } },
      { spec: { members: [{ name: 'a', role: null }] } },
      { spec: { settings: { a: { b: null, c: [null, { d: null }] } } } },
      { spec: { settings: { a: null } } },
      { spec: { nickname: null } },
      { spec: { tags: { a: null, b: 'c' } } },
      { spec: { tags: { x: null, y: 5 } } },
      { spec: null },
      { spec: { size: 'huge', replicas: 1000, nope: { deep: 1 } } },
      { spec: { ports: [{ port: 1 }, { port: 1, protocol: 'UDP' }, { port: 1, protocol: 'TCP' }] } },
      { status: { phase: 'Ready' } },
      { spec: { region: 'a' } },
      { spec: { region: 'b' } },
      { spec: { region: null } },
      { spec: { minReplicas: 50 } },
      { spec: { zones: ['a', 'b', 'a'] } },
      { spec: { args: ['a', null] } },
    ],
  ],
  [
    subjects.widget,
    'merge',
    [
      { any: { list: [null, { a: null }] } },
      { any: { a: null } },
      { any: null },
      { other: { x: { y: null } } },
      { other: { x: { y: { z: null, w: 1.0 } } } },
      { status: { a: 1 } },
      '{"other":1e3,"big":12345678901234567890}',
      '{"big":9007199254740993,"other":1.5e300,"small":0.1,"one":1.0}',
    ],
  ],
  [
    subjects.service,
    'strategic',
    [
      { spec: { ports: [{ port: 81, name: 'b' }] } },
      {
        spec: {
          ports: [
            { port: 80, name: 'a' },
            { port: 81, name: 'b' },
          ],
        },
      },
      { spec: { ports: [{ port: 80, $patch: 'delete' }] } },
      { spec: { ports: [{ port: 81, protocol: 'UDP', name: 'c' }] } },
      { spec: { selector: { $patch: 'replace', b: 'c' } } },
      { spec: { ports: [{ $patch: 'replace' }, { port: 9 }] } },
      { spec: { ports: null } },
      { spec: { selector: null } },
      { spec: { clusterIP: '' } },
      { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } },
    ],
  ],
  [
    subjects.pod,
    'strategic',
    [
      { spec: { containers: [{ name: 'main', image: 'other' }] } },
      { spec: { containers: [{ name: 'second', image: 'other' }] } },
      { spec: { activeDeadlineSeconds: 5 } },
      { spec: { activeDeadlineSeconds: 50 } },
      { spec: { tolerations: [{ key: 'a', operator: 'Exists' }] } },
      { spec: { terminationGracePeriodSeconds: 5 } },
      { metadata: { labels: { a: 'b' } }, spec: { nodeName: 'x' } },
      { spec: { containers: [{ name: 'main', $patch: 'delete' }] } },
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    ],
  ],
  [
    subjects.deployment,
    'strategic',
    [
      { spec: { replicas: 3, paused: true } },
      { spec: { strategy: { type: 'Recreate' } } },
      { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
      { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '30%' } } } },
      { spec: { template: { spec: { imagePullSecrets: [{ name: 'a' }], hostAliases: [{ ip: '1.1.1.1' }] } } } },
      { spec: { template: { spec: { imagePullSecrets: [{ name: 'b' }], hostAliases: [{ ip: '1.1.1.2' }] } } } },
      { spec: { template: { spec: { tolerations: [{ key: 'a' }] } } } },
      { spec: { template: { spec: { tolerations: [{ key: 'b' }] } } } },
      { spec: { template: { spec: { nodeSelector: { a: 'b' }, securityContext: { runAsUser: 5 } } } } },
      { spec: { template: { spec: { nodeSelector: { $patch: 'delete' }, securityContext: null } } } },
      {
        spec: {
          template: {
            spec: { topologySpreadConstraints: [{ topologyKey: 'a', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }] },
          },
        },
      },
      {
        spec: {
          template: {
            spec: {
              topologySpreadConstraints: [{ topologyKey: 'a', maxSkew: 2, whenUnsatisfiable: 'ScheduleAnyway' }],
            },
          },
        },
      },
      {
        spec: {
          template: {
            spec: {
              containers: [
                {
                  name: 'main',
                  env: [
                    { name: 'A', value: '1' },
                    { name: 'B', value: '2' },
                  ],
                },
              ],
            },
          },
        },
      },
      {
        spec: {
          template: {
            spec: {
              containers: [
                {
                  name: 'main',
                  env: [
                    { name: 'C', value: '3' },
                    { name: 'A', value: null },
                  ],
                },
              ],
            },
          },
        },
      },
      {
        spec: {
          template: {
            spec: {
              containers: [{ name: 'main', '$setElementOrder/env': [{ name: 'C' }, { name: 'A' }, { name: 'B' }] }],
            },
          },
        },
      },
      {
        spec: {
          template: {
            spec: {
              containers: [{ name: 'main', volumeMounts: [{ mountPath: '/a', name: 'v' }] }],
              volumes: [{ name: 'v', emptyDir: {} }],
            },
          },
        },
      },
      {
        spec: {
          template: { spec: { containers: [{ name: 'main', volumeMounts: [{ mountPath: '/b', name: 'v' }] }] } },
        },
      },
      { spec: { template: { spec: { volumes: [{ name: 'v', configMap: { name: 'x' } }] } } } },
      { spec: { template: { spec: { volumes: [{ name: 'v', emptyDir: null, configMap: { name: 'x' } }] } } } },
      { spec: { template: { spec: { initContainers: [{ name: 'i', image: 'i' }], ephemeralContainers: [] } } } },
      { spec: { selector: { matchLabels: { b: 'c' } } } },
      { spec: { $patch: 'delete' } },
      {
        spec: {
          template: {
            $patch: 'replace',
            metadata: { labels: { app: 'x' } },
            spec: { containers: [{ name: 'n', image: 'm' }] },
          },
        },
      },
    ],
  ],
];

import { type ApplyScenario, creates, forces, patches } from './applies.ts';

const spec = (given: object) => ({ spec: given });
const container = (given: object = {}) => ({ name: 'main', image: 'example.test/main', ...given });
const template = (given: object, more: object = {}) => ({
  selector: { matchLabels: { app: 'x' } },
  template: { metadata: { labels: { app: 'x' } }, spec: { containers: [container()], ...given } },
  ...more,
});
const pods = (given: object, more: object = {}) => spec(template(given, more));
const some = (given: object) => spec({ template: { spec: given } });

/** Scenarios of a built-in kind with nested lists. */
export const deployments: Readonly<Record<string, ApplyScenario>> = {
  'containers, ports and environment': [
    ['a', pods({ containers: [container({ ports: [{ containerPort: 80 }], env: [{ name: 'A', value: '1' }] })] })],
    [
      'b',
      some({
        containers: [
          { name: 'main', ports: [{ containerPort: 80, protocol: 'UDP' }], env: [{ name: 'B', value: '1' }] },
        ],
      }),
    ],
    ['b', some({ containers: [{ name: 'main', ports: [{ containerPort: 80, name: 'web' }] }] })],
    ['b', some({ containers: [{ name: 'main', env: [{ name: 'A', value: '2' }] }] })],
    [
      'b',
      some({
        containers: [
          { name: 'side', image: 's' },
          { name: 'main', args: ['x'] },
        ],
      }),
    ],
    ['a', pods({ containers: [container()] })],
    ['a', pods({ containers: [container({ args: ['y'], command: ['c'] })] })],
    ['b', {}],
    ['a', pods({ containers: [container({ env: [{ name: 'A' }, { name: 'A', value: 'x' }] })] })],
  ],
  'defaults, replicas and strategy': [
    ['a', pods({}, { replicas: 2, strategy: { type: 'Recreate' } })],
    ['a', pods({}, { replicas: 2 })],
    ['b', spec({ replicas: 2 })],
    ['a', pods({})],
    ['b', spec({ replicas: 4, strategy: { rollingUpdate: { maxSurge: 1 } } })],
    ['b', {}],
    ['c', spec({ strategy: { type: 'RollingUpdate', rollingUpdate: null } })],
    ['c', spec({ paused: true, minReadySeconds: 5 })],
    ['c', {}],
  ],
  'volumes, tolerations and other lists': [
    [
      'a',
      pods({ volumes: [{ name: 'v', emptyDir: {} }], tolerations: [{ key: 'a' }], imagePullSecrets: [{ name: 's' }] }),
    ],
    ['b', some({ volumes: [{ name: 'w', configMap: { name: 'c' } }], imagePullSecrets: [{ name: 't' }] })],
    ['b', some({ tolerations: [{ key: 'b' }] })],
    ['b', some({ volumes: [{ name: 'v', configMap: { name: 'c' } }] })],
    ['c', some({ nodeSelector: { a: 'b' }, hostAliases: [{ ip: '1.1.1.1', hostnames: ['x'] }] })],
    ['d', some({ nodeSelector: { c: 'd' } })],
    ['a', pods({ volumes: [], containers: [container({ volumeMounts: [{ name: 'w', mountPath: '/w' }] })] })],
    ['c', {}],
    ['a', pods({})],
  ],
  'resources and probes': [
    ['a', pods({ containers: [container({ resources: { requests: { cpu: '1000m' }, limits: { cpu: 2 } } })] })],
    ['a', pods({ containers: [container({ resources: { requests: { cpu: 1 }, limits: { cpu: '2' } } })] })],
    ['b', some({ containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] })],
    ['b', some({ containers: [{ name: 'main', resources: { requests: { memory: '1Gi' } } }] })],
    ['c', some({ containers: [{ name: 'main', livenessProbe: { httpGet: { port: 80 } } }] })],
    ['c', some({ containers: [{ name: 'main', livenessProbe: { httpGet: { port: 'web', path: '/x' } } }] })],
    ['a', pods({})],
    ['c', {}],
  ],
  'wrong types': [
    ['a', pods({ containers: 'x' })],
    ['a', pods({ containers: [{ image: 'x' }] })],
    ['a', pods({ containers: [container({ ports: [{}] })] })],
    ['a', pods({ containers: [container({ ports: [{ containerPort: 'x' }] })] })],
    ['a', pods({ nope: 1, containers: [container({ nope: 1 })] })],
    ['a', pods({}, { replicas: 'x' })],
    ['a', pods({}, { replicas: null })],
    ['a', pods({ containers: [container(), container()] })],
    ['a', pods({ containers: [container({ resources: { requests: { cpu: 'x' } } })] })],
    ['a', spec({})],
    ['a', spec('x' as unknown as object)],
    ['a', pods({ containers: [] })],
    ['a', pods({ containers: [null] })],
  ],
  'selectors may not change': [
    ['a', pods({})],
    ['a', spec({ ...template({}), selector: { matchLabels: { app: 'y' } } })],
    ['b', spec({ selector: { matchLabels: { b: 'c' } } })],
    ['b', spec({ selector: { matchExpressions: [] } })],
  ],
  'by plain writers too': [
    creates('a'),
    patches('strategic', 'b', some({ containers: [{ name: 'main', env: [{ name: 'A', value: '1' }] }] })),
    patches(
      'strategic',
      'c',
      some({
        containers: [
          { name: 'main', ports: [{ containerPort: 80 }] },
          { name: 'second', image: 'i' },
        ],
      }),
    ),
    patches('merge', 'd', some({ nodeSelector: { a: 'b' }, volumes: [{ name: 'v', emptyDir: {} }] })),
    patches('json', 'e', [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'z' }]),
    patches('json', 'f', [{ op: 'remove', path: '/spec/template/spec/containers/1' }]),
    ['g', some({ containers: [{ name: 'main', image: 'y' }] })],
    forces('g', some({ containers: [{ name: 'main', image: 'y', env: [{ name: 'A', value: '2' }] }] })),
  ],
};

import type { Scenario } from '../../runner/scenario.ts';
import { ownOf, type Subject, scenarioOf, subjects } from '../subjects.ts';
import { type ApplyScenario, applies, forces, patches, reads, told } from './applies.ts';
import { deployments } from './owned-deployments.ts';
import { workspaces } from './owned-workspaces.ts';

const spec = (given: object) => ({ spec: given });
const container = (given: object = {}) => ({ name: 'main', image: 'example.test/main', ...given });

const others: readonly (readonly [Subject, Readonly<Record<string, ApplyScenario>>])[] = [
  [
    subjects.service,
    {
      ports: [
        ['a', spec({ clusterIP: 'None', ports: [{ port: 80 }, { port: 81, name: 'b', protocol: 'UDP' }] })],
        [
          'a',
          spec({
            clusterIP: 'None',
            ports: [
              { port: 80, name: 'a' },
              { port: 81, name: 'b', protocol: 'UDP' },
            ],
          }),
        ],
        ['b', spec({ ports: [{ port: 80, protocol: 'TCP', targetPort: 8080 }] })],
        ['b', spec({ ports: [{ port: 80, protocol: 'UDP', name: 'c' }] })],
        ['b', spec({ selector: { a: 'b' } })],
        ['a', spec({ clusterIP: 'None', selector: { a: 'c' }, ports: [{ port: 80, name: 'a' }] })],
        ['b', {}],
        ['c', { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } }],
      ],
    },
  ],
  [
    subjects.configMap,
    {
      data: [
        ['a', { data: { a: '1', b: '2' }, binaryData: { c: 'YQ==' } }],
        ['b', { data: { c: '3' } }],
        ['b', { data: { d: '3', a: '1' }, immutable: false }],
        ['b', { data: { a: '1' }, immutable: true }],
        ['a', { data: { b: '2' } }],
        ['a', { data: { a: 5 } }],
        ['a', { data: [] }],
        ['a', { binaryData: { c: '!' } }],
      ],
    },
  ],
  [
    subjects.secret,
    {
      'data and texts': [
        ['a', { stringData: { a: '1' }, data: { b: 'Mg==' } }],
        ['a', { stringData: { a: '2' }, data: { b: 'Mg==' } }],
        ['b', { data: { a: 'MQ==' } }],
        ['b', { stringData: { c: 'x' } }],
        ['a', { type: 'Opaque' }],
        ['a', { type: 'other' }],
        ['b', {}],
      ],
    },
  ],
  [
    subjects.clusterRole,
    {
      'rules and aggregation': [
        ['a', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }],
        ['b', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }] }],
        ['b', { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }],
        ['a', { rules: [] }],
        ['a', {}],
        ['b', {}],
      ],
    },
  ],
  [
    subjects.widget,
    {
      'free fields': [
        ['a', { any: { x: 1, l: [1, 2], m: { n: null } }, other: 'x' }],
        ['b', { any: { x: 1, y: 2 } }],
        ['b', { any: { x: 2 } }],
        ['b', { any: 5 }],
        forces('b', { any: 5 }),
        ['a', { other: ['x'] }],
        ['a', {}],
        ['c', { status: { a: 1 }, list: [] }],
        ['c', { list: {} }],
        ['c', { apiVersion: undefined }],
      ],
    },
  ],
  [
    subjects.pod,
    {
      'what may change': [
        ['a', spec({ containers: [container()] })],
        ['a', spec({ containers: [container({ image: 'other' })] })],
        ['b', spec({ activeDeadlineSeconds: 10, tolerations: [{ key: 'a' }] })],
        ['a', spec({ containers: [container({ image: 'other', env: [{ name: 'A' }] })] })],
        ['a', { status: { phase: 'Running' }, ...spec({ containers: [container({ image: 'other' })] }) }],
        ['b', {}],
      ],
    },
  ],
];

/** Alternating applies of two versions of one definition: fields that one version lacks remain owned. */
const versions: ApplyScenario = [
  ['a', spec({ color: 'red', size: 1, enabled: true })],
  () => applies('b', spec({ color: 'red', legacy: 'l' }))(subjects.oldGadget),
  () => applies('b', spec({ color: 'blue' }))(subjects.oldGadget),
  () => applies('a', spec({ color: 'red', size: 2 }))(subjects.oldGadget),
  ['a', spec({ color: 'green' })],
  ['a', spec({ color: 'green', added: 'mine' })],
  () => applies('a', spec({ color: 'green', legacy: 'x' }))(subjects.oldGadget),
  () => patches('merge', 'c', spec({ legacy: 'y' }))(subjects.oldGadget),
  () => patches('merge', 'c', spec({ size: 7 }))(subjects.oldGadget),
  patches('merge', 'c', spec({ size: 8 })),
  () => ({ path: ownOf(subjects.oldGadget) }),
  () => applies('b', {})(subjects.oldGadget),
  ['b', spec({ legacy: 'z' })],
  reads,
];

/** Field ownership, by the types of fields. */
export function* ownershipScenarios(): Generator<Scenario> {
  const all = [
    [subjects.workspace, workspaces],
    [subjects.deployment, deployments],
    [subjects.gadget, { 'in two versions': versions }],
    ...others,
  ] as const;
  for (const [subject, stories] of all) {
    for (const [title, story] of Object.entries(stories)) {
      yield scenarioOf('ownership', subject, { title, steps: told(subject, story as ApplyScenario) });
    }
  }
}

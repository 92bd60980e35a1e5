/** Bodies that are written otherwise than clients write them. */

import type { Scenario, Step } from '../runner/scenario.ts';
import { creating, objectOf, ownOf, scenarioOf, subjects } from './subjects.ts';

const { deployment, configMap, service, pod, gadget } = subjects;
const dry = '?dryRun=All';
const yaml = 'application/yaml';

const patching = (path: string, kind: string, body: unknown): Step => ({
  method: 'PATCH',
  path,
  contentType: `application/${kind}`,
  body,
});

/** JSON of an object with a text in the place of the number 99. */
const withNumber = (object: object, written: string): string => JSON.stringify(object).replace('99', written);

const numbers =
  '1.0|1e2|1.5|1e-2|1E2|10e-1|-1.0|1.00000000000000000001|-0|-0.0|"1"|0x10|1_000|010|+1|1e9|.5|5.|true|null|~|0b1'.split(
    '|',
  );

/** Requests with a number that is written in a certain way, in JSON, in YAML and in patches. */
const numbered = (written: string): readonly Step[] => {
  const bodies = [
    [deployment, { 'metadata.name': 'q', 'spec.replicas': 99 }],
    [pod, { 'metadata.name': 'q', 'spec.terminationGracePeriodSeconds': 99 }],
    [service, { 'metadata.name': 'q', 'spec.ports[0].targetPort': 99 }],
    [configMap, { 'metadata.name': 'q', 'data.a': 99 }],
    [gadget, { 'metadata.name': 'q', 'spec.size': 99 }],
  ] as const;
  const spec = `{"spec":{"replicas":${written}}}`;
  const own = ownOf(deployment);
  return [
    ...bodies.flatMap(([subject, changes]): Step[] => {
      const body = withNumber(objectOf(subject, changes), written);
      const path = `${subject.collection}${dry}`;
      return [
        { path, body },
        { path, body, contentType: yaml },
      ];
    }),
    patching(`${own}${dry}`, 'merge-patch+json', spec),
    patching(`${own}${dry}`, 'strategic-merge-patch+json', spec),
    patching(`${own}${dry}`, 'json-patch+json', `[{"op":"add","path":"/spec/replicas","value":${written}}]`),
    patching(`${own}${dry}`, 'json-patch+json', `[{"op":"replace","path":"/spec","value":${spec.slice(8, -1)}}]`),
    patching(
      `${own}${dry}&fieldManager=x&force=true`,
      'apply-patch+yaml',
      `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"x-{ns}"},"spec":{"replicas":${written}}}`,
    ),
    patching(`${own}/scale${dry}`, 'merge-patch+json', spec),
  ];
};

const scalars =
  '1:30|22:22:22|0o10|1e400|.inf|-.Inf|.nan|yes|No|on|2020-01-01|2020-01-01T00:00:00Z|0x1F|1_0.5|"1"|\'1\'|!!str 1|!!int "1"|<<|=|0.1e1|+.5'.split(
    '|',
  );

const repeated = (name: string): string =>
  `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"${name}","name":"${name}","foo":1},"spec":{"replicas":1,"replicas":2,"bogus":{"a":1,"a":2},"bogus":3,"selector":{"matchLabels":{"app":"x"}},"template":{"metadata":{"labels":{"app":"x","app":"x"}},"spec":{"containers":[{"name":"a","image":"a","other":"z","image":"b"}]}}}}`;

const repeatedYaml = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: q
  name: q
  foo: 1
spec:
  replicas: 1
  replicas: 2
  bogus: true
  selector: {matchLabels: {app: x}}
  template: {metadata: {labels: {app: x}}, spec: {containers: [{name: a, image: a, other: z, image: b}]}}
`;

/** Requests with repeated and unknown members. */
const strict = (validation: string): readonly Step[] => {
  const query = `${dry}&fieldValidation=${validation}`;
  const own = ownOf(deployment);
  const members = '{"spec":{"replicas":1,"replicas":2,"zz":1,"bogus":1,"template":{"spec":{"xx":1}}}}';
  const operations =
    '[{"op":"add","path":"/spec/zz","value":1,"value":2},{"op":"add","path":"/spec/template/spec/xx","value":{"a":1}}]';
  return [
    { path: `${deployment.collection}${query}`, body: repeated('q') },
    { path: `${deployment.collection}${query}`, body: repeatedYaml, contentType: yaml },
    { method: 'PUT', path: `${own}${query}`, body: repeated('x-{ns}') },
    patching(`${own}${query}`, 'merge-patch+json', members),
    patching(`${own}${query}`, 'json-patch+json', operations),
    patching(`${own}${query}`, 'strategic-merge-patch+json', '{"spec":{"replicas":1,"replicas":2,"bogus":1}}'),
    patching(`${own}/scale${query}`, 'merge-patch+json', '{"spec":{"replicas":1,"replicas":2,"bogus":1}}'),
    patching(`${own}/status${query}`, 'merge-patch+json', '{"status":{"bogus":1}}'),
    {
      path: `${gadget.collection}${query}`,
      body: withNumber(objectOf(gadget, { 'metadata.name': 'q', 'spec.size': 99, 'spec.bogus': 1 }), '1,"size":2'),
    },
  ];
};

const scales: readonly unknown[] = [
  { metadata: { name: 'other' } },
  { kind: 'X' },
  { apiVersion: 'apps/v1' },
  { spec: { replicas: 'x' } },
  { spec: { replicas: true } },
  { spec: { replicas: 1.5 } },
  { spec: { replicas: [] } },
  { spec: 5 },
  { spec: null },
  { status: { replicas: 'x' } },
  { bogus: 1 },
];

const replicas = { apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 3 } };

const scaled = (subject: typeof deployment | typeof gadget): Scenario => {
  const path = `${ownOf(subject)}/scale`;
  return {
    ...scenarioOf('written', subject, {
      title: 'scales',
      steps: [
        creating(subject),
        ...scales.map((body) => patching(`${path}${dry}`, 'merge-patch+json', body)),
        { method: 'PUT', path: `${path}${dry}`, body: { ...replicas, metadata: { name: 'other' } } },
      ],
    }),
    apart: true,
  };
};

function* all(): Generator<Scenario> {
  const make = (title: string, steps: readonly Step[]): Scenario => ({
    ...scenarioOf('written', deployment, { title, steps: [creating(deployment), ...steps] }),
    apart: true,
  });
  for (const written of numbers) yield make(`the number ${written}`, numbered(written));
  for (const written of scalars) {
    yield make(`${written} in YAML`, [
      {
        path: `${configMap.collection}${dry}`,
        contentType: yaml,
        body: `metadata:\n  name: q\ndata:\n  a: ${written}\n`,
      },
      {
        path: `${service.collection}${dry}`,
        contentType: yaml,
        body: `metadata:\n  name: q\nspec:\n  clusterIP: None\n  ports:\n  - port: 80\n    targetPort: ${written}\n`,
      },
    ]);
  }
  for (const validation of ['Strict', 'Warn', 'Ignore'])
    yield make(`unknown and repeated, ${validation}`, strict(validation));
  yield scaled(deployment);
  yield scaled(gadget);
  yield {
    name: 'written: an apply to a Scale of another name',
    steps: [
      creating(deployment),
      patching(`${ownOf(deployment)}/scale?fieldManager=a&force=true`, 'apply-patch+yaml', {
        ...replicas,
        metadata: { name: 'other' },
      }),
      { path: ownOf(deployment) },
    ],
  };
}

/** Scenarios about numbers, texts and members, as they are written. */
export const writtenScenarios = all;

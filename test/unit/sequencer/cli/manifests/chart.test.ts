import test from 'ava';
import { parse } from 'yaml';
import { type ChartedOptions, chartOf } from '../../../../../sequencer/cli/manifests/chart.ts';

const rendered: ChartedOptions[] = [];
const files = await chartOf(
  (options) => {
    rendered.push(options);
    const { image, className, operatorNamespace: namespace, monitoring, egress } = options;
    const name = className === undefined ? 'sequencer' : `sequencer-${className}`;
    const containers = [{ name: 'sequencer', image, resources: { limits: { memory: '1Gi' } }, args: ['{{ kept }}'] }];
    return [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      ...(monitoring ? [{ apiVersion: 'x/v1', kind: 'Monitor', metadata: { name } }] : []),
      {
        apiVersion: 'x/v1',
        kind: 'NetworkPolicy',
        metadata: { name },
        spec: { ports: [], ...(egress && { egress: ['first', 'dns'] }) },
      },
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name, namespace },
        spec: { replicas: 2, template: { spec: { containers } } },
      },
    ];
  },
  { definitions: 'kind: CustomResourceDefinition\n' },
);
const contentOf = (path: string): string => files.find((file) => file.path === path)?.content ?? '';

test('each object but the namespace has a template', (t) => {
  t.deepEqual(
    files.map(({ path }) => path),
    [
      ...['Chart.yaml', 'values.yaml', 'values.schema.json', 'crds/workspace.yaml', 'templates/_helpers.tpl'],
      ...['templates/monitor-sequencer.yaml', 'templates/networkpolicy-sequencer.yaml'],
      'templates/deployment-sequencer.yaml',
    ],
  );
  t.true(rendered.every(({ namespace, definitions }) => namespace === undefined || !definitions));
});

test('values stand for options, conditions for objects, and braces of texts stay', (t) => {
  t.is(
    contentOf('templates/monitor-sequencer.yaml'),
    '{{- if .Values.monitoring }}\napiVersion: x/v1\nkind: Monitor\nmetadata:\n  name: {{ include "sequencer.account" . | quote }}\n{{- end }}\n',
  );
  const deployment = contentOf('templates/deployment-sequencer.yaml');
  for (const line of [
    '  namespace: {{ .Release.Namespace | quote }}',
    '  replicas: {{ .Values.replicas }}',
    '          image: {{ .Values.image | quote }}',
    '          resources: {{- toYaml .Values.resources | nindent 12 }}',
    '            - "{{ "{{" }} kept }}"',
    '      {{- with .Values.pod }}',
  ])
    t.true(deployment.split('\n').includes(line), line);
});

test('the first rule for connections stands for the addresses of the API server', (t) => {
  t.true(
    contentOf('templates/networkpolicy-sequencer.yaml').endsWith(
      '{{- if .Values.egress }}\n  egress:\n    {{- include "sequencer.egress" . | trim | nindent 4 }}\n    - dns\n{{- end }}\n',
    ),
  );
});

test('the values are those of the manifests', (t) => {
  t.like(parse(contentOf('values.yaml')), { replicas: 2, resources: { limits: { memory: '1Gi' } } });
});

/** Helm chart of an operator, derived from the manifests with and without each option. */

import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { NewFile } from '../scaffold/write-files.ts';
import { chartDescription, chartHelpers, chartSchema, chartValues } from './chart-files.ts';
import { conditional, type TemplateNode, templateLines } from './conditional-text.ts';
import { type Manifest, yamlOf } from './manifest.ts';

/** Options of a manifest that are values of the chart. */
export interface ChartedOptions {
  readonly operatorNamespace: string;
  readonly image: string;
  readonly namespace: string | undefined;
  readonly className: string | undefined;
  readonly selector: string | undefined;
  readonly ring: string | undefined;
  readonly credentials: readonly string[];
  readonly definitions: boolean;
  readonly monitoring: boolean;
  readonly webhooks: 'Fail' | 'Ignore' | undefined;
  readonly egress: readonly string[] | undefined;
}

/** Returns the objects of an operator with these options. */
export type Render = (options: ChartedOptions) => readonly Manifest[];

/** Placeholder address for the chart value `egress`, whose rules are the first ones of the policy. */
const anyAddress = '192.0.2.1:6443';

/** Objects, and their YAML. */
interface RenderedObjects {
  readonly render: Render;
  yaml(object: Manifest): Promise<string>;
}

/** Chart values that enable or disable a part, the outermost condition last. */
const switches = [
  'credentials',
  'selector',
  'class',
  'shards',
  'monitoring',
  'definitions',
  'namespace',
  'webhooks',
  'egress',
] as const;
type Switch = (typeof switches)[number];

/** Placeholder for a value until the template is written. */
const placeholder = (name: string): string => `helm0${name}0helm`;

const digest = createHash('sha256').update(placeholder('selector')).digest('hex').slice(0, 8);

/** Placeholders with the expressions that replace them, the longest first. */
const expressions: readonly (readonly [text: string, expression: string, form: 'text' | 'block' | 'number'])[] = [
  [`sequencer-${placeholder('class')}-${digest}`, 'include "sequencer.instance" .', 'text'],
  [`sequencer-${placeholder('class')}`, 'include "sequencer.account" .', 'text'],
  [placeholder('class'), '.Values.class', 'text'],
  [placeholder('selector'), '.Values.selector', 'text'],
  [placeholder('shards'), '.Values.shards', 'text'],
  [placeholder('namespace'), '.Values.namespace', 'text'],
  [placeholder('release'), '.Release.Namespace', 'text'],
  [placeholder('image'), '.Values.image', 'text'],
  [placeholder('webhooks'), '.Values.webhooks', 'text'],
  [placeholder('replicas'), '.Values.replicas', 'number'],
  [placeholder('resources'), 'toYaml .Values.resources', 'block'],
  [placeholder('credentials'), 'include "sequencer.credentials" .', 'block'],
];

function optionsWith(on: ReadonlySet<Switch>): ChartedOptions {
  const namespace = on.has('namespace') ? placeholder('namespace') : undefined;
  return {
    operatorNamespace: placeholder('release'),
    image: placeholder('image'),
    namespace,
    className: on.has('class') ? placeholder('class') : undefined,
    selector: on.has('selector') ? placeholder('selector') : undefined,
    ring: on.has('shards') ? placeholder('shards') : undefined,
    credentials: on.has('credentials') ? [placeholder('credentials')] : [],
    definitions: namespace === undefined && on.has('definitions'),
    monitoring: on.has('monitoring'),
    webhooks: on.has('webhooks') ? (placeholder('webhooks') as 'Fail') : undefined,
    egress: on.has('egress') ? [anyAddress] : undefined,
  };
}

interface DeploymentObject {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly [Container] } } };
}

interface Container {
  readonly resources: object;
  readonly envFrom?: readonly object[];
}

const containerOf = (deployment: Manifest): Container =>
  (deployment as unknown as DeploymentObject).spec.template.spec.containers[0];

interface PolicyObject {
  readonly spec: { readonly egress?: readonly unknown[] };
}

function policyWithPlaceholders(object: Manifest): Manifest {
  const { spec } = object as unknown as PolicyObject;
  if (spec.egress === undefined) return object;
  return { ...object, spec: { ...spec, egress: [placeholder('egress'), ...spec.egress.slice(1)] } };
}

/** Replaces the fields of an object that depend on chart values. */
function withPlaceholders(object: Manifest): Manifest {
  if (object.kind === 'NetworkPolicy') return policyWithPlaceholders(object);
  return object.kind === 'Deployment' ? deploymentWithPlaceholders(object) : object;
}

function deploymentWithPlaceholders(object: Manifest): Manifest {
  const { spec } = object as unknown as DeploymentObject;
  const { envFrom, ...container } = containerOf(object);
  const containers = [
    { ...container, resources: placeholder('resources'), ...(envFrom && { envFrom: placeholder('credentials') }) },
  ];
  const pod = { ...spec.template.spec, containers, [placeholder('pod')]: '' };
  return { ...object, spec: { ...spec, replicas: placeholder('replicas'), template: { ...spec.template, spec: pod } } };
}

/** Returns the function that formats objects, those that are the same once. */
function createYamlCache(): RenderedObjects['yaml'] {
  const texts = new Map<string, Promise<string>>();
  return (object) => {
    const key = JSON.stringify(object);
    const text = texts.get(key) ?? yamlOf([object]);
    texts.set(key, text);
    return text;
  };
}

/** Returns the lines of each object's YAML by the file that it is written to. */
async function linesOf(
  objects: readonly Manifest[],
  yaml: RenderedObjects['yaml'],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const files = new Map<string, readonly string[]>();
  for (const object of objects.filter(({ kind }) => kind !== 'Namespace')) {
    const name = object.metadata.name.replaceAll(/-?helm0\w+0helm|[.]/g, '').replace(`-${digest}`, '');
    const text = await yaml(withPlaceholders(object));
    const path = `${object.kind.toLowerCase()}-${name}.yaml`;
    files.set(path, text.replaceAll('{{', '{{ "{{" }}').trimEnd().split('\n').slice(1));
  }
  return files;
}

/** Reports whether two lines are the same but for the suffix of a name, which is empty without a class, or without a selector. */
const alike = (on: TemplateNode, off: TemplateNode): boolean =>
  typeof on === 'string' && typeof off === 'string'
    ? ['', `-${digest}`, `-${placeholder('class')}`].some((suffix) => on.replaceAll(suffix, '') === off)
    : JSON.stringify(on) === JSON.stringify(off);

type Files = ReadonlyMap<string, readonly TemplateNode[]>;

/** Returns the nodes of each file, with a condition for each of the switches in `rest` that its text depends on; those in `on` are on. */
async function filesWith(source: RenderedObjects, on: ReadonlySet<Switch>, rest: readonly Switch[]): Promise<Files> {
  const outermost = rest.at(-1);
  if (outermost === undefined) return linesOf(source.render(optionsWith(on)), source.yaml);
  const inner = rest.slice(0, -1);
  const withIt = await filesWith(source, new Set([...on, outermost]), inner);
  const without = await filesWith(source, on, inner);
  const paths = new Set([...withIt.keys(), ...without.keys()]);
  const nodesOf = (path: string) =>
    conditional(`.Values.${outermost}`, { on: withIt.get(path) ?? [], off: without.get(path) ?? [] }, alike);
  return new Map([...paths].map((path) => [path, nodesOf(path)]));
}

/** Replaces the placeholders of a line: a value alone is quoted, one within a text is of a form that needs no quotes (`values.schema.json`). */
function withExpressions(line: string): string {
  const indent = /^ */.exec(line)![0].length;
  if (line.includes(placeholder('pod')))
    return `${' '.repeat(indent)}{{- with .Values.pod }}\n{{- toYaml . | nindent ${indent} }}\n${' '.repeat(indent)}{{- end }}`;
  if (line.includes(placeholder('egress')))
    return `${' '.repeat(indent)}{{- include "sequencer.egress" . | trim | nindent ${indent} }}`;
  let result = line;
  for (const [text, expression, form] of expressions) {
    const isWhole = new RegExp(`[:-] "?${text}"?$`).test(result);
    if (form === 'block') result = result.replace(` ${text}`, ` {{- ${expression} | nindent ${indent + 2} }}`);
    else if (isWhole && form === 'text')
      result = result.replace(new RegExp(`"?${text}"?$`), `{{ ${expression} | quote }}`);
    else result = result.replaceAll(text, `{{ ${expression} }}`);
  }
  return result;
}

/** Content of a chart besides the operator's objects. */
export interface ChartContent {
  /** CustomResourceDefinitions as YAML. */
  readonly definitions: string;
  /** Parts that connect to undeclared addresses. @default none */
  readonly undeclared?: readonly string[];
  /** Values by their names, undefined: the usual one. @default the usual values */
  readonly values?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the files of a chart.
 * @param render the objects of the operator that the chart installs
 */
export async function chartOf(
  render: Render,
  { definitions, undeclared = [], values }: ChartContent,
): Promise<readonly NewFile[]> {
  const files = await filesWith({ render, yaml: createYamlCache() }, new Set(), switches);
  const templates = [...files].map(([path, nodes]) => ({
    path: `templates/${path}`,
    content: `${templateLines(nodes).map(withExpressions).join('\n')}\n`,
  }));
  const { version } = createRequire(import.meta.url)('workspace-sequencer/package.json') as {
    readonly version: string;
  };
  const deployment = render(optionsWith(new Set())).find(({ kind }) => kind === 'Deployment')!;
  return [
    { path: 'Chart.yaml', content: chartDescription(version) },
    { path: 'values.yaml', content: await chartValues(containerOf(deployment).resources, undeclared, values) },
    { path: 'values.schema.json', content: chartSchema },
    { path: 'crds/workspace.yaml', content: definitions },
    { path: 'templates/_helpers.tpl', content: chartHelpers },
    ...templates,
  ];
}

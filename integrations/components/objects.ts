/** Desired workloads and services of a workspace's components. */

import { createHash } from 'node:crypto';
import {
  type Component,
  canonicalJson,
  type Deployment,
  instanceOf,
  type KubeObject,
  type NewObject,
  outputOf,
  type Pod,
  type Service,
  type Workspace,
} from '../../sdk/index.ts';
import { dnsLabelName, serviceName } from '../service-names.ts';
import { type ConfigVersions, configDigestOf } from './config-versions.ts';
import { cycleOf, type Dependency, dependenciesOf } from './dependencies.ts';
import { interpolate, type Networks, type Referents } from './interpolate.ts';
import { type PodRules, podSpecOf } from './pod-spec.ts';
import { excessOf } from './template-size.ts';
import type { ValidationResult } from './validation-result.ts';
import type { WantedWorkload, WorkloadKind } from './workload.ts';

/** Labels of all objects of components; `network` on services only. */
export const labels = {
  name: 'components.sequencer.io/name',
  instance: 'components.sequencer.io/instance',
  network: 'components.sequencer.io/network',
} as const;

/** Annotation with the hash of the object's desired state; a different hash means that the object must change. */
export const componentHashAnnotation = 'components.sequencer.io/hash';

/** Annotation of pods with the versions of the Secrets and ConfigMaps that they read, as a digest. */
const configAnnotation = 'components.sequencer.io/config';

/** Rules for the workloads of a workspace. */
export interface WorkloadRules extends PodRules {
  readonly workload: WorkloadKind;
  /** Versions of the Secrets and ConfigMaps whose change restarts pods. */
  readonly versions: ConfigVersions;
}

/** Desired objects of one component. */
export interface WantedComponent {
  readonly name: string;
  readonly workload: WantedWorkload;
  readonly services: readonly NewObject<Service>[];
  /** Conditions that must hold before its workload is created. */
  readonly dependencies: readonly Dependency[];
}

/** Desired components of a workspace, or the first mistake in their spec. */
export type DesiredComponents =
  | { readonly kind: 'components'; readonly components: readonly WantedComponent[] }
  | { readonly kind: 'mistake'; readonly reason: string };

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the labels that select the objects of one component, or of the workspace. */
export const selectorOf = (workspace: Workspace, component?: string): Readonly<Record<string, string>> => ({
  ...(component !== undefined && { [labels.name]: component }),
  [labels.instance]: instanceOf(workspace),
});

/** Returns the recorded hash of an object's desired state. */
export const recordedHash = (object: Pick<NewObject<KubeObject>, 'metadata'>): string | undefined =>
  object.metadata.annotations?.[componentHashAnnotation];

function hashed<T extends NewObject<KubeObject>>(object: T): T {
  const annotations = {
    ...object.metadata.annotations,
    [componentHashAnnotation]: digest(canonicalJson(object)).slice(0, 16),
  };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

type Network = NonNullable<Component['networks']>[number];

const serviceOf = (workspace: Workspace, component: string, network: Network): NewObject<Service> =>
  hashed({
    metadata: {
      name: serviceName(workspace, component, network.name),
      labels: { ...selectorOf(workspace, component), [labels.network]: network.name },
    },
    spec: {
      selector: selectorOf(workspace, component),
      ports: [
        { name: network.name, port: network.port, targetPort: network.targetPort, protocol: network.protocol ?? 'TCP' },
      ],
    },
  });

/** Metadata and spec of a component's pods. */
interface PodTemplate {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: NonNullable<Pod['spec']>;
}

function podTemplateOf(
  podLabels: PodTemplate['metadata']['labels'],
  spec: object,
  versions: ConfigVersions,
): PodTemplate {
  const config = configDigestOf(spec, versions);
  return {
    metadata: { labels: podLabels, ...(config !== undefined && { annotations: { [configAnnotation]: config } }) },
    spec: spec as PodTemplate['spec'],
  };
}

function workloadOf(kind: WorkloadKind, name: string, { metadata, spec }: PodTemplate): WantedWorkload {
  if (kind === 'Pod') return { kind, object: hashed({ metadata: { name, ...metadata }, spec }) };
  const { labels: matchLabels } = metadata;
  const deployment: NewObject<Deployment> = {
    metadata: { name, labels: matchLabels },
    spec: { replicas: 1, selector: { matchLabels }, template: { metadata, spec } },
  };
  return { kind, object: hashed(deployment) };
}

/** Builds the spec of a component's pod with its references resolved; a mistake's reason names the component. */
function specOf({ name, template }: Component, referents: Referents, rules: PodRules): ValidationResult<object> {
  const resolved = interpolate(template, referents);
  if (resolved.kind === 'value') {
    const excess = excessOf([{ name, template: resolved.value }]);
    if (excess !== undefined) return { kind: 'mistake', reason: `${excess}, once its references are resolved` };
  }
  const spec = resolved.kind === 'value' ? podSpecOf(resolved.value, rules) : resolved;
  return spec.kind === 'value' ? spec : { kind: 'mistake', reason: `component ${name}: ${spec.reason}` };
}

/** Returns `host:port` of each network of each component, as references resolve to. */
const networksOf = (workspace: Workspace, components: readonly Component[]): Networks =>
  new Map(
    components.map(({ name, networks = [] }) => [
      name,
      new Map(
        networks.map((network) => [
          network.name,
          `${serviceName(workspace, name, network.name)}.${workspace.metadata.namespace}.svc:${network.port}`,
        ]),
      ),
    ]),
  );

function namesakes(made: readonly WantedComponent[]): string | undefined {
  const owners = new Map<string, string>();
  for (const { name, services } of made)
    for (const { metadata } of services) {
      const other = owners.get(metadata.name ?? '');
      if (other !== undefined)
        return `components ${other} and ${name} both make a service ${metadata.name}: rename one`;
      owners.set(metadata.name ?? '', name);
    }
  return undefined;
}

/** Computes the workloads and services of a workspace's components. Pure; on a mistake, returns the first, naming component and field. */
export function wantedOf(workspace: Workspace, rules: WorkloadRules): DesiredComponents {
  const components = workspace.spec.components ?? [];
  const wrong = excessOf(components) ?? cycleOf(components);
  if (wrong !== undefined) return { kind: 'mistake', reason: wrong };
  const referents: Referents = {
    networks: networksOf(workspace, components),
    outputOf: (reference) => outputOf(workspace, reference) ?? rules.pending,
  };
  const names = new Set(components.map(({ name }) => name));
  const made: WantedComponent[] = [];
  for (const component of components) {
    const dependencies = dependenciesOf(component, names);
    if (dependencies.kind === 'mistake') return dependencies;
    const spec = specOf(component, referents, rules);
    if (spec.kind === 'mistake') return spec;
    made.push({
      name: component.name,
      workload: workloadOf(
        rules.workload,
        dnsLabelName(workspace.metadata.name, component.name),
        podTemplateOf(selectorOf(workspace, component.name), spec.value, rules.versions),
      ),
      services: (component.networks ?? []).map((network) => serviceOf(workspace, component.name, network)),
      dependencies: dependencies.value,
    });
  }
  const twice = namesakes(made);
  return twice === undefined ? { kind: 'components', components: made } : { kind: 'mistake', reason: twice };
}

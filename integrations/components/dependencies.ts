import type { Component, Pod } from '../../sdk/index.ts';

/** What one component waits for: a condition of another component's pod. */
export interface Dependency {
  readonly component: string;
  /** A condition type of a pod, such as `Ready`. */
  readonly type: string;
  readonly status: string;
}

/** A value, or the mistake that keeps it from being made. */
export type Checked<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'mistake'; readonly reason: string };

/** What a component waits for; a mistake when it names one that is not there. */
export function dependenciesOf(component: Component, all: readonly Component[]): Checked<readonly Dependency[]> {
  const names = all.map(({ name }) => name);
  const wanted = component.dependsOn ?? [];
  const wrong = wanted.findIndex(({ componentName }) => !names.includes(componentName));
  if (wrong !== -1) {
    const { componentName } = wanted[wrong]!;
    const reason = `component ${component.name}: dependsOn[${wrong}].componentName: there is no component ${componentName}; known are ${names.join(', ')}`;
    return { kind: 'mistake', reason };
  }
  const value = wanted.map(({ componentName, conditionType, conditionStatus }) => ({
    component: componentName,
    type: conditionType ?? 'Ready',
    status: conditionStatus ?? 'True',
  }));
  return { kind: 'value', value };
}

type Edges = ReadonlyMap<string, readonly string[]>;

const edgesOf = (components: readonly Component[]): Edges =>
  new Map(components.map(({ name, dependsOn = [] }) => [name, dependsOn.map(({ componentName }) => componentName)]));

function circleFrom(
  name: string,
  edges: Edges,
  seen: { readonly trail: readonly string[]; readonly clear: Set<string> },
): readonly string[] | undefined {
  const { trail, clear } = seen;
  if (clear.has(name)) return undefined;
  if (trail.includes(name)) return [...trail.slice(trail.indexOf(name)), name];
  for (const next of edges.get(name) ?? []) {
    const circle = circleFrom(next, edges, { trail: [...trail, name], clear });
    if (circle !== undefined) return circle;
  }
  clear.add(name);
  return undefined;
}

/** In words, components that wait for each other in a circle, so that none could ever start; undefined when there are none. */
export function circleOf(components: readonly Component[]): string | undefined {
  const edges = edgesOf(components);
  const clear = new Set<string>();
  for (const name of edges.keys()) {
    const circle = circleFrom(name, edges, { trail: [], clear });
    if (circle !== undefined) return `dependsOn goes in a circle: ${circle.join(' -> ')}`;
  }
  return undefined;
}

/** Of those present, the ones that nobody present waits for: they may go. All of them when they wait for each other in a circle. */
export function removable(present: ReadonlySet<string>, components: readonly Component[]): ReadonlySet<string> {
  const edges = edgesOf(components);
  const needed = new Set([...present].flatMap((name) => (edges.get(name) ?? []).filter((other) => other !== name)));
  const free = [...present].filter((name) => !needed.has(name));
  return free.length === 0 ? present : new Set(free);
}

/** Whether a pod shows the condition that is waited for. */
export const isMet = ({ type, status }: Dependency, pod: Pod | undefined): boolean =>
  pod?.status?.conditions?.some((condition) => condition.type === type && condition.status === status) ?? false;

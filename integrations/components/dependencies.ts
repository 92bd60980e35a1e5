/** Dependencies between components: what each waits for, cycles, and the order of removal. */

import type { Component } from '../../sdk/index.ts';
import type { ValidationResult } from './validation-result.ts';

/** Dependency of a component: a condition of another component's workload. */
export interface Dependency {
  readonly component: string;
  /** Condition type of a pod or a Deployment, such as `Ready`. */
  readonly type: string;
  readonly status: string;
}

/** Returns the dependencies of a component; a mistake when it names one that is not in `names`, all components of the workspace. */
export function dependenciesOf(
  { name, dependsOn = [] }: Component,
  names: ReadonlySet<string>,
): ValidationResult<readonly Dependency[]> {
  const wrong = dependsOn.findIndex(({ componentName }) => !names.has(componentName));
  if (wrong !== -1) {
    const reason = `component ${name}: dependsOn[${wrong}].componentName: there is no component ${dependsOn[wrong]!.componentName}; known are ${[...names].join(', ')}`;
    return { kind: 'mistake', reason };
  }
  const value = dependsOn.map(({ componentName, conditionType, conditionStatus }) => ({
    component: componentName,
    type: conditionType ?? 'Ready',
    status: conditionStatus ?? 'True',
  }));
  return { kind: 'value', value };
}

type Edges = ReadonlyMap<string, readonly string[]>;

const edgesOf = (components: readonly Component[]): Edges =>
  new Map(components.map(({ name, dependsOn = [] }) => [name, dependsOn.map(({ componentName }) => componentName)]));

/** Returns the first cycle that a depth-first search from `start` meets. Names that lead to none are added to `clear` and not searched again. */
function cycleFrom(start: string, edges: Edges, clear: Set<string>): readonly string[] | undefined {
  const nextOf = (name: string): Iterator<string> => (edges.get(name) ?? []).values();
  const open = new Map([[start, nextOf(start)]]);
  const path = [start];
  for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
    const { value: next, done } = open.get(at)!.next();
    if (done) {
      clear.add(at);
      open.delete(at);
      path.pop();
    } else if (open.has(next)) return [...path.slice(path.indexOf(next)), next];
    else if (!clear.has(next)) {
      open.set(next, nextOf(next));
      path.push(next);
    }
  }
  return undefined;
}

/** Describes a dependency cycle, of which no component could start; undefined without one. */
export function cycleOf(components: readonly Component[]): string | undefined {
  const edges = edgesOf(components);
  const clear = new Set<string>();
  for (const name of edges.keys()) {
    const circle = clear.has(name) ? undefined : cycleFrom(name, edges, clear);
    if (circle !== undefined) return `dependsOn goes in a circle: ${circle.join(' -> ')}`;
  }
  return undefined;
}

/** Returns the present components that no other present one depends on, which may be removed; all of them when they form a cycle. */
export function removable(present: ReadonlySet<string>, components: readonly Component[]): ReadonlySet<string> {
  const edges = edgesOf(components);
  const needed = new Set([...present].flatMap((name) => (edges.get(name) ?? []).filter((other) => other !== name)));
  const free = [...present].filter((name) => !needed.has(name));
  return free.length === 0 ? present : new Set(free);
}

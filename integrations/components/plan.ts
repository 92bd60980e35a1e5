/** Decides how to bring components to their desired state, and how to remove them. */

import {
  type Component,
  type ConditionStatus,
  isDeleting,
  type KubeObject,
  type NewObject,
  type Pod,
  type Service,
} from '../../sdk/index.ts';
import { type Dependency, isMet, removable } from './dependencies.ts';
import { labels, recordedHash, type WantedComponent } from './objects.ts';
import { failureOf, hindranceOf, isEvicted, isReady } from './readiness.ts';

/** Existing pods and services of a workspace's components. */
export interface ObservedComponents {
  readonly pods: readonly Pod[];
  readonly services: readonly Service[];
}

/** Change of one object in the cluster. */
export type ComponentAction =
  | { readonly do: 'delete'; readonly kind: 'Pod' | 'Service'; readonly object: KubeObject }
  | {
      readonly do: 'patch';
      readonly kind: 'Service';
      readonly object: NewObject<Service>;
      readonly uid: string | undefined;
    }
  | { readonly do: 'create'; readonly kind: 'Pod'; readonly object: NewObject<Pod> }
  | { readonly do: 'create'; readonly kind: 'Service'; readonly object: NewObject<Service> };

/** Actions to take, with the status and reason of the condition. */
export interface Plan {
  readonly actions: readonly ComponentAction[];
  readonly status: ConditionStatus;
  readonly reason: string;
}

type Made = Pick<NewObject<KubeObject>, 'metadata'>;

const componentOf = ({ metadata }: KubeObject): string => metadata.labels?.[labels.name] ?? '';
type ByName<T> = ReadonlyMap<string | undefined, T>;
const byName = <T extends Made>(objects: readonly T[]): ByName<T> =>
  new Map(objects.map((object) => [object.metadata.name, object]));
const isCurrent = (object: KubeObject, wanted: Made): boolean =>
  !isDeleting(object) && recordedHash(object) === recordedHash(wanted);

/** Returns a deletion for each object that is not being deleted yet. */
const removal = (kind: 'Pod' | 'Service', objects: readonly KubeObject[]): readonly ComponentAction[] =>
  objects.filter((object) => !isDeleting(object)).map((object) => ({ do: 'delete', kind, object }));

/** Plans the changes of services. A service that differs is patched, so that it keeps its address; one being deleted is recreated once it is gone. */
function serviceActions(
  wanted: readonly NewObject<Service>[],
  services: readonly Service[],
): readonly ComponentAction[] {
  const [wantedByName, thereByName] = [byName(wanted), byName(services)];
  const others = services.filter(({ metadata }) => !wantedByName.has(metadata.name));
  const changes = wanted.flatMap((object): readonly ComponentAction[] => {
    const there = thereByName.get(object.metadata.name);
    if (there === undefined) return [{ do: 'create', kind: 'Service', object }];
    if (isDeleting(there) || isCurrent(there, object)) return [];
    return [{ do: 'patch', kind: 'Service', object, uid: there.metadata.uid }];
  });
  return [...removal('Service', others), ...changes];
}

/** State of one component. */
type ComponentState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly why: string }
  /** `why` is empty when the pod is starting normally. */
  | { readonly kind: 'pending'; readonly why: string }
  | { readonly kind: 'create' }
  | { readonly kind: 'replace'; readonly pod: Pod };

const unmet = ({ component, type, status }: Dependency): string =>
  `needs ${component} ${status === 'True' ? type : `${type}=${status}`}`;

function componentStateOf(
  wanted: WantedComponent,
  pods: ByName<Pod>,
  current: ReadonlyMap<string, Pod>,
): ComponentState {
  const pod = pods.get(wanted.pod.metadata.name);
  if (pod === undefined) {
    const waitsFor = wanted.dependencies.find((dependency) => !isMet(dependency, current.get(dependency.component)));
    return waitsFor === undefined ? { kind: 'create' } : { kind: 'pending', why: unmet(waitsFor) };
  }
  if (isDeleting(pod)) return { kind: 'pending', why: 'being replaced' };
  if (!isCurrent(pod, wanted.pod) || isEvicted(pod)) return { kind: 'replace', pod };
  const why = failureOf(pod);
  if (why !== undefined) return { kind: 'failed', why };
  return isReady(pod) ? { kind: 'ready' } : { kind: 'pending', why: hindranceOf(pod) ?? '' };
}

function podActions({ pod: object }: WantedComponent, state: ComponentState): readonly ComponentAction[] {
  if (state.kind === 'create') return [{ do: 'create', kind: 'Pod', object }];
  return state.kind === 'replace' ? removal('Pod', [state.pod]) : [];
}

type ComponentStates = ReadonlyMap<string, ComponentState>;

function summary(states: ComponentStates, leftOver: readonly Pod[]): Omit<Plan, 'actions'> {
  const all = [...states];
  const failed = all.flatMap(([name, state]) => (state.kind === 'failed' ? [`${name}: ${state.why}`] : []));
  if (failed.length > 0) return { status: 'Error', reason: failed.join('; ') };
  const ready = all.filter(([, { kind }]) => kind === 'ready').length;
  const count = `${ready} of ${all.length} components ready`;
  const waiting = all.flatMap(([name, state]) => {
    if (state.kind === 'ready') return [];
    return [state.kind === 'pending' && state.why !== '' ? `${name} (${state.why})` : name];
  });
  if (waiting.length > 0) return { status: 'In Progress', reason: `${count}; waiting for ${waiting.join(', ')}` };
  if (leftOver.length === 0) return { status: 'Completed', reason: count };
  const names = leftOver.map(({ metadata }) => metadata.name).join(', ');
  return { status: 'In Progress', reason: `${count}; removing ${names}` };
}

/** Plans the actions towards the desired components and summarizes their state; no I/O. */
export function componentsPlanOf(wanted: readonly WantedComponent[], { pods, services }: ObservedComponents): Plan {
  const there = byName(pods);
  const current = new Map(
    wanted.flatMap(({ name, pod: object }) => {
      const pod = there.get(object.metadata.name);
      return pod !== undefined && isCurrent(pod, object) ? [[name, pod] as const] : [];
    }),
  );
  const states = new Map(wanted.map((component) => [component.name, componentStateOf(component, there, current)]));
  const wantedPods = byName(wanted.map(({ pod }) => pod));
  const leftOver = pods.filter(({ metadata }) => !wantedPods.has(metadata.name));
  const wantedServices = wanted.flatMap((component) => component.services);
  return {
    actions: [
      ...removal('Pod', leftOver),
      ...serviceActions(wantedServices, services),
      ...wanted.flatMap((component) => podActions(component, states.get(component.name)!)),
    ],
    ...summary(states, leftOver),
  };
}

/** Plans the removal, without I/O: a component's pod once no present component depends on it, its services once its pod is gone. */
export function teardownPlanOf(components: readonly Component[], { pods, services }: ObservedComponents): Plan {
  const present = new Set(pods.map(componentOf));
  const free = removable(present, components);
  const podless = services.filter((service) => !present.has(componentOf(service)));
  const names = [
    ...pods.map(({ metadata }) => `pod ${metadata.name}`),
    ...services.map(({ metadata }) => `service ${metadata.name}`),
  ];
  const held = pods.find((pod) => isDeleting(pod) && (pod.metadata.finalizers ?? []).length > 0);
  const by = held === undefined ? '' : ` (${held.metadata.name} is held by ${held.metadata.finalizers?.join(', ')})`;
  return {
    actions: [
      ...removal(
        'Pod',
        pods.filter((pod) => free.has(componentOf(pod))),
      ),
      ...removal('Service', podless),
    ],
    ...(names.length === 0
      ? { status: 'Terminated', reason: 'no pod or service is left' }
      : { status: 'In Progress', reason: `removing ${names.length}: ${names.slice(0, 4).join(', ')}${by}` }),
  };
}

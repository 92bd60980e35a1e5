/** Decides how to bring components to their desired state, and how to remove them. */

import {
  add,
  type Component,
  type ConditionStatus,
  type Deployment,
  isDeleting,
  type JsonPatchOperation,
  type KubeObject,
  type NewObject,
  type Pod,
  pointer,
  type Service,
  test,
} from '../../sdk/index.ts';
import { type Dependency, removable } from './dependencies.ts';
import { componentHashAnnotation, labels, recordedHash, type WantedComponent } from './objects.ts';
import { isMet, type WantedWorkload, type Workload, type WorkloadState, workloadStateOf } from './workload.ts';

/** Existing workloads and services of a workspace's components. */
export interface ObservedComponents {
  readonly pods: readonly Pod[];
  readonly deployments: readonly Deployment[];
  readonly services: readonly Service[];
}

/** Change of one object in the cluster. */
export type ComponentAction =
  | {
      readonly do: 'delete';
      readonly kind: 'Pod' | 'Deployment' | 'Service';
      readonly object: KubeObject;
      /** Object created after the deletion. @default none */
      readonly next?: WantedWorkload;
    }
  | {
      readonly do: 'patch';
      readonly kind: 'Service';
      readonly object: NewObject<Service>;
      readonly uid: string | undefined;
    }
  | {
      readonly do: 'patch';
      readonly kind: 'Deployment';
      readonly object: KubeObject;
      readonly operations: readonly JsonPatchOperation[];
      /** The Deployment that it becomes. */
      readonly next: WantedWorkload;
    }
  | ({ readonly do: 'create' } & (WantedWorkload | { readonly kind: 'Service'; readonly object: NewObject<Service> }));

/** Actions to take, with the status and reason of the condition. */
export interface Plan {
  readonly actions: readonly ComponentAction[];
  readonly status: ConditionStatus;
  readonly reason: string;
}

type LabeledObject = Pick<NewObject<KubeObject>, 'metadata'>;

const componentOf = ({ metadata }: KubeObject): string => metadata.labels?.[labels.name] ?? '';
const byName = <T extends LabeledObject>(objects: readonly T[]): ReadonlyMap<string | undefined, T> =>
  new Map(objects.map((object) => [object.metadata.name, object]));
const isCurrent = (object: KubeObject, wanted: LabeledObject): boolean =>
  !isDeleting(object) && recordedHash(object) === recordedHash(wanted);

const workloadsOf = ({ pods, deployments }: ObservedComponents): readonly Workload[] => [
  ...pods.map((object) => ({ kind: 'Pod', object }) as const),
  ...deployments.map((object) => ({ kind: 'Deployment', object }) as const),
];

const keyOf = ({ kind, object }: { readonly kind: string; readonly object: LabeledObject }): string =>
  `${kind} ${object.metadata.name}`;

/** Returns a deletion for each object that is not being deleted yet. */
const removal = (objects: readonly (Workload | { readonly kind: 'Service'; readonly object: Service })[]) =>
  objects
    .filter(({ object }) => !isDeleting(object))
    .map(({ kind, object }) => ({ do: 'delete', kind, object }) as const);

const asService = (object: Service) => ({ kind: 'Service', object }) as const;

/** Plans the changes of services. A service that differs is patched, so that it keeps its address; one being deleted is recreated once it is gone. */
function serviceActions(
  wanted: readonly NewObject<Service>[],
  services: readonly Service[],
): readonly ComponentAction[] {
  const [wantedByName, thereByName] = [byName(wanted), byName(services)];
  const others = services.filter(({ metadata }) => !wantedByName.has(metadata.name));
  const changes = wanted.flatMap((object): readonly ComponentAction[] => {
    const existing = thereByName.get(object.metadata.name);
    if (existing === undefined) return [{ do: 'create', kind: 'Service', object }];
    if (isDeleting(existing) || isCurrent(existing, object)) return [];
    return [{ do: 'patch', kind: 'Service', object, uid: existing.metadata.uid }];
  });
  return [...removal(others.map(asService)), ...changes];
}

/** State of one component. */
type ComponentState =
  | Exclude<WorkloadState, { readonly kind: 'ended' }>
  | { readonly kind: 'create' }
  | { readonly kind: 'change'; readonly workload: Workload };

const unmet = ({ component, type, status }: Dependency): string =>
  `needs ${component} ${status === 'True' ? type : `${type}=${status}`}`;

function componentStateOf(
  { workload: wanted, dependencies }: WantedComponent,
  there: ReadonlyMap<string, Workload>,
  current: ReadonlyMap<string, Workload>,
): ComponentState {
  const workload = there.get(keyOf(wanted));
  if (workload === undefined) {
    const waitsFor = dependencies.find((dependency) => !isMet(dependency, current.get(dependency.component)));
    return waitsFor === undefined ? { kind: 'create' } : { kind: 'pending', why: unmet(waitsFor) };
  }
  if (isDeleting(workload.object)) return { kind: 'pending', why: 'being replaced' };
  if (!isCurrent(workload.object, wanted.object)) return { kind: 'change', workload };
  const state = workloadStateOf(workload);
  return state.kind === 'ended' ? { kind: 'change', workload } : state;
}

/** Returns the operations that replace a Deployment's template; its replicas, which an autoscaler may set, are kept. */
function templateChange({ metadata }: Deployment, wanted: NewObject<Deployment>): readonly JsonPatchOperation[] {
  const hash = recordedHash(wanted);
  return [
    test('/metadata/uid', metadata.uid),
    { op: 'replace', path: '/spec/template', value: wanted.spec?.template },
    metadata.annotations === undefined
      ? add('/metadata/annotations', { [componentHashAnnotation]: hash })
      : add(pointer('metadata', 'annotations', componentHashAnnotation), hash),
  ];
}

/** Plans the changes of a component's workload: a differing pod is deleted and then recreated; a Deployment is patched. */
function workloadActions({ workload: wanted }: WantedComponent, state: ComponentState): readonly ComponentAction[] {
  if (state.kind === 'create') return [{ do: 'create', ...wanted }];
  if (state.kind !== 'change') return [];
  const { kind, object } = state.workload;
  if (kind === 'Pod' || wanted.kind === 'Pod')
    return removal([state.workload]).map((action) => ({ ...action, next: wanted }));
  return [{ do: 'patch', kind, object, operations: templateChange(object, wanted.object), next: wanted }];
}

type ComponentStates = ReadonlyMap<string, ComponentState>;

function summary(states: ComponentStates, leftOver: readonly Workload[]): Omit<Plan, 'actions'> {
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
  const names = leftOver.map(({ object }) => object.metadata.name).join(', ');
  return { status: 'In Progress', reason: `${count}; removing ${names}` };
}

/** Plans the actions towards the desired components and summarizes their state; no I/O. */
export function componentsPlanOf(wanted: readonly WantedComponent[], observed: ObservedComponents): Plan {
  const workloads = workloadsOf(observed);
  const existing = new Map(workloads.map((workload) => [keyOf(workload), workload]));
  const current = new Map(
    wanted.flatMap(({ name, workload: { kind, object } }) => {
      const workload = existing.get(keyOf({ kind, object }));
      return workload !== undefined && isCurrent(workload.object, object) ? [[name, workload] as const] : [];
    }),
  );
  const states = new Map(wanted.map((component) => [component.name, componentStateOf(component, existing, current)]));
  const upToDate = new Set(wanted.map(({ workload }) => keyOf(workload)));
  const leftOver = workloads.filter((workload) => !upToDate.has(keyOf(workload)));
  return {
    actions: [
      ...removal(leftOver),
      ...serviceActions(
        wanted.flatMap(({ services }) => services),
        observed.services,
      ),
      ...wanted.flatMap((component) => workloadActions(component, states.get(component.name)!)),
    ],
    ...summary(states, leftOver),
  };
}

/** Plans the removal: a component's workload once no existing component depends on it, its services after its workload. Pure. */
export function teardownPlanOf(components: readonly Component[], observed: ObservedComponents): Plan {
  const workloads = workloadsOf(observed);
  const present = new Set(workloads.map(({ object }) => componentOf(object)));
  const free = removable(present, components);
  const idle = observed.services.filter((service) => !present.has(componentOf(service)));
  const names = [...workloads, ...observed.services.map(asService)].map(
    ({ kind, object }) => `${kind.toLowerCase()} ${object.metadata.name}`,
  );
  const terminating = observed.pods.find((pod) => isDeleting(pod) && (pod.metadata.finalizers ?? []).length > 0);
  const by =
    terminating === undefined
      ? ''
      : ` (${terminating.metadata.name} is held by ${terminating.metadata.finalizers?.join(', ')})`;
  return {
    actions: [
      ...removal(workloads.filter(({ object }) => free.has(componentOf(object)))),
      ...removal(idle.map(asService)),
    ],
    ...(names.length === 0
      ? { status: 'Terminated', reason: 'no pod or service is left' }
      : { status: 'In Progress', reason: `removing ${names.length}: ${names.slice(0, 4).join(', ')}${by}` }),
  };
}

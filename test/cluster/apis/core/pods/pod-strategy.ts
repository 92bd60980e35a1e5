/** Create and update strategy of Pods. */

import { timestampOf } from '../../../apimachinery/generated-metadata.ts';
import { type ApiObject, type Draft, type Fields, isFields, ownMember } from '../../../apimachinery/object.ts';
import { forbidden } from '../../../apimachinery/status.ts';
import { listOf } from '../../../resources/defaulting.ts';
import type { ServerContext } from '../../../server/server-context.ts';
import type { Strategy } from '../../../server/strategy.ts';
import { checkOverhead, withRuntimeClass } from '../../node/runtime-class.ts';
import { keepOtherParts } from './pod-subresource-validation.ts';
import { prepared } from './prepare-for-create.ts';

const collection = 'scheduling.k8s.io/priorityclasses';
const pods = { group: '', plural: 'pods' };

/** Priorities of the built-in classes. */
const system: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

const preempting = 'PreemptLowerPriority';

/** Fields that a PriorityClass sets on its pods. */
interface PriorityFields {
  readonly priorityClassName?: string;
  readonly priority: number;
  readonly preemptionPolicy?: unknown;
}

const priorityFieldsOf = (found: ApiObject): PriorityFields => {
  const { metadata, value, preemptionPolicy } = found as ApiObject & Fields;
  return { priorityClassName: metadata.name, priority: Number(value ?? 0), preemptionPolicy };
};

/** Returns the global default class; of several the one with the lowest priority; undefined without any. */
function defaultClass({ store }: ServerContext): PriorityFields | undefined {
  if (store.count(collection) === 0) return undefined;
  const { objects } = store.page(collection, { prefix: '', matches: (one) => (one as Fields).globalDefault === true });
  return objects.map(priorityFieldsOf).sort((a, b) => a.priority - b.priority)[0];
}

function classNamed({ store }: ServerContext, name: string): PriorityFields | undefined {
  const found = store.get(collection, name);
  if (found !== undefined) return priorityFieldsOf(found);
  const priority = ownMember(system, name);
  return priority === undefined ? undefined : { priorityClassName: name, priority, preemptionPolicy: preempting };
}

/** Sets the priority from the pod's class. Throws the server's 403 for an unknown class or a different value. */
function prioritized(server: ServerContext, name: string, spec: Fields): Fields {
  const asked = spec.priorityClassName;
  const found = asked ? classNamed(server, String(asked)) : defaultClass(server);
  if (asked && found === undefined) {
    throw forbidden(pods, name, { why: `no PriorityClass with name ${asked} was found` });
  }
  const { priority, preemptionPolicy, ...rest }: PriorityFields = found ?? {
    priority: 0,
    preemptionPolicy: preempting,
  };
  const own = 'priority admission controller computed';
  if (spec.priority !== undefined && spec.priority !== priority) {
    const why = `the integer value of priority (${spec.priority}) must not be provided in pod spec; ${own} ${priority} from the given PriorityClass name`;
    throw forbidden(pods, name, { why });
  }
  if (preemptionPolicy !== undefined && ![undefined, preemptionPolicy].includes(spec.preemptionPolicy)) {
    const why = `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; ${own} ${preemptionPolicy} from the given PriorityClass name`;
    throw forbidden(pods, name, { why });
  }
  return { ...spec, ...rest, priority, ...(preemptionPolicy !== undefined && { preemptionPolicy }) };
}

const gated = ({ clock }: ServerContext): Fields => ({
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime: timestampOf(clock.now()),
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
});

function keepOwners({ metadata }: Draft, { metadata: { ownerReferences } }: ApiObject): void {
  if (ownerReferences === undefined) delete metadata.ownerReferences;
  else metadata.ownerReferences = ownerReferences;
}

/** Pods: admission applies their PriorityClass and RuntimeClass, and adds tolerations. */
export const podStrategy: Strategy = {
  unmanagedDefaults: [
    ['spec', 'priority'],
    ['spec', 'preemptionPolicy'],
    ['spec', 'tolerations'],
  ],
  prepareForUpdate(draft, current, subresource) {
    keepOtherParts(draft, current, subresource);
    // Old kubelets would drop the owners that the garbage collector needs.
    if (subresource === 'status') keepOwners(draft, current);
  },
  allocate(server, draft, current) {
    if (current === undefined) checkOverhead(server, draft);
  },
  prepareForCreate(server, draft) {
    const spec = isFields(draft.spec) ? draft.spec : {};
    const { name = '' } = draft.metadata;
    const admitted = withRuntimeClass(server, name, prioritized(server, name, spec));
    draft.spec = prepared(admitted, draft.metadata);
    const isGated = listOf(spec.schedulingGates).length > 0;
    draft.status = { phase: 'Pending', ...(isGated && { conditions: [gated(server)] }) };
  },
};

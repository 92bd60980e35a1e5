import { keepOtherParts } from '../kinds/pod-parts.ts';
import type { Machinery } from '../machinery.ts';
import { type ApiObject, type Fields, isFields } from '../objects/object.ts';
import { forbidden } from '../status.ts';
import type { Strategy } from './strategy.ts';

const collection = 'scheduling.k8s.io/priorityclasses';
const pods = { group: '', plural: 'pods' };

/** Classes that every cluster has, by name: their priorities. */
const system: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

/** What a class gives to its pods. */
interface Given {
  readonly priorityClassName?: string;
  readonly priority: number;
  readonly preemptionPolicy?: unknown;
}

const givenBy = (found: ApiObject): Given => {
  const { metadata, value, preemptionPolicy } = found as ApiObject & Fields;
  return { priorityClassName: metadata.name, priority: Number(value ?? 0), preemptionPolicy };
};

/** The class that pods without one get, if any: of several that of the least priority. */
function defaultClass({ store }: Machinery): Given | undefined {
  if (store.count(collection) === 0) return undefined;
  const { objects } = store.page(collection, { prefix: '', matches: (one) => (one as Fields).globalDefault === true });
  return objects.map(givenBy).sort((a, b) => a.priority - b.priority)[0];
}

function classNamed({ store }: Machinery, name: string): Given | undefined {
  const found = store.get(collection, name);
  if (found !== undefined) return givenBy(found);
  return system[name] === undefined ? undefined : { priorityClassName: name, priority: system[name] };
}

/** The spec with what its class gives. Throws the server's 403 for a class that there is not, and for what it says otherwise. */
function prioritized(machinery: Machinery, name: string, spec: Fields): Fields {
  const asked = spec.priorityClassName;
  const found = asked ? classNamed(machinery, String(asked)) : defaultClass(machinery);
  if (asked && found === undefined) {
    throw forbidden(pods, name, { why: `no PriorityClass with name ${asked} was found` });
  }
  const { priority, preemptionPolicy, ...rest }: Given = found ?? { priority: 0 };
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

/** Pods: admission adds what their PriorityClass gives, and tolerations. */
export const podStrategy: Strategy = {
  filledLate: [
    ['spec', 'priority'],
    ['spec', 'preemptionPolicy'],
    ['spec', 'tolerations'],
  ],
  prepareForUpdate: keepOtherParts,
  prepareForCreate(machinery, draft) {
    draft.spec = prioritized(machinery, draft.metadata.name ?? '', isFields(draft.spec) ? draft.spec : {});
  },
};

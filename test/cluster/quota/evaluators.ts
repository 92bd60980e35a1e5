/** Quota evaluators by collection. */

import type { Quantity } from '../apimachinery/formats/quantity.ts';
import { type Fields, isFields } from '../apimachinery/object.ts';
import { deviceClaims } from './device-claims.ts';
import type { Evaluator, QuotaWrite } from './evaluator.ts';
import { containerAmounts, podAmountsWithOverhead } from './pod-usage.ts';
import { type Amounts, amountsIn, countOf } from './resource-lists.ts';
import { isClaimInScope, isPodInScope, isTerminating } from './scopes.ts';

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);
const one = countOf(1);

const isExtended = (name: string): boolean =>
  name.includes('/') && !name.startsWith('requests.') && !name.split('/')[0]!.endsWith('kubernetes.io');

const computed = ['cpu', 'memory', 'ephemeral-storage'];
const podNames = new Set(['count/pods', 'pods', ...computed.flatMap((it) => [it, `requests.${it}`, `limits.${it}`])]);
const prefixes = ['hugepages-', 'requests.hugepages-'];

/** Returns requests and limits under their names in quotas. */
function quotaNames(requests: Amounts, limits: Amounts): Amounts {
  const used = new Map<string, Quantity>();
  for (const [name, amount] of requests) {
    const isHuge = name.startsWith('hugepages-');
    if (isHuge || computed.includes(name)) used.set(name, amount);
    if (isHuge || computed.includes(name) || isExtended(name)) used.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of limits) if (computed.includes(name)) used.set(`limits.${name}`, amount);
  return used;
}

/** Reports whether a pod still holds its resources: it has not finished, and its termination is not overdue. */
function holdsResources({ metadata, status }: Fields, now: number): boolean {
  if (['Failed', 'Succeeded'].includes(String(fieldsOf(status).phase))) return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = fieldsOf(metadata);
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true;
  return now <= Date.parse(String(deletionTimestamp)) + Number(deletionGracePeriodSeconds) * 1000;
}

const requiredResources = ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]);

const pods: Evaluator = {
  matchesResource: (name) =>
    podNames.has(name) ||
    prefixes.some((prefix) => name.startsWith(prefix)) ||
    (name.startsWith('requests.') && isExtended(name.slice('requests.'.length))),
  handles: ({ operation, subresource, object, oldObject }) =>
    subresource === undefined
      ? operation === 'CREATE' || (oldObject !== undefined && isTerminating(object) !== isTerminating(oldObject))
      : subresource === 'resize' && operation === 'UPDATE',
  usage(pod, now) {
    const counted: [string, Quantity][] = [['count/pods', one]];
    if (!holdsResources(pod, now)) return new Map(counted);
    const spec = fieldsOf(pod.spec);
    const amounts = quotaNames(podAmountsWithOverhead(spec, 'requests'), podAmountsWithOverhead(spec, 'limits'));
    return new Map([...counted, ['pods', one], ...amounts]);
  },
  isInScope: isPodInScope,
  constraintError(names, { spec }) {
    const { containers, initContainers, resources } = fieldsOf(spec);
    if (Object.keys(fieldsOf(resources)).length > 0) return undefined;
    const all = [...listOf(containers), ...listOf(initContainers)].map((container) => ({
      name: String(container.name),
      amounts: quotaNames(containerAmounts(container, 'requests'), containerAmounts(container, 'limits')),
    }));
    const faults = requiredResources
      .filter((name) => names.includes(name))
      .sort()
      .map((name) => ({
        name,
        without: all.filter(({ amounts }) => !amounts.has(name)).map((container) => container.name),
      }))
      .filter(({ without }) => without.length > 0)
      .map(({ name, without }) => `${name} for: ${[...new Set(without)].sort().join(',')}`);
    return faults.length === 0 ? undefined : `must specify ${faults.join('; ')}`;
  },
};

const isChange = ({ operation, subresource }: QuotaWrite): boolean =>
  subresource === undefined && operation !== 'DELETE';
const nothing = (): undefined => undefined;

const serviceNames = ['count/services', 'services', 'services.loadbalancers', 'services.nodeports'];

function nodePortsOf({ type, ports, allocateLoadBalancerNodePorts }: Fields): number {
  const all = listOf(ports);
  if (type === 'LoadBalancer' && allocateLoadBalancerNodePorts === false)
    return all.filter(({ nodePort }) => Number(nodePort ?? 0) !== 0).length;
  return type === 'NodePort' || type === 'LoadBalancer' ? all.length : 0;
}

const services: Evaluator = {
  matchesResource: (name) => serviceNames.includes(name),
  handles: isChange,
  usage(service) {
    const spec = fieldsOf(service.spec);
    const counts = [1, 1, spec.type === 'LoadBalancer' ? 1 : 0, nodePortsOf(spec)];
    return new Map(serviceNames.map((name, index) => [name, countOf(counts[index]!)]));
  },
  isInScope: () => false,
  constraintError: nothing,
};

const claimNames = ['persistentvolumeclaims', 'requests.storage'];
const classInfix = '.storageclass.storage.k8s.io/';

const storageOf = ({ spec, status }: Fields): Quantity | undefined => {
  const wanted = amountsIn(fieldsOf(fieldsOf(spec).resources).requests).get('storage');
  const allocated = amountsIn(fieldsOf(status).allocatedResources).get('storage');
  return wanted !== undefined && allocated !== undefined && allocated.nano > wanted.nano ? allocated : wanted;
};

const claims: Evaluator = {
  matchesResource: (name) =>
    name === 'count/persistentvolumeclaims' ||
    claimNames.some((own) => name === own || name.endsWith(`${classInfix}${own}`)),
  handles: (write) => isChange(write) || (write.subresource === 'status' && write.operation === 'UPDATE'),
  usage(claim) {
    const { storageClassName } = fieldsOf(claim.spec);
    const storage = storageOf(claim);
    const own: [string, Quantity][] = [
      ['persistentvolumeclaims', one],
      ...(storage === undefined ? [] : [['requests.storage', storage] as [string, Quantity]]),
    ];
    const ofClass = own.map(([name, amount]) => [`${storageClassName}${classInfix}${name}`, amount] as const);
    return new Map([['count/persistentvolumeclaims', one], ...own, ...(storageClassName ? ofClass : [])]);
  },
  isInScope: isClaimInScope,
  constraintError: nothing,
};

const byCollection: Readonly<Record<string, Evaluator>> = {
  '/pods': pods,
  '/services': services,
  '/persistentvolumeclaims': claims,
  'resource.k8s.io/resourceclaims': deviceClaims,
};

/** Kinds whose plural is also a name in quotas. */
const shortNames = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'];

const countName = (group: string, plural: string): string => `count/${plural}${group === '' ? '' : `.${group}`}`;

function objectCountEvaluator(collection: string): Evaluator {
  const [group = '', plural = ''] = collection.split('/');
  const names = [countName(group, plural), ...(group === '' && shortNames.includes(plural) ? [plural] : [])];
  return {
    matchesResource: (name) => names.includes(name),
    handles: ({ operation, subresource }) => subresource === undefined && operation === 'CREATE',
    usage: () => new Map(names.map((name) => [name, one])),
    isInScope: () => false,
    constraintError: nothing,
  };
}

/** Returns the evaluator of a collection such as `apps/deployments`. */
export const evaluatorOf = (collection: string): Evaluator =>
  byCollection[collection] ?? objectCountEvaluator(collection);

/** Returns the collections that names in a quota apply to. */
export function collectionsOf(names: readonly string[]): readonly string[] {
  const special = Object.keys(byCollection).filter((collection) =>
    names.some(byCollection[collection]!.matchesResource),
  );
  const others = names.flatMap((name) => {
    if (shortNames.includes(name)) return [`/${name}`];
    const [, plural, group = ''] = /^count\/([^.]+)(?:\.(.+))?$/.exec(name) ?? [];
    return plural === undefined ? [] : [`${group}/${plural}`];
  });
  return [...new Set([...special, ...others])];
}

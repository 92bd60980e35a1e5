/** Defaults of Pods. */

import { parseQuantity } from '../../../apimachinery/formats/quantity.ts';
import { type Fields, isFields } from '../../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../../resources/defaulting.ts';
import { withWholeResources } from './pod-level-resource-defaults.ts';

/** Requests default to limits. */
function withRequests(container: Fields): Fields {
  const resources = fieldsOf(container.resources);
  if (!isFields(resources.limits)) return container;
  return {
    ...container,
    resources: { ...resources, requests: { ...resources.limits, ...fieldsOf(resources.requests) } },
  };
}

/** Host ports default to container ports in the host network. */
const withHostPorts = (container: Fields): Fields =>
  Array.isArray(container.ports)
    ? { ...container, ports: listOf(container.ports).map((port) => ({ hostPort: port.containerPort, ...port })) }
    : container;

const notReady = (key: string): Fields => ({
  key: `node.kubernetes.io/${key}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
});

/** Adds the default tolerations of unreachable and not-ready nodes, for five minutes. */
export function withTolerations(tolerations: readonly Fields[]): readonly Fields[] {
  const tolerates = (key: string): boolean =>
    tolerations.some(
      (one) =>
        (one.key === `node.kubernetes.io/${key}` || (one.key === undefined && one.operator === 'Exists')) &&
        (one.effect === undefined || one.effect === 'NoExecute'),
    );
  return [...tolerations, ...['not-ready', 'unreachable'].filter((key) => !tolerates(key)).map(notReady)];
}

const computed = ['cpu', 'memory'];

const amounts = (resources: unknown): Fields =>
  Object.fromEntries(
    Object.entries(fieldsOf(resources)).filter(
      ([name, amount]) => computed.includes(name) && parseQuantity(String(amount))?.nano !== 0n,
    ),
  );

/** Returns the QoS class of a pod, from its own resources or else those of its containers. */
export function qosClassOf(spec: Fields): string {
  const owners = spec.resources === undefined ? [...listOf(spec.containers), ...listOf(spec.initContainers)] : [spec];
  const all = owners.map(({ resources }) => ({
    limits: amounts(fieldsOf(resources).limits),
    requests: amounts(fieldsOf(resources).requests),
  }));
  const isFree = all.every(({ limits, requests }) => Object.keys({ ...limits, ...requests }).length === 0);
  if (isFree) return 'BestEffort';
  const isGuaranteed = all.every(({ limits, requests }) =>
    computed.every((name) => limits[name] !== undefined && limits[name] === requests[name]),
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

/** Sets the defaults of the server and its standard admission plugins for Pods, but not for templates. */
export function podDefaults(pod: Fields): Fields {
  const spec = fieldsOf(pod.spec);
  const prepared = (list: unknown): Fields[] | undefined => {
    if (!Array.isArray(list)) return undefined;
    const requested = listOf(list).map(withRequests);
    return spec.hostNetwork === true ? requested.map(withHostPorts) : requested;
  };
  const containers = prepared(spec.containers);
  const initContainers = prepared(spec.initContainers);
  const status = fieldsOf(pod.status);
  const isNegativeGrace = Number(spec.terminationGracePeriodSeconds) < 0;
  const filled: Fields = {
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
    ...spec,
    ...(isNegativeGrace && { terminationGracePeriodSeconds: 1 }),
    ...(containers !== undefined && { containers }),
    ...(initContainers !== undefined && { initContainers }),
    tolerations: withTolerations(listOf(spec.tolerations)),
  };
  const whole = spec.resources === undefined ? filled : withWholeResources(filled);
  return { ...pod, spec: whole, status: { qosClass: qosClassOf(whole), ...status } };
}

const imageName =
  /^(?:[\w.-]+(?::\d+)?\/)?[a-z\d]+(?:(?:[._]|__|-+)[a-z\d]+)*(?:\/[a-z\d]+(?:(?:[._]|__|-+)[a-z\d]+)*)*(?::[\w][\w.-]*)?(?:@[\w:.+-]+)?$/;
const imageTag = /(?::([\w][\w.-]*))?(@[\w:.+-]+)?$/;

/** Returns the default pull policy: `Always` for images without tag or digest, or with tag `latest`. */
export const pullPolicyOf = (image: unknown): string => {
  if (!imageName.test(String(image ?? ''))) return 'IfNotPresent';
  const [, tag, digest] = imageTag.exec(String(image ?? '').slice(String(image ?? '').lastIndexOf('/') + 1)) ?? [];
  return tag === 'latest' || (tag === undefined && digest === undefined) ? 'Always' : 'IfNotPresent';
};

/** Classifies and validates names of compute resources. */

import { isQualifiedName } from '../name-validation.ts';
import { named, type Rule } from './combinators.ts';
import { invalid } from './errors.ts';

/** Returns the words of a text as a set. */
export const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Resources counted in whole numbers, as `helper.IsIntegerResourceName`. */
export const integerResources =
  wordsOf(`pods resourcequotas services replicationcontrollers secrets configmaps persistentvolumeclaims
  services.nodeports services.loadbalancers`);

const quantityResources = wordsOf(`cpu memory ephemeral-storage requests.cpu requests.memory requests.storage
  requests.ephemeral-storage limits.cpu limits.memory limits.ephemeral-storage`);

const container = wordsOf('cpu memory ephemeral-storage');

const isHugePages = (name: string): boolean => /^(?:requests\.)?hugepages-/.test(name);

/** Reports whether a quota can limit an unprefixed resource. */
export const isQuotaResource = (name: string): boolean =>
  integerResources.has(name) || quantityResources.has(name) || isHugePages(name);

/** Reports whether a resource is native to Kubernetes. */
export const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

/** Reports whether a resource is an extended one, such as a device. */
export const isExtended = (name: string): boolean =>
  !isNative(name) && !name.startsWith('requests.') && isQualifiedName(`requests.${name}`).length === 0;

/** Rule of resource names. */
export const resourceName: Rule = function* (value, path) {
  const name = String(value);
  const problems = [...named(isQualifiedName)(name, path)];
  yield* problems;
  if (problems.length === 0 && !name.includes('/') && name !== 'storage' && !isQuotaResource(name)) {
    yield invalid(path, name, 'must be a standard resource type or fully qualified');
  }
};

/** Rule of resource names in containers. */
export const containerResourceName: Rule = function* (value, path) {
  yield* resourceName(value, path);
  const name = String(value);
  if (!name.includes('/')) {
    const isStandard = container.has(name) || name.startsWith('hugepages-');
    if (!isStandard) yield invalid(path, name, 'must be a standard resource for containers');
  } else if (!isNative(name) && !isExtended(name)) {
    yield invalid(path, name, "doesn't follow extended resource name standard");
  }
};

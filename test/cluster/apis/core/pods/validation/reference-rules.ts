/** Validates references to the fields and resources of pods. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import { canonicalQuantity, parseQuantity } from '../../../../apimachinery/formats/quantity.ts';
import { isQualifiedName } from '../../../../apimachinery/name-validation.ts';
import { ownMember } from '../../../../apimachinery/object.ts';
import { named, oneOf, type Rule } from '../../../../apimachinery/validation/combinators.ts';
import { fieldsOf, invalid, required } from '../../../../apimachinery/validation/errors.ts';

const readable: ReadonlySet<string> = new Set([
  ...['annotations', 'labels', 'name', 'namespace', 'uid'].map((name) => `metadata.${name}`),
  ...['nodeName', 'restartPolicy', 'serviceAccountName', 'schedulerName', 'host'].map((name) => `spec.${name}`),
  ...['phase', 'hostIP', 'hostIPs', 'podIP', 'podIPs'].map((name) => `status.${name}`),
]);

const subscripted = /^([^[]+(?:\[(?!')[^[]*)*)\['(.*)'\]$/s;

/** Normalization of subscripts, by field: keys of annotations are compared in lower case. */
const keyRules: Readonly<Record<string, (key: string) => string>> = {
  'metadata.annotations': (key) => key.toLowerCase(),
  'metadata.labels': (key) => key,
};

const notConverted = (path: string, label: string, why: string): FieldError =>
  invalid(`${path}.fieldPath`, label, `error converting fieldPath: ${why}: ${label}`);

/** Validates the path of a field in a pod; `known` is the rule of paths without a subscript. */
function labelErrors(label: string, path: string, known: Rule): Iterable<FieldError> {
  const [, list, key = ''] = subscripted.exec(label) ?? [];
  if (list !== undefined) {
    const shown = keyRules[list]?.(key);
    if (shown === undefined) return [notConverted(path, label, 'field label does not support subscript')];
    return named(isQualifiedName)(shown, path);
  }
  if (!readable.has(label)) return [notConverted(path, label, 'field label not supported')];
  return known(label === 'spec.host' ? 'spec.nodeName' : label, `${path}.fieldPath`);
}

/** Returns the rule of references to fields with these paths. */
export const fieldReference =
  (...paths: readonly string[]): Rule =>
  (value, path) => {
    const { apiVersion, fieldPath } = fieldsOf(value);
    const label = String(fieldPath ?? '');
    if (!apiVersion) return [required(`${path}.apiVersion`)];
    if (label === '') return [required(`${path}.fieldPath`)];
    if (apiVersion !== 'v1') {
      const detail = `error converting fieldPath: unsupported pod version: ${String(apiVersion)}`;
      return [invalid(`${path}.fieldPath`, label, detail)];
    }
    return labelErrors(label, path, oneOf(...paths));
  };

const resources = ['limits', 'requests'].flatMap((list) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((name) => `${list}.${name}`),
);
const knownResource = oneOf(...resources);
const isHugePages = (resource: string): boolean => /^(limits|requests)\.hugepages-/.test(resource);

const units = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
const unitsOf = (name: string) => ({
  units,
  detail: `only divisor's values ${units.join(', ')} are supported with the ${name} resource`,
});

/** Valid divisors by resource. */
const divisors: Readonly<Record<string, { readonly units: readonly string[]; readonly detail: string }>> = {
  cpu: { units: ['1m', '1'], detail: "only divisor's values 1m and 1 are supported with the cpu resource" },
  memory: unitsOf('memory'),
  'ephemeral-storage': unitsOf('local ephemeral storage'),
};
const ofHugePages = unitsOf('hugepages');

const divisor = (resource: string): Rule =>
  function* (value, path) {
    if (value === undefined || parseQuantity(String(value))?.nano === 0n) return;
    const known = isHugePages(resource)
      ? ofHugePages
      : ownMember(divisors, resource.replace(/^(limits|requests)\./, ''));
    if (known === undefined || !/^(limits|requests)\./.test(resource)) return;
    if (!known.units.includes(canonicalQuantity(String(value)) ?? '')) yield invalid(path, resource, known.detail);
  };

/** Returns the rule of references to container resources; in volumes the container is required. */
export const resourceReference = (ofVolume: boolean): Rule =>
  function* (value, path) {
    const { containerName, resource, divisor: unit } = fieldsOf(value);
    const name = String(resource ?? '');
    if (ofVolume && !containerName) yield required(`${path}.containerName`);
    else if (name === '') yield required(`${path}.resource`);
    else if (!isHugePages(name)) yield* knownResource(name, `${path}.resource`);
    yield* divisor(name)(unit, `${path}.divisor`);
  };

/** Validates the affinity of pods. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import { isLabel, isQualifiedName } from '../../../../apimachinery/name-validation.ts';
import type { Fields } from '../../../../apimachinery/object.ts';
import {
  each,
  fields,
  inRange,
  labelSelector,
  members,
  named,
  type Rule,
} from '../../../../apimachinery/validation/combinators.ts';
import { fieldsOf, forbidden, invalid, listOf, required } from '../../../../apimachinery/validation/errors.ts';
import { nodeSelector, preferredNodeTerm } from '../../../../apimachinery/validation/node-selector.ts';

const labelKey = named(isQualifiedName);
const weight: Rule = (value, path) => inRange(1, 100, 'must be in the range 1-100')(value ?? 0, path);

function* keyListErrors(keys: unknown, path: string, selector: unknown): Generator<FieldError> {
  if (!Array.isArray(keys) || keys.length === 0) return;
  if (selector === undefined) yield forbidden(path, 'must not be specified when labelSelector is not set');
  else yield* each(labelKey)(keys, path);
}

/** Validates `matchLabelKeys` and `mismatchLabelKeys`, which become part of the selector. */
export function* ownLabelErrors(one: Fields, path: string): Generator<FieldError> {
  const { matchLabelKeys: matching, mismatchLabelKeys: other, labelSelector: selector } = one;
  if (matching === undefined && other === undefined) return;
  yield* keyListErrors(matching, `${path}.matchLabelKeys`, selector);
  yield* keyListErrors(other, `${path}.mismatchLabelKeys`, selector);
  const keys = Array.isArray(matching) ? matching : [];
  const { matchLabels, matchExpressions } = fieldsOf(selector);
  const selected = new Set(Object.keys(fieldsOf(matchLabels)));
  for (const { key = '' } of listOf(matchExpressions)) {
    const index = keys.lastIndexOf(key);
    if (index >= 0 && selected.has(String(key))) {
      yield invalid(`${path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector');
    }
    selected.add(String(key));
  }
  for (const [index, key] of keys.entries()) {
    if (Array.isArray(other) && other.includes(key)) {
      const detail = 'exists in both matchLabelKeys and mismatchLabelKeys';
      yield invalid(`${path}.matchLabelKeys[${index}]`, key, detail);
    }
  }
}

const selectors = members({ labelSelector, namespaceSelector: labelSelector });

/** Rule of pod affinity terms. */
const podTerm: Rule = function* (value, path) {
  const one = fieldsOf(value);
  yield* selectors(one, path);
  for (const name of Array.isArray(one.namespaces) ? one.namespaces : []) {
    yield* named(isLabel)(name, `${path}.namespace`);
  }
  yield* ownLabelErrors(one, path);
  if (!one.topologyKey) yield required(`${path}.topologyKey`, 'can not be empty');
  yield* labelKey(one.topologyKey, `${path}.topologyKey`);
};

const needed = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

const podAffinity = members({
  [needed]: each(podTerm),
  [preferred]: each(fields({ weight, podAffinityTerm: podTerm })),
});

/** Rule of a pod's affinity to nodes and pods. */
export const affinity: Rule = members({
  nodeAffinity: members({
    [needed]: nodeSelector,
    [preferred]: each(fields({ weight, preference: preferredNodeTerm })),
  }),
  podAffinity,
  podAntiAffinity: podAffinity,
});

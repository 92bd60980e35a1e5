/** Warns of affinities and spread constraints. */

import type { Fields } from '../../../../apimachinery/object.ts';
import { labelText } from '../../../../apimachinery/validation/combinators.ts';
import { fieldsOf, listOf } from '../../../../apimachinery/validation/errors.ts';
import { deprecationOf } from '../../deprecated-node-labels.ts';

/** Returns the warnings for the expressions of a term; only preferences may have invalid label values. */
function* termWarnings(term: Fields, path: string, isPreference: boolean): Generator<string> {
  for (const [index, { key = '', values }] of listOf(term.matchExpressions).entries()) {
    const at = `${path}.matchExpressions[${index}]`;
    const message = deprecationOf(key);
    if (message !== undefined) yield `${at}.key: ${key} is ${message}`;
    if (!isPreference || !Array.isArray(values)) continue;
    for (const [count, value] of values.entries()) {
      for (const { detail } of labelText(value, '')) yield `${at}.values[${count}]: ${value} is invalid, ${detail}`;
    }
  }
}

const needed = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

function* nodeWarnings(spec: Fields, path: string): Generator<string> {
  for (const key of Object.keys(fieldsOf(spec.nodeSelector))) {
    const old = deprecationOf(key);
    if (old !== undefined) yield `${path}.nodeSelector[${key}]: ${old}`;
  }
  const affinity = fieldsOf(fieldsOf(spec.affinity).nodeAffinity);
  const at = `${path}.affinity.nodeAffinity`;
  for (const [index, term] of listOf(fieldsOf(affinity[needed]).nodeSelectorTerms).entries()) {
    yield* termWarnings(term, `${at}.${needed}.nodeSelectorTerms[${index}]`, false);
  }
  for (const [index, { preference }] of listOf(affinity[preferred]).entries()) {
    yield* termWarnings(fieldsOf(preference), `${at}.${preferred}[${index}].preference`, true);
  }
}

const noPods = 'a null labelSelector results in matching no pod';

function* spreadWarnings(spec: Fields, path: string): Generator<string> {
  for (const [index, { topologyKey = '', labelSelector }] of listOf(spec.topologySpreadConstraints).entries()) {
    const at = `${path}.topologySpreadConstraints[${index}]`;
    const message = deprecationOf(topologyKey);
    if (message !== undefined) yield `${at}.topologyKey: ${topologyKey} is ${message}`;
    if (labelSelector === undefined) yield `${at}.labelSelector: ${noPods}`;
  }
}

function* nearWarnings(affinity: unknown, path: string): Generator<string> {
  const { [needed]: terms, [preferred]: weighted } = fieldsOf(affinity);
  for (const [index, { labelSelector }] of listOf(terms).entries()) {
    if (labelSelector === undefined) yield `${path}.${needed}[${index}].labelSelector: ${noPods}`;
  }
  for (const [index, { podAffinityTerm }] of listOf(weighted).entries()) {
    if (fieldsOf(podAffinityTerm).labelSelector !== undefined) continue;
    yield `${path}.${preferred}[${index}].podAffinityTerm.labelSelector: ${noPods}`;
  }
}

/** Returns the warnings for a pod's node affinity and spread constraints. */
export function* placementWarnings(spec: Fields, path: string): Generator<string> {
  yield* nodeWarnings(spec, path);
  yield* spreadWarnings(spec, path);
}

/** Returns the warnings for a pod's affinity to other pods. */
export function* neighbourWarnings(affinity: unknown, path: string): Generator<string> {
  const { podAffinity, podAntiAffinity } = fieldsOf(affinity);
  yield* nearWarnings(podAffinity, `${path}.podAffinity`);
  yield* nearWarnings(podAntiAffinity, `${path}.podAntiAffinity`);
}

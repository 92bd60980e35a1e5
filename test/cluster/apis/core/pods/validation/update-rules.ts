/** Validates updates of pods. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import { equal, type Fields } from '../../../../apimachinery/object.ts';
import { fieldsOf, forbidden, invalid, listOf, required } from '../../../../apimachinery/validation/errors.ts';
import { asGo, type ComparingError } from '../../../../resources/go-form.ts';
import { appArmorPrefix, mirror } from '../annotations.ts';
import { tolerations } from './placement-rules.ts';

/** Immutable annotations, with their names in messages. */
const fixedAnnotations: readonly (readonly [(key: string) => boolean, string])[] = [
  [(key) => key.startsWith(appArmorPrefix), 'AppArmor annotations'],
  [(key) => key === mirror, 'mirror pod annotation'],
];

/** Validates changes of annotations that have a meaning for pods. */
export function* annotationChangeErrors(now: unknown, before: unknown): Generator<FieldError> {
  const [next, former] = [fieldsOf(now), fieldsOf(before)];
  if (equal(next, former)) return;
  for (const key of new Set([...Object.keys(former), ...Object.keys(next)])) {
    const what = fixedAnnotations.find(([isOne]) => isOne(key))?.[1];
    if (what === undefined || next[key] === former[key]) continue;
    const verb = former[key] === undefined ? 'add' : 'remove or update';
    yield forbidden(`metadata.annotations[${key}]`, `may not ${verb} ${what}`);
  }
}

/** Step of validation: its errors, and whether they end the validation. */
type Step = (now: Fields, before: Fields) => { readonly errors: readonly FieldError[]; readonly ends?: boolean };

const containerStep =
  (list: 'containers' | 'initContainers'): Step =>
  (now, before) => {
    const [next, former] = [listOf(now[list]), listOf(before[list])];
    const path = `spec.${list}`;
    if (next.length !== former.length) {
      return { errors: [forbidden(path, 'pod updates may not add or remove containers')], ends: true };
    }
    const errors = next.flatMap(({ image = '' }, index) => {
      if (image === '') return [required(`${path}[${index}].image`)];
      const text = String(image);
      const detail = 'must not have leading or trailing whitespace';
      return text === text.trim() ? [] : [invalid(`${path}[${index}].image`, text, detail)];
    });
    return { errors };
  };

const deadlineStep: Step = ({ activeDeadlineSeconds: now }, { activeDeadlineSeconds: before }) => {
  const field = 'spec.activeDeadlineSeconds';
  if (now === undefined) {
    const detail = 'must not update from a positive integer to nil value';
    return { errors: before === undefined ? [] : [invalid(field, null, detail)] };
  }
  const seconds = Number(now);
  if (seconds < 0 || seconds > 2 ** 31 - 1) {
    return { errors: [invalid(field, seconds, 'must be between 0 and 2147483647, inclusive')], ends: true };
  }
  if (before === undefined || seconds <= Number(before)) return { errors: [] };
  return { errors: [invalid(field, seconds, 'must be less than or equal to previous value')], ends: true };
};

const withoutSeconds = ({ tolerationSeconds: _seconds, ...rest }: Fields): Fields => rest;

const tolerationStep: Step = (now, before) => {
  const next = listOf(now.tolerations).map(withoutSeconds);
  const isKept = listOf(before.tolerations).every((one) => next.some((two) => equal(withoutSeconds(one), two)));
  const detail = 'existing toleration can not be modified except its tolerationSeconds';
  if (!isKept) return { errors: [forbidden('spec.tolerations', detail)] };
  return { errors: [...tolerations(now.tolerations, 'spec.tolerations')] };
};

const gateStep: Step = (now, before) => {
  const known = new Set(listOf(before.schedulingGates).map(({ name }) => name));
  const errors = listOf(now.schedulingGates).flatMap(({ name }, index) => {
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return known.has(name) ? [] : [forbidden(`spec.schedulingGates[${index}].name`, detail)];
  });
  return { errors };
};

const steps: readonly Step[] = [
  containerStep('containers'),
  containerStep('initContainers'),
  deadlineStep,
  tolerationStep,
  gateStep,
];

const sorted = (value: Fields): Fields =>
  Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));

function* selectorErrors(now: Fields, before: Fields): Generator<FieldError> {
  const [next, former] = [fieldsOf(now.nodeSelector), fieldsOf(before.nodeSelector)];
  if (Object.entries(former).every(([key, value]) => next[key] === value)) return;
  const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  yield invalid('spec.nodeSelector', now.nodeSelector === undefined ? null : sorted(next), detail);
}

const neededTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
const termsOf = ({ affinity }: Fields): readonly Fields[] =>
  listOf(fieldsOf(fieldsOf(fieldsOf(affinity).nodeAffinity)[neededTerms]).nodeSelectorTerms);

/** Reports whether a term keeps its requirements or adds some; an empty term must stay empty. */
function isNarrower(now: Fields, before: Fields): boolean {
  const lists = ['matchExpressions', 'matchFields'].map((name) => [listOf(now[name]), listOf(before[name])] as const);
  if (lists.every(([, former]) => former.length === 0)) return lists.every(([next]) => next.length === 0);
  return lists.every(([next, former]) => equal(next.slice(0, former.length), former));
}

function* termErrors(now: Fields, before: Fields): Generator<FieldError> {
  const [next, former] = [termsOf(now), termsOf(before)];
  const path = `spec.affinity.nodeAffinity.${neededTerms}.nodeSelectorTerms`;
  if (former.length > 0 && former.length !== next.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    yield invalid(path, next.length === 0 ? null : asGo('[core.NodeSelectorTerm]', next), detail);
    return;
  }
  for (const [index, term] of former.entries()) {
    if (isNarrower(next[index]!, term)) continue;
    yield invalid(
      `${path}[${index}]`,
      asGo('core.NodeSelectorTerm', next[index]),
      'only additions are allowed (no mutations or deletions)',
    );
  }
}

const withImagesOf = (containers: unknown, former: unknown): unknown =>
  containers === undefined
    ? undefined
    : listOf(containers).map((one, index) => ({ ...one, image: listOf(former)[index]?.image }));

/** Returns an affinity with the node affinity of another one. */
function withNodesOf(affinity: unknown, former: unknown): unknown {
  const { nodeAffinity: _nodes, ...rest } = fieldsOf(affinity);
  const { nodeAffinity } = fieldsOf(former);
  if (nodeAffinity !== undefined) return { ...rest, nodeAffinity };
  return former === undefined && Object.keys(rest).length === 0 ? undefined : affinity && rest;
}

/** Returns the new spec with its mutable fields as before; a gated pod may also narrow its node selection. */
function fixedPart(now: Fields, before: Fields): Fields {
  const { terminationGracePeriodSeconds: grace } = before;
  const isNegativeGrace = Number(grace) < 0 && now.terminationGracePeriodSeconds === 1;
  const isGated = listOf(before.schedulingGates).length > 0;
  return {
    ...now,
    activeDeadlineSeconds: before.activeDeadlineSeconds,
    tolerations: before.tolerations,
    schedulingGates: before.schedulingGates,
    terminationGracePeriodSeconds: isNegativeGrace ? grace : now.terminationGracePeriodSeconds,
    containers: withImagesOf(now.containers, before.containers),
    initContainers: withImagesOf(now.initContainers, before.initContainers),
    ...(isGated && {
      nodeSelector: before.nodeSelector,
      affinity: withNodesOf(now.affinity, before.affinity),
    }),
  };
}

const mutable =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Validates changes of a pod's spec. */
export function* specChangeErrors(now: Fields, before: Fields): Generator<ComparingError> {
  if (equal(now, before)) {
    yield* tolerations(now.tolerations, 'spec.tolerations');
    return;
  }
  for (const step of steps) {
    const { errors, ends } = step(now, before);
    yield* errors;
    if (ends) return;
  }
  const isGated = listOf(before.schedulingGates).length > 0;
  if (isGated) {
    yield* selectorErrors(now, before);
    yield* termErrors(now, before);
  }
  const after = fixedPart(now, before);
  if (!equal(after, before)) {
    const detail = `pod updates may not change fields other than ${mutable}`;
    yield { ...forbidden('spec', detail), compared: { type: 'core.PodSpec', before, after } };
  }
}

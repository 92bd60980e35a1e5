/** Validates Pods and PodTemplates. */

import type { FieldError } from '../../../apimachinery/field-error.ts';
import type { Fields } from '../../../apimachinery/object.ts';
import { type Check, fieldsOf, forbidden, listOf } from '../../../apimachinery/validation/errors.ts';
import { partRules } from './pod-subresource-validation.ts';
import { templateErrors } from './template-validation.ts';
import { podAnnotationErrors, profileErrors } from './validation/annotation-rules.ts';
import { imageErrors } from './validation/container-rules.ts';
import { podSpecErrors } from './validation/spec-rules.ts';
import { podStatusErrors } from './validation/status-rules.ts';
import { annotationChangeErrors, specChangeErrors } from './validation/update-rules.ts';

const annotationsOf = ({ metadata }: Fields): unknown => fieldsOf(metadata).annotations;

/** Reports projected service account tokens of a pod without a service account. */
function* tokenErrors(spec: Fields): Generator<FieldError> {
  if (spec.serviceAccountName) return;
  for (const [index, { projected }] of listOf(spec.volumes).entries()) {
    for (const [count, { serviceAccountToken: token }] of listOf(fieldsOf(projected).sources).entries()) {
      if (token === undefined) continue;
      const field = `spec.volumes[${index}].projected.sources[${count}].serviceAccountToken`;
      yield forbidden(field, 'must not be specified when serviceAccountName is not set');
    }
  }
}

/** Validates a pod without its former state. */
function* ownErrors(pod: Fields): Generator<FieldError> {
  const spec = fieldsOf(pod.spec);
  const { name } = fieldsOf(pod.metadata);
  yield* podAnnotationErrors(annotationsOf(pod), 'metadata.annotations', spec);
  yield* podSpecErrors(spec, 'spec', String(name ?? ''));
  yield* tokenErrors(spec);
  yield* imageErrors(spec.containers, 'spec.containers');
  yield* imageErrors(spec.initContainers, 'spec.initContainers');
}

function* newErrors(pod: Fields): Generator<FieldError> {
  const spec = fieldsOf(pod.spec);
  yield* ownErrors(pod);
  if (listOf(spec.ephemeralContainers).length > 0) {
    yield forbidden('spec.ephemeralContainers', 'cannot be set on create');
  }
  if (spec.nodeName && listOf(spec.schedulingGates).length > 0) {
    yield forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared');
  }
  yield* profileErrors(pod.metadata, spec, 'spec');
}

function* annotationErrors(pod: Fields, old: Fields): Generator<FieldError> {
  yield* annotationChangeErrors(annotationsOf(pod), annotationsOf(old));
  yield* podAnnotationErrors(annotationsOf(pod), 'metadata.annotations', fieldsOf(pod.spec));
}

function* changedErrors(pod: Fields, old: Fields): Generator<FieldError> {
  yield* ownErrors(pod);
  yield* annotationErrors(pod, old);
  yield* specChangeErrors(fieldsOf(pod.spec), fieldsOf(old.spec));
}

/** Returns the validation of a write to a part of a pod; an unconditional refusal has no field. */
const partErrors = ({ refusal, errors }: (typeof partRules)['resize']) =>
  function* (pod: Fields, old: Fields): Generator<FieldError> {
    const why = refusal(pod, old);
    if (why !== undefined) {
      yield forbidden('[]', why);
      return;
    }
    yield* ownErrors(pod);
    yield* errors(pod, old);
  };

/** Validation of updates, by the written part. */
const updates: Readonly<Record<string, (pod: Fields, old: Fields) => Iterable<FieldError>>> = {
  object: changedErrors,
  *status(pod, old) {
    yield* annotationErrors(pod, old);
    yield* podStatusErrors(pod, old);
  },
  ephemeralcontainers: partErrors(partRules.ephemeralcontainers),
  resize: partErrors(partRules.resize),
};

/** Validates Pods. */
export const podErrors: Check = (pod, old, part = 'object') =>
  old === undefined ? newErrors(pod) : (updates[part] ?? changedErrors)(pod, old);

/** Validates PodTemplates. */
export const podTemplateErrors: Check = ({ template }) => templateErrors(template, 'template');

/** Validates pod templates. */

import { notSupported } from '../../../apimachinery/field-error.ts';
import { isQualifiedName } from '../../../apimachinery/name-validation.ts';
import { labels, type Rule } from '../../../apimachinery/validation/combinators.ts';
import { fieldsOf, forbidden, invalid, listOf } from '../../../apimachinery/validation/errors.ts';
import { podAnnotationErrors, profileErrors } from './validation/annotation-rules.ts';
import { podSpecErrors } from './validation/spec-rules.ts';

/** Rule of the keys of annotations. */
const annotations: Rule = function* (value, path) {
  for (const key of Object.keys(fieldsOf(value))) {
    for (const detail of isQualifiedName(key.toLowerCase())) yield invalid(path, key, detail);
  }
};

/** Rule of the annotations of a pod template. */
export const templateAnnotations: Rule = function* (value, path) {
  const { metadata, spec } = fieldsOf(value);
  const { annotations: own } = fieldsOf(metadata);
  if (own === undefined) return;
  yield* annotations(own, `${path}.annotations`);
  yield* podAnnotationErrors(own, `${path}.annotations`, fieldsOf(spec));
};

/** Rule of pod templates. */
export const templateErrors: Rule = function* (value, path) {
  const { metadata, spec: given } = fieldsOf(value);
  const spec = fieldsOf(given);
  yield* labels(fieldsOf(metadata).labels, `${path}.labels`);
  yield* templateAnnotations(value, path);
  yield* podSpecErrors(spec, `${path}.spec`);
  yield* profileErrors(metadata, spec, `${path}.spec`);
  if (listOf(spec.ephemeralContainers).length > 0) {
    yield forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template');
  }
};

/** Returns the rule of templates for long-running pods; `kind` is the owner's kind. */
export const lasting = (kind: string): Rule =>
  function* (value, path) {
    const { restartPolicy, activeDeadlineSeconds } = fieldsOf(fieldsOf(value).spec);
    if (restartPolicy !== 'Always') yield notSupported(`${path}.spec.restartPolicy`, restartPolicy ?? '', ['Always']);
    if (activeDeadlineSeconds !== undefined) {
      yield forbidden(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`);
    }
  };

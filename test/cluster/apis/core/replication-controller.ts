/** The kind ReplicationController: defaults, validation and warnings. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import type { Fields } from '../../apimachinery/object.ts';
import { selectsLabels } from '../../apimachinery/selectors/match-label-selector.ts';
import { type Check, fieldsOf, negative, required } from '../../apimachinery/validation/errors.ts';
import { templateLabels, unselectedLabels } from '../../apimachinery/validation/selector-validation.ts';
import { type DefaultRule, isEmpty } from '../../resources/defaulting.ts';
import { replicaStatus } from '../apps/replica-set.ts';
import { template } from '../apps/workload-validation.ts';
import type { BuiltinKind, Warn } from '../builtin-kind.ts';
import { podWarnings } from './pods/warnings/pod-warnings.ts';
import { isChanged, nameWarnings, ofPods, templateIn } from './pods/warnings/template-warnings.ts';

const defaults: DefaultRule = (value) => {
  const spec = fieldsOf(value.spec);
  const { labels } = fieldsOf(fieldsOf(spec.template).metadata);
  const metadata = fieldsOf(value.metadata);
  return {
    ...value,
    metadata: isEmpty(metadata.labels) && !isEmpty(labels) ? { ...metadata, labels } : value.metadata,
    spec: isEmpty(spec.selector) && !isEmpty(labels) ? { ...spec, selector: labels } : value.spec,
  };
};

function* controllerErrors(spec: Fields): Generator<FieldError> {
  const selector = fieldsOf(spec.selector);
  yield* negative('spec.minReadySeconds', spec.minReadySeconds);
  if (Object.keys(selector).length === 0) yield required('spec.selector');
  yield* negative('spec.replicas', spec.replicas);
  if (spec.template === undefined) {
    yield required('spec.template');
    return;
  }
  if (!selectsLabels({ matchLabels: selector }, templateLabels(spec))) {
    yield unselectedLabels(spec);
  }
  yield* template('ReplicationController')(spec.template, 'spec.template');
}

const check: Check = function* ({ spec }, old) {
  yield* controllerErrors(fieldsOf(spec));
  // The server validates this twice and reports each error twice.
  if (old !== undefined) yield* controllerErrors(fieldsOf(spec));
};

/** The server checks the former template when a ReplicationController changes. */
const warn: Warn = function* (object, former) {
  if (former === undefined) yield* nameWarnings(object, ofPods);
  if (isChanged(object, former)) yield* podWarnings(templateIn((former ?? object).spec), 'spec.template');
};

/** ReplicationControllers. */
export const replicationController: BuiltinKind = {
  defaults: { 'core.ReplicationController': defaults },
  check,
  checkStatus: replicaStatus,
  warn,
};

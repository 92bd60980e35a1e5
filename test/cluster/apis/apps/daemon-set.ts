/** Defaults, validation and warnings of DaemonSets. */

import { notSupported } from '../../apimachinery/field-error.ts';
import { equal } from '../../apimachinery/object.ts';
import { amountOrPercent, labelSelector, type Rule, requiredValue } from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, immutable, invalid, negative, required } from '../../apimachinery/validation/errors.ts';
import { emptySelector, unselectedLabelErrors } from '../../apimachinery/validation/selector-validation.ts';
import { type DefaultRule, withMissing } from '../../resources/defaulting.ts';
import { asGo } from '../../resources/go-form.ts';
import type { BuiltinKind, Warn } from '../builtin-kind.ts';
import { podWarnings } from '../core/pods/warnings/pod-warnings.ts';
import { templateIn } from '../core/pods/warnings/template-warnings.ts';
import { amounts, statusOf } from '../status-validation.ts';
import { templateGeneration } from './apps-resources.ts';
import { amountIn, atMostAll, rollingUpdate, template } from './workload-validation.ts';

const defaults: DefaultRule = (value) => {
  const metadata = fieldsOf(value.metadata);
  const annotations = withMissing(fieldsOf(metadata.annotations), { [templateGeneration]: '1' });
  return annotations === metadata.annotations ? value : { ...value, metadata: { ...metadata, annotations } };
};

const rolledDaemons: Rule = function* (value, path) {
  const { maxUnavailable = 0, maxSurge = 0 } = fieldsOf(value);
  yield* amountOrPercent(maxUnavailable, `${path}.maxUnavailable`);
  yield* amountOrPercent(maxSurge, `${path}.maxSurge`);
  yield* atMostAll(maxUnavailable, `${path}.maxUnavailable`);
  yield* atMostAll(maxSurge, `${path}.maxSurge`);
  const [unavailable, surge] = [amountIn(maxUnavailable), amountIn(maxSurge)];
  if (unavailable === 0 && surge === 0) yield required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0');
  else if (unavailable !== 0 && surge !== 0) {
    yield invalid(`${path}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero');
  }
};

const daemonSetStrategy: Rule = function* (value, path) {
  const { type, rollingUpdate: rolled } = fieldsOf(value);
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate')
    yield notSupported(path, asGo('apps.DaemonSetUpdateStrategy', value), ['RollingUpdate', 'OnDelete']);
  else yield* requiredValue('', rolledDaemons)(rolled, `${path}.rollingUpdate`);
};

const check: Check = function* ({ spec: value }, old) {
  const spec = fieldsOf(value);
  if (old !== undefined) yield* immutable('spec.selector', spec.selector, fieldsOf(old.spec).selector);
  yield* labelSelector(spec.selector, 'spec.selector');
  yield* unselectedLabelErrors(spec);
  yield* emptySelector(spec.selector, 'daemonset');
  yield* template('DaemonSet')(spec.template, 'spec.template');
  yield* negative('spec.minReadySeconds', spec.minReadySeconds);
  yield* daemonSetStrategy(spec.updateStrategy, 'spec.updateStrategy');
  yield* negative('spec.revisionHistoryLimit', spec.revisionHistoryLimit);
};

const warn: Warn = function* ({ spec }, former) {
  if (former !== undefined && equal(templateIn(spec), templateIn(former.spec))) return;
  yield* podWarnings(templateIn(spec), 'spec.template');
};

/** DaemonSets. */
export const daemonSet: BuiltinKind = {
  values: { 'apps.DaemonSetSpec': { revisionHistoryLimit: 10 } },
  defaults: {
    'apps.DaemonSetSpec': rollingUpdate('updateStrategy', { maxUnavailable: 1, maxSurge: 0 }),
    'apps.DaemonSet': defaults,
  },
  check,
  checkStatus: statusOf(
    amounts('currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'),
    amounts('observedGeneration', 'updatedNumberScheduled', 'numberAvailable', 'numberUnavailable', 'collisionCount'),
  ),
  warn,
};

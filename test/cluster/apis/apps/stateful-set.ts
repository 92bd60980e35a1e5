/** The kind StatefulSet: defaults, validation and warnings. */

import { isLabel } from '../../apimachinery/name-validation.ts';
import { type Fields, isFields } from '../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/errors.ts';
import { type DefaultRule, withMissing } from '../../resources/defaulting.ts';
import type { BuiltinKind, Warn } from '../builtin-kind.ts';
import { fractionWarnings, podWarnings } from '../core/pods/warnings/pod-warnings.ts';
import { isChanged, templateIn } from '../core/pods/warnings/template-warnings.ts';
import { amounts, statusOf, within } from '../status-validation.ts';
import { checkStatefulSet } from './stateful-set-validation.ts';

const claimType: Fields = { kind: 'PersistentVolumeClaim', apiVersion: 'v1' };

const defaults: DefaultRule = (given) => {
  const { volumeClaimTemplates: claims } = given;
  const spec = Array.isArray(claims)
    ? { ...given, volumeClaimTemplates: claims.map((claim: Fields) => ({ ...claim, ...claimType })) }
    : given;
  return withPartition(spec);
};

/** A StatefulSet's `rollingUpdate` is defaulted only when its type is. */
const withPartition: DefaultRule = (spec) => {
  const { type, ...strategy } = fieldsOf(spec.updateStrategy);
  if (type !== undefined && !(type === 'RollingUpdate' && isFields(strategy.rollingUpdate))) return spec;
  const update = withMissing(fieldsOf(strategy.rollingUpdate), { partition: 0 });
  return { ...spec, updateStrategy: { type: 'RollingUpdate', ...strategy, rollingUpdate: update } };
};

const warn: Warn = function* (object, former) {
  const { volumeClaimTemplates, revisionHistoryLimit } = fieldsOf(object.spec);
  if (isChanged(object, former)) yield* podWarnings(templateIn(object.spec), 'spec.template');
  for (const [index, { spec }] of listOf(volumeClaimTemplates).entries()) {
    const path = `spec.volumeClaimTemplates[${index}]${former === undefined ? '' : '.Spec'}.resources`;
    const { requests, limits } = fieldsOf(fieldsOf(spec).resources);
    yield* fractionWarnings(requests, `${path}.requests`, ['storage']);
    yield* fractionWarnings(limits, `${path}.limits`, ['storage']);
  }
  if (Number(revisionHistoryLimit) < 0) {
    const effect = 'a negative value retains all historical revisions; a value >= 0 is recommended';
    yield `spec.revisionHistoryLimit: ${effect}`;
  }
};

/** StatefulSets. */
export const statefulSet: BuiltinKind = {
  checkName: isLabel,
  values: {
    'apps.StatefulSetSpec': {
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    },
    'apps.StatefulSetPersistentVolumeClaimRetentionPolicy': { whenDeleted: 'Retain', whenScaled: 'Retain' },
  },
  defaults: { 'apps.StatefulSetSpec': defaults },
  check: checkStatefulSet,
  checkStatus: statusOf(
    amounts('replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'),
    amounts('observedGeneration', 'collisionCount'),
    within('replicas', 'status.replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'),
    within('readyReplicas', 'status.readyReplicas', 'availableReplicas'),
  ),
  warn,
};

/** Validation of StatefulSets. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { isLabel } from '../../apimachinery/name-validation.ts';
import { equal, type Fields } from '../../apimachinery/object.ts';
import {
  each,
  fields,
  labels,
  named,
  notNegative,
  oneOf,
  optionalOrEmpty,
  type Rule,
} from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, forbidden, invalid, required } from '../../apimachinery/validation/errors.ts';
import {
  isSelector,
  selectorErrors,
  templateLabels,
  unselectedLabelErrors,
} from '../../apimachinery/validation/selector-validation.ts';
import { asGo } from '../../resources/go-form.ts';
import { lasting, templateAnnotations, templateErrors } from '../core/pods/template-validation.ts';
import { claimErrors } from '../core/volumes/claim-validation.ts';

const mutableFields = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

const management: Rule = function* (value, path) {
  if (!value) yield required(path);
  else if (value !== 'OrderedReady' && value !== 'Parallel') {
    yield invalid(path, value, "must be 'OrderedReady' or 'Parallel'");
  }
};

const updateStrategy: Rule = function* (value, path) {
  const { type = '', rollingUpdate } = fieldsOf(value);
  const at = `${path}.rollingUpdate`;
  if (type === '') yield required(path);
  else if (type === 'RollingUpdate') yield* fields({ partition: notNegative })(rollingUpdate, at);
  else if (type === 'OnDelete') {
    if (rollingUpdate === undefined) return;
    yield invalid(
      at,
      asGo('apps.RollingUpdateStatefulSetStrategy', rollingUpdate),
      "only allowed for updateStrategy 'RollingUpdate'",
    );
  } else {
    yield invalid(path, asGo('apps.StatefulSetUpdateStrategy', value), "must be 'RollingUpdate' or 'OnDelete'");
  }
};

const retained = (value: unknown, path: string) => oneOf('Retain', 'Delete')(value ?? '', path);

const firstRules = fields({
  podManagementPolicy: management,
  updateStrategy,
  persistentVolumeClaimRetentionPolicy: fields({ whenDeleted: retained, whenScaled: retained }),
});

const amounts = fields({
  replicas: notNegative,
  minReadySeconds: notNegative,
  ordinals: fields({ start: notNegative }),
});

/** Returns the template without fields that the controller sets itself. */
function ownTemplate({ template: value, volumeClaimTemplates }: Fields): Fields {
  const { spec, ...rest } = fieldsOf(value);
  const { subdomain: _subdomain, hostname: _hostname, ...pod } = fieldsOf(spec);
  const templates: readonly unknown[] = Array.isArray(volumeClaimTemplates) ? volumeClaimTemplates : [];
  const claimed = new Set(templates.map((claim) => fieldsOf(fieldsOf(claim).metadata).name));
  if (claimed.size === 0) return { ...rest, spec: pod };
  const others = (Array.isArray(pod.volumes) ? pod.volumes : []).filter((one) => !claimed.has(fieldsOf(one).name));
  const own = [...claimed].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return { ...rest, spec: { ...pod, volumes: [...own, ...others] } };
}

/** Validates the spec of a StatefulSet; some fields only on creation, as they are immutable. */
function* statefulSetErrors(spec: Fields, isNew: boolean): Generator<FieldError> {
  yield* firstRules(spec, 'spec');
  if (isNew) yield* each(fields({ spec: claimErrors }))(spec.volumeClaimTemplates, 'spec.volumeClaimTemplates');
  yield* amounts(spec, 'spec');
  if (isNew) yield* optionalOrEmpty(named(isLabel))(spec.serviceName, 'spec.serviceName');
  yield* selectorErrors(spec, 'statefulset', '');
  if (isSelector(spec.selector)) {
    const own = ownTemplate(spec);
    yield* unselectedLabelErrors({ ...spec, template: own });
    yield* templateErrors(own, 'spec.template');
    yield* labels(templateLabels(spec), 'spec.template.labels');
    yield* templateAnnotations(spec.template, 'spec.template');
  }
  yield* lasting('StatefulSet')(spec.template, 'spec.template');
}

const fixedPart = (spec: Fields): Fields =>
  Object.fromEntries(Object.entries(spec).filter(([name]) => !mutableFields.includes(name)));

/** Validates StatefulSets. */
export const checkStatefulSet: Check = function* ({ spec }, old) {
  const now = fieldsOf(spec);
  yield* statefulSetErrors(now, old === undefined);
  if (old === undefined || equal(fixedPart(now), fixedPart(fieldsOf(old.spec)))) return;
  const [last, ...names] = mutableFields.toReversed().map((name) => `'${name}'`);
  const list = `${names.toReversed().join(', ')} and ${last}`;
  yield forbidden('spec', `updates to statefulset spec for fields other than ${list} are forbidden`);
};

/** Validates HorizontalPodAutoscalers. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { parseQuantity } from '../../apimachinery/formats/quantity.ts';
import { isLabel, isPathSegment } from '../../apimachinery/name-validation.ts';
import type { Fields } from '../../apimachinery/object.ts';
import {
  all,
  each,
  fields,
  inRange,
  named,
  oneOf,
  optional,
  type Rule,
  requiredValue,
  some,
} from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, forbidden, invalid, required } from '../../apimachinery/validation/errors.ts';
import { amounts, statusOf } from '../status-validation.ts';

const endless = Number.POSITIVE_INFINITY;

const positive: Rule = function* (value, path) {
  const amount = parseQuantity(String(value));
  if (amount !== undefined && amount.nano <= 0n) yield invalid(path, value, 'must be positive');
};

const apiVersion =
  (anyGroup: boolean): Rule =>
  (value, path) => {
    const text = String(value ?? '');
    if (text.split('/').length > 2) return [invalid(path, text, `unexpected GroupVersion string: ${text}`)];
    return anyGroup || text.includes('/') ? [] : [invalid(path, text, 'apiVersion must specify API group')];
  };

/** Rule of a reference by kind and name; without `anyGroup` it must be of the core group to omit its group. */
const reference = (anyGroup: boolean): Rule =>
  fields({
    kind: requiredValue('', named(isPathSegment)),
    name: requiredValue('', named(isPathSegment)),
    apiVersion: apiVersion(anyGroup),
  });

const targetType: Rule = function* (value, path) {
  if (!value) yield required(path, 'must specify a metric target type');
  if (!['Utilization', 'Value', 'AverageValue'].includes(String(value))) {
    yield invalid(path, value ?? '', 'must be either Utilization, Value, or AverageValue');
  }
};

const target: Rule = fields({
  type: targetType,
  value: optional(positive),
  averageValue: optional(positive),
  averageUtilization: inRange(1, endless, 'must be greater than 0'),
});

/** Allowed values of a metric target, with the error when none is set and, in `surplus`, when both are. */
interface Values {
  readonly names: readonly string[];
  readonly last: string;
  readonly missing: string;
  readonly surplus?: readonly [name: string, detail: string];
}

const targetWith = ({ names, last, missing, surplus }: Values): Rule =>
  all(target, function* (value, path) {
    const count = names.filter((name) => fieldsOf(value)[name] !== undefined).length;
    if (count === 0) yield required(`${path}.${last}`, missing);
    if (count > 1 && surplus !== undefined) yield forbidden(`${path}.${surplus[0]}`, surplus[1]);
  });

const metric = fields({ name: requiredValue('must specify a metric name', named(isPathSegment)) });
const resourceName = requiredValue('must specify a resource name');
const ofResource = targetWith({
  names: ['averageValue', 'averageUtilization'],
  last: 'averageUtilization',
  missing: 'must set either a target raw value or a target utilization',
  surplus: ['averageValue', 'may not set both a target raw value and a target utilization'],
});
const ofExternal = targetWith({
  names: ['value', 'averageValue'],
  last: 'averageValue',
  missing: 'must set either a target value for metric or a per-pod target',
  surplus: ['value', 'may not set both a target value for metric and a per-pod target'],
});
const ofObject = targetWith({
  names: ['value', 'averageValue'],
  last: 'averageValue',
  missing: 'must set either a target value or averageValue',
});
const ofPods = targetWith({
  names: ['averageValue'],
  last: 'averageValue',
  missing: 'must specify a positive target averageValue',
});

const container = requiredValue('must specify a container', named(isLabel));

/** Sources of metrics, in the order in which they are looked up; only the first that is set is validated. */
const sources: Readonly<Record<string, readonly [type: string, rule: Rule]>> = {
  object: ['Object', fields({ describedObject: reference(true), metric, target: ofObject })],
  external: ['External', fields({ metric, target: ofExternal })],
  pods: ['Pods', fields({ metric, target: ofPods })],
  resource: ['Resource', fields({ name: resourceName, target: ofResource })],
  containerResource: ['ContainerResource', fields({ name: resourceName, container, target: ofResource })],
};

const types = Object.values(sources)
  .map(([type]) => type)
  .sort();

const metricSpec: Rule = function* (value, path) {
  const spec = fieldsOf(value);
  const type = String(spec.type ?? '');
  const unknown = [...oneOf(...types)(type, `${path}.type`)];
  if (type === '') yield required(`${path}.type`, 'must specify a metric source type');
  yield* unknown;
  const [first, ...others] = Object.keys(sources).filter((name) => spec[name] !== undefined);
  if (first !== undefined) yield* sources[first]![1](spec[first], `${path}.${first}`);
  const [wanted] = Object.entries(sources).find(([, [name]]) => name === type) ?? [];
  if (wanted !== undefined && spec[wanted] === undefined) {
    yield required(`${path}.${wanted}`, 'must populate information for the given metric source');
  }
  // The server validates this twice.
  yield* unknown;
  if (others.length === 0) return;
  for (const name of [first!, ...others].filter((one) => one !== wanted)) {
    yield forbidden(`${path}.${name}`, 'must populate the given metric source only');
  }
};

const from = (least: number, words: string, most: number): Rule =>
  all(
    inRange(least, endless, `must be greater than ${words}`),
    inRange(-endless, most, `must be less than or equal to ${most}`),
  );

const zeroMeansAbsent =
  (rule: Rule): Rule =>
  (value, path) =>
    rule(value ?? 0, path);

const scalingPolicy = fields({
  type: (value, path) => oneOf('Percent', 'Pods')(value ?? '', path),
  value: zeroMeansAbsent(inRange(1, endless, 'must be greater than zero')),
  periodSeconds: zeroMeansAbsent(from(1, 'zero', 1800)),
});

const scaling = optional(
  fields({
    stabilizationWindowSeconds: from(0, 'or equal to zero', 3600),
    selectPolicy: oneOf('Disabled', 'Max', 'Min'),
    policies: some('must specify at least one Policy', scalingPolicy),
  }),
);

/** Validates the scale target. Its apiVersion is validated only when it or the kind changes. */
function* scaleTarget(target: unknown, former: unknown): Generator<FieldError> {
  const [now, before] = [fieldsOf(target), fieldsOf(former)];
  const isKnown = former !== undefined && now.apiVersion === before.apiVersion && now.kind === before.kind;
  const rule = reference(now.kind === 'ReplicationController');
  const at = 'spec.scaleTargetRef';
  for (const error of rule(now, at)) if (!(isKnown && error.field === `${at}.apiVersion`)) yield error;
}

/** Validates HorizontalPodAutoscalers of both versions. */
export const horizontalPodAutoscaler: Check = function* ({ spec: value }, old) {
  const spec = fieldsOf(value);
  const before = old && fieldsOf(old.spec);
  const {
    maxReplicas = 0,
    minReplicas,
    scaleTargetRef,
  } = spec as { maxReplicas?: number; minReplicas?: number } & Fields;
  if (typeof minReplicas === 'number' && minReplicas < 1) {
    yield invalid('spec.minReplicas', minReplicas, 'must be greater than or equal to 1');
  }
  const scalesToZero = Array.isArray(spec.metrics)
    ? spec.metrics.some((one) => ['Object', 'External'].includes(String(fieldsOf(one).type)))
    : false;
  if (maxReplicas < 1) yield invalid('spec.maxReplicas', maxReplicas, 'must be greater than 0');
  if (typeof minReplicas === 'number' && maxReplicas < minReplicas) {
    yield invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`');
  }
  yield* scaleTarget(scaleTargetRef, before?.scaleTargetRef);
  yield* inRange(
    1,
    endless,
    'must be greater than 0',
  )(spec.targetCPUUtilizationPercentage, 'spec.metrics[0].resource.target.averageUtilization');
  yield* each(metricSpec)(spec.metrics, 'spec.metrics');
  if (minReplicas === 0 && !scalesToZero) {
    const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
    yield { type: 'Forbidden', field: 'spec.metrics', detail };
  }
  yield* optional(fields({ scaleUp: scaling, scaleDown: scaling }))(spec.behavior, 'spec.behavior');
};

/** Validates the status of HorizontalPodAutoscalers. */
export const horizontalPodAutoscalerStatus = statusOf(amounts('currentReplicas', 'desiredReplicas'));

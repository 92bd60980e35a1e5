import type { FieldError } from '../field-error.ts';
import type { Fields } from '../objects/object.ts';
import { type Check, fieldsOf, invalid, required } from './checks.ts';
import { parseQuantity } from './quantity.ts';
import { all, each, fields, given, inRange, labelSelector, needed, oneOf, type Rule, some } from './rules.ts';

const endless = Number.POSITIVE_INFINITY;

const positive: Rule = function* (value, path) {
  const amount = parseQuantity(String(value));
  if (amount !== undefined && amount.nano <= 0n) yield invalid(path, value, 'must be positive');
};

const targetType: Rule = function* (value, path) {
  if (!value) yield required(path, 'must specify a metric target type');
  if (!['Utilization', 'Value', 'AverageValue'].includes(String(value))) {
    yield invalid(path, value ?? '', 'must be either Utilization, Value, or AverageValue');
  }
};

const target = fields({
  type: targetType,
  value: given(positive),
  averageValue: given(positive),
  averageUtilization: inRange(1, endless, 'must be greater than 0'),
});

/** A target, and which of its values must be there, with what is said where none is. */
const targetWith = (names: readonly string[], last: string, detail: string): Rule =>
  all(target, function* (value, path) {
    if (names.every((name) => fieldsOf(value)[name] === undefined)) yield required(`${path}.${last}`, detail);
  });

const metric = fields({ name: needed('must specify a metric name'), selector: given(labelSelector) });
const raw = 'must set either a target raw value or a target utilization';
const ofResource = targetWith(['averageValue', 'averageUtilization'], 'averageUtilization', raw);
const perPod = 'must set either a target value for metric or a per-pod target';
const described = fields({ kind: needed(), name: needed() });

const sources: Readonly<Record<string, readonly [string, Rule]>> = {
  ContainerResource: [
    'containerResource',
    fields({
      container: needed('must specify a container'),
      name: needed('must specify a resource name'),
      target: ofResource,
    }),
  ],
  External: ['external', fields({ metric, target: targetWith(['value', 'averageValue'], 'averageValue', perPod) })],
  Object: [
    'object',
    fields({
      describedObject: described,
      metric,
      target: targetWith(['value', 'averageValue'], 'averageValue', perPod),
    }),
  ],
  Pods: [
    'pods',
    fields({
      metric,
      target: targetWith(['averageValue'], 'averageValue', 'must specify a positive target averageValue'),
    }),
  ],
  Resource: ['resource', fields({ name: needed('must specify a resource name'), target: ofResource })],
};

const metricSpec: Rule = function* (value, path) {
  const spec = fieldsOf(value);
  const type = String(spec.type ?? '');
  if (type === '') yield required(`${path}.type`, 'must specify a metric source type');
  yield* oneOf(...Object.keys(sources))(type, `${path}.type`);
  const [name, rule] = sources[type] ?? [];
  if (name === undefined || rule === undefined) return;
  if (spec[name] === undefined) {
    yield required(`${path}.${name}`, 'must populate information for the given metric source');
  } else yield* rule(spec[name], `${path}.${name}`);
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

const scaling = given(
  fields({
    stabilizationWindowSeconds: from(0, 'or equal to zero', 3600),
    selectPolicy: oneOf('Disabled', 'Max', 'Min'),
    policies: some('must specify at least one Policy', scalingPolicy),
  }),
);

/** Objects of groups other than core's name theirs. */
function* reference({ kind, name, apiVersion }: Fields, path: string): Generator<FieldError> {
  if (!kind) yield required(`${path}.kind`);
  if (!name) yield required(`${path}.name`);
  const version = String(apiVersion ?? '');
  if (!version.includes('/') && !(version === 'v1' && kind === 'ReplicationController')) {
    yield invalid(`${path}.apiVersion`, version, 'apiVersion must specify API group');
  }
}

/** Rules of HorizontalPodAutoscalers, of both versions. */
export const horizontalPodAutoscaler: Check = function* ({ spec: value }) {
  const spec = fieldsOf(value);
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
  yield* reference(fieldsOf(scaleTargetRef), 'spec.scaleTargetRef');
  yield* inRange(
    1,
    endless,
    'must be greater than 0',
  )(spec.targetCPUUtilizationPercentage, 'spec.targetCPUUtilizationPercentage');
  yield* each(metricSpec)(spec.metrics, 'spec.metrics');
  if (minReplicas === 0 && !scalesToZero) {
    const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
    yield { type: 'Forbidden', field: 'spec.metrics', detail };
  }
  yield* given(fields({ scaleUp: scaling, scaleDown: scaling }))(spec.behavior, 'spec.behavior');
};

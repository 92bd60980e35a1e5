/** Validates the spec of Jobs. */

import { isSubdomain } from '../../apimachinery/name-validation.ts';
import type { Fields } from '../../apimachinery/object.ts';
import { fields, inRange, notNegative, oneOf, optional, type Rule } from '../../apimachinery/validation/combinators.ts';
import { fieldsOf, invalid, required } from '../../apimachinery/validation/errors.ts';
import { asGo } from '../../resources/go-form.ts';
import { templateErrors } from '../core/pods/template-validation.ts';
import { failurePolicy, successPolicy } from './job-policy-validation.ts';

const endless = Number.POSITIVE_INFINITY;
const many = 100_000;
const maxAtOnce = 10_000;
const maxNameBytes = 63;
const pathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/** Rule of names with a domain prefix: `example.com/controller`. */
const domainPath: Rule = function* (value, path) {
  const text = String(value);
  if (text === '') {
    yield required(path);
    return;
  }
  const [, domain = '', name = ''] = /^([^/]*)\/(.*)$/s.exec(text) ?? [];
  if (domain === '' || name === '') {
    yield invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")');
    return;
  }
  for (const detail of isSubdomain(domain)) yield invalid(path, domain, detail);
  if (!new RegExp(`^${pathPattern}$`).test(name)) {
    yield invalid(path, name, `Invalid path (regex used for validation is '${pathPattern}')`);
  }
};

const managedBy: Rule = function* (value, path) {
  yield* domainPath(value, path);
  if (String(value).length > maxNameBytes) {
    yield { type: 'TooLong', field: path, detail: `may not be more than ${maxNameBytes} bytes` };
  }
};

const amounts = fields({
  parallelism: notNegative,
  completions: notNegative,
  activeDeadlineSeconds: notNegative,
  backoffLimit: notNegative,
  ttlSecondsAfterFinished: notNegative,
  backoffLimitPerIndex: notNegative,
  maxFailedIndexes: notNegative,
});

const most = (limit: number, why = ''): Rule =>
  inRange(-endless, limit, `must be less than or equal to ${limit}${why}`);

const ofMany = ` when completions are above ${many} and used with backoff limit per index`;

/** Rule of indexed Jobs with so many completions that their failed indexes might not fit. */
const manyCompletions: Rule = function* (value, path) {
  const { parallelism, maxFailedIndexes } = fieldsOf(value);
  const failures = `${path}.maxFailedIndexes`;
  if (maxFailedIndexes === undefined) {
    yield required(failures, `must be specified when completions is above ${many}`);
  }
  yield* most(maxAtOnce, ofMany)(parallelism, `${path}.parallelism`);
  yield* most(maxAtOnce, ofMany)(maxFailedIndexes, failures);
};

const indexed: Rule = function* (value, path) {
  const { completions, parallelism, maxFailedIndexes, backoffLimitPerIndex } = fieldsOf(value);
  if (completions === undefined) yield required(`${path}.completions`, 'when completion mode is Indexed');
  yield* most(many, ' when completion mode is Indexed')(parallelism, `${path}.parallelism`);
  const failures = `${path}.maxFailedIndexes`;
  if (completions !== undefined && Number(maxFailedIndexes) > Number(completions)) {
    yield invalid(failures, maxFailedIndexes, 'must be less than or equal to completions');
  }
  yield* most(many)(maxFailedIndexes, failures);
  if (Number(completions) > many && backoffLimitPerIndex !== undefined) yield* manyCompletions(value, path);
};

const notIndexed: Rule = function* (value, path) {
  for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
    const given = fieldsOf(value)[name];
    if (given !== undefined) yield invalid(`${path}.${name}`, given, 'requires indexed completion mode');
  }
};

const policies: Rule = function* (value, path) {
  const spec = fieldsOf(value);
  if (spec.podFailurePolicy !== undefined) yield* failurePolicy(spec, `${path}.podFailurePolicy`);
  const { successPolicy: success, completionMode } = spec;
  if (success !== undefined && completionMode !== 'Indexed') {
    yield invalid(`${path}.successPolicy`, asGo('batch.SuccessPolicy', success), 'requires indexed completion mode');
  } else if (success !== undefined) yield* successPolicy(spec, `${path}.successPolicy`);
  const replaced = spec.podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  yield* optional(oneOf(...replaced))(spec.podReplacementPolicy, `${path}.podReplacementPolicy`);
};

/** Rule of the pod template's restart policy. */
const ending: Rule = function* (value, path) {
  const { template, podFailurePolicy } = fieldsOf(value);
  const { restartPolicy } = fieldsOf(fieldsOf(template).spec);
  const at = `${path}.template.spec.restartPolicy`;
  if (restartPolicy === 'Always' || !restartPolicy) yield required(at, 'valid values: "OnFailure", "Never"');
  else if (restartPolicy !== 'OnFailure' && restartPolicy !== 'Never') {
    yield* oneOf('OnFailure', 'Never')(restartPolicy, at);
  } else if (podFailurePolicy !== undefined && restartPolicy !== 'Never') {
    yield invalid(at, restartPolicy, 'only "Never" is supported when podFailurePolicy is specified');
  }
};

/** Rule of the spec of a Job or Job template, without its selector. */
export const jobSpec: Rule = function* (value, path) {
  const spec = fieldsOf(value);
  const { completionMode, maxFailedIndexes, backoffLimitPerIndex } = spec;
  yield* amounts(spec, path);
  if (maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined) {
    yield required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified');
  }
  yield* optional(managedBy)(spec.managedBy, `${path}.managedBy`);
  yield* optional(oneOf('NonIndexed', 'Indexed'))(completionMode, `${path}.completionMode`);
  if (completionMode === 'Indexed') yield* indexed(spec, path);
  if (completionMode === undefined || completionMode === 'NonIndexed') yield* notIndexed(spec, path);
  yield* policies(spec, path);
  yield* templateErrors(spec.template, `${path}.template`);
  yield* ending(spec, path);
};

/** Returns the warnings for a valid but problematic Job. */
export function jobWarnings(spec: Fields, path: string): readonly string[] {
  const { completionMode, completions, parallelism } = spec;
  const isHuge = completionMode === 'Indexed' && Number(completions) > many && Number(parallelism) > maxAtOnce;
  const message =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return isHuge ? [`${path}: ${message}`] : [];
}

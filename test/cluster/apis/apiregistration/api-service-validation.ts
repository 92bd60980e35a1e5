/** Validates APIServices. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { isLabel1035, isSubdomain } from '../../apimachinery/name-validation.ts';
import type { Fields } from '../../apimachinery/object.ts';
import { inRange, named, oneOf, optionalOrEmpty, type Rule } from '../../apimachinery/validation/combinators.ts';
import { badPort, type Check, fieldsOf, invalid, listOf, required } from '../../apimachinery/validation/errors.ts';

function* serviceErrors(spec: Fields): Generator<FieldError> {
  const { name, namespace, port } = fieldsOf(spec.service);
  if (!namespace) yield required('spec.service.namespace');
  if (!name) yield required('spec.service.name');
  for (const error of badPort('spec.service.port', port ?? 0)) {
    yield { ...error, detail: `port is not valid: ${error.detail}` };
  }
  if (spec.insecureSkipTLSVerify === true && spec.caBundle) {
    yield invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present');
  }
}

function* localErrors({ caBundle, insecureSkipTLSVerify }: Fields): Generator<FieldError> {
  if (caBundle) {
    const size = `${Buffer.from(String(caBundle), 'base64').length} bytes`;
    yield invalid('spec.caBundle', size, 'local APIServices may not have a caBundle');
  }
  if (insecureSkipTLSVerify === true) {
    yield invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify');
  }
}

const upTo = (most: number): Rule => {
  const rule = inRange(1, most, `must be positive and less than ${most}`);
  return (value, path) => rule(value ?? 0, path);
};
const groupPriority = upTo(20_000);
const versionPriority = upTo(1000);

/** Validates APIServices. */
export const apiService: Check = function* ({ metadata, spec: value }) {
  const spec = fieldsOf(value);
  const { group = '', version = '' } = spec;
  const wanted = `${version}.${group}`;
  const { name } = fieldsOf(metadata);
  if (name !== wanted) {
    yield invalid('metadata.name', name, `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`);
  }
  if (group === '' && version !== 'v1') {
    yield required('spec.group', 'only v1 may have an empty group and it better be legacy kube');
  }
  yield* optionalOrEmpty(named(isSubdomain))(group, 'spec.group');
  yield* named(isLabel1035)(version, 'spec.version');
  yield* groupPriority(spec.groupPriorityMinimum, 'spec.groupPriorityMinimum');
  yield* versionPriority(spec.versionPriority, 'spec.versionPriority');
  yield* spec.service === undefined ? localErrors(spec) : serviceErrors(spec);
};

/** Validates the status of APIServices. */
export const apiServiceStatus: Check = function* ({ status }) {
  for (const [index, condition] of listOf(fieldsOf(status).conditions).entries()) {
    yield* oneOf('True', 'False', 'Unknown')(condition.status ?? '', `status.conditions[${index}].status`);
  }
};

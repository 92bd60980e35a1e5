/** Validates access reviews. */

import type { FieldError } from '../apimachinery/field-error.ts';
import { isQualifiedName } from '../apimachinery/name-validation.ts';
import { equal, type Fields, isFields } from '../apimachinery/object.ts';
import { each, labelText, named, requirementValues } from '../apimachinery/validation/combinators.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

const goNames = ({ path, verb }: Fields): Fields => ({ Path: text(path), Verb: text(verb) });

/** Validates one requirement of a selector. */
type RequirementCheck = (requirement: Fields, path: string) => Iterable<FieldError>;

const ofFields: RequirementCheck = function* (requirement, path) {
  yield* requirementValues(requirement, path);
  if (text(requirement.key) === '') yield { type: 'Required', field: `${path}.key`, detail: 'must be specified' };
};

const ofLabels: RequirementCheck = function* (requirement, path) {
  yield* requirementValues(requirement, path);
  yield* named(isQualifiedName)(text(requirement.key), `${path}.key`);
  yield* each(labelText)(requirement.values, `${path}.values`);
};

function* selectorErrors(selector: unknown, path: string, check: RequirementCheck): Generator<FieldError> {
  if (!isFields(selector)) return;
  const [raw, requirements] = [text(selector.rawSelector), listOf(selector.requirements)];
  if (raw !== '' && requirements.length > 0) {
    const detail = 'may not specified at the same time as requirements';
    yield { type: 'Invalid', field: `${path}.rawSelector`, value: raw, detail };
  }
  if (raw === '' && requirements.length === 0) {
    const detail = `when ${path} is specified, requirements or rawSelector is required`;
    yield { type: 'Required', field: `${path}.requirements`, detail };
  }
  for (const [index, one] of requirements.entries()) yield* check(one, `${path}.requirements[${index}]`);
}

/** Validates the attributes of a review. */
export function* attributeErrors({ resourceAttributes, nonResourceAttributes }: Fields): Generator<FieldError> {
  if (isFields(resourceAttributes) && isFields(nonResourceAttributes)) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    yield { type: 'Invalid', field: 'spec.nonResourceAttributes', value: goNames(nonResourceAttributes), detail };
  }
  if (!isFields(resourceAttributes) && !isFields(nonResourceAttributes)) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    yield { type: 'Invalid', field: 'spec.resourceAttributes', value: null, detail };
  }
  const { fieldSelector, labelSelector } = isFields(resourceAttributes) ? resourceAttributes : {};
  yield* selectorErrors(fieldSelector, 'spec.resourceAttributes.fieldSelector', ofFields);
  yield* selectorErrors(labelSelector, 'spec.resourceAttributes.labelSelector', ofLabels);
}

/** Validates a review's metadata, apart from managedFields. */
export function* metadataErrors(metadata: Fields, expected: Fields): Generator<FieldError> {
  const { managedFields: _managers, ...rest } = metadata;
  if (equal(rest, expected)) return;
  const detail = 'namespace' in expected ? 'must be empty except for namespace' : 'must be empty';
  yield { type: 'Invalid', field: 'metadata', value: metadata, detail };
}

/** Validates that a user or group is given. */
export function* subjectErrors({ user, groups }: Fields): Generator<FieldError> {
  if (text(user) !== '' || (Array.isArray(groups) && groups.length > 0)) return;
  const detail = 'at least one of user or group must be specified';
  yield { type: 'Invalid', field: 'spec.user', value: '', detail };
}

/** Validates a review within a namespace. */
export function* localErrors(
  { resourceAttributes, nonResourceAttributes }: Fields,
  namespace: string,
): Generator<FieldError> {
  const given = isFields(resourceAttributes) ? text(resourceAttributes.namespace) : namespace;
  if (given !== namespace) {
    const detail = 'must match metadata.namespace';
    yield { type: 'Invalid', field: 'spec.resourceAttributes.namespace', value: given, detail };
  }
  if (!isFields(nonResourceAttributes)) return;
  const detail = 'disallowed on this kind of request';
  yield { type: 'Invalid', field: 'spec.nonResourceAttributes', value: goNames(nonResourceAttributes), detail };
}

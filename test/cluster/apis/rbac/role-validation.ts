/** Validates roles and their bindings. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { isSubdomain } from '../../apimachinery/name-validation.ts';
import { equal, type Fields } from '../../apimachinery/object.ts';
import { labelSelector, named } from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, invalid, listOf, required, unsupported } from '../../apimachinery/validation/errors.ts';

function* ruleErrors(rules: readonly Fields[], namespaced: boolean): Generator<FieldError> {
  for (const [index, rule] of rules.entries()) {
    const at = `rules[${index}]`;
    const has = (name: string): boolean => Array.isArray(rule[name]) && rule[name].length > 0;
    if (!has('verbs')) yield required(`${at}.verbs`, 'verbs must contain at least one value');
    if (has('nonResourceURLs')) {
      if (namespaced)
        yield invalid(
          `${at}.nonResourceURLs`,
          rule.nonResourceURLs,
          'namespaced rules cannot apply to non-resource URLs',
        );
      if (['apiGroups', 'resources', 'resourceNames'].some(has)) {
        const detail = 'rules cannot apply to both regular resources and non-resource URLs';
        yield invalid(`${at}.nonResourceURLs`, rule.nonResourceURLs, detail);
      }
      continue;
    }
    if (!has('apiGroups')) yield required(`${at}.apiGroups`, 'resource rules must supply at least one api group');
    if (!has('resources')) yield required(`${at}.resources`, 'resource rules must supply at least one resource');
  }
}

/** Returns the check of a Role, namespaced, or of a ClusterRole. */
export const role = (namespaced: boolean): Check =>
  function* ({ rules, aggregationRule }) {
    yield* ruleErrors(listOf(rules), namespaced);
    if (namespaced || aggregationRule === undefined) return;
    const at = 'aggregationRule.clusterRoleSelectors';
    const selectors = listOf(fieldsOf(aggregationRule).clusterRoleSelectors);
    if (selectors.length === 0) {
      yield required(at, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
    }
    for (const [index, selector] of selectors.entries()) {
      const errors = [...labelSelector(selector, `${at}[${index}]`)];
      yield* errors;
      if (errors.length > 0) yield invalid(`${at}[${index}]`, null, 'invalid label selector.');
    }
  };

/** API group of roles. */
export const rbac = 'rbac.authorization.k8s.io';
const subjectKinds = ['ServiceAccount', 'User', 'Group'];

function* subjectErrors(subject: Fields, at: string, isOfCluster: boolean): Generator<FieldError> {
  if (!subject.name) yield required(`${at}.name`);
  else if (subject.kind === 'ServiceAccount') yield* named(isSubdomain)(subject.name, `${at}.name`);
  yield* unsupported(`${at}.kind`, subject.kind ?? '', subjectKinds);
  if (subject.kind === 'User' || subject.kind === 'Group') {
    yield* unsupported(`${at}.apiGroup`, subject.apiGroup, [rbac]);
  }
  if (subject.kind !== 'ServiceAccount') return;
  yield* unsupported(`${at}.apiGroup`, subject.apiGroup, ['']);
  // A RoleBinding provides its own namespace.
  if (isOfCluster && !subject.namespace) yield required(`${at}.namespace`);
}

function* bindingErrors({ roleRef, subjects }: Fields, kinds: readonly string[]): Generator<FieldError> {
  const { apiGroup, kind, name } = fieldsOf(roleRef);
  yield* unsupported('roleRef.apiGroup', apiGroup, [rbac]);
  yield* unsupported('roleRef.kind', kind ?? '', kinds);
  if (!name) yield required('roleRef.name');
  for (const [index, subject] of listOf(subjects).entries())
    yield* subjectErrors(subject, `subjects[${index}]`, kinds.length === 1);
}

/** Returns the check of a binding to roles of these kinds. */
export const binding = (kinds: readonly string[]): Check =>
  function* (object, old) {
    yield* bindingErrors(object, kinds);
    if (old === undefined) return;
    yield* bindingErrors(object, kinds);
    const { apiGroup, kind, name } = fieldsOf(object.roleRef);
    if (!equal(object.roleRef, old.roleRef)) {
      yield invalid('roleRef', { APIGroup: apiGroup, Kind: kind, Name: name }, 'cannot change roleRef');
    }
  };
